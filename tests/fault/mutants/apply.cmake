# Copies FILES from ROOT to COPY and applies PATCHES to the copies:
#   cmake -DPATCH= -DROOT= -DCOPY= -DFILES= -DPATCHES= -P apply.cmake
foreach(file IN LISTS FILES)
  get_filename_component(folder ${COPY}/${file} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  file(COPY_FILE ${ROOT}/${file} ${COPY}/${file})
endforeach()
foreach(patch IN LISTS PATCHES)
  execute_process(COMMAND ${PATCH} --batch --forward --fuzz=0 --no-backup-if-mismatch -p1 -d ${COPY} -i ${patch}
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${patch} no longer fits the source. Write it again.\n${output}")
  endif()
endforeach()
