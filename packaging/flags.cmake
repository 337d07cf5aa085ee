# Flags that every target of the house shares: warnings are errors, release is hardened, sanitizers are one switch.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror
                    -fstack-protector-strong -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # What g++ 12 sees in the standard library's own inlined code and is not there (GCC bugs 105651, 105562, 105329).
  add_compile_options(-fno-gnu-unique -Wno-restrict -Wno-maybe-uninitialized -Wno-stringop-overread)
endif()
add_compile_definitions(_GLIBCXX_ASSERTIONS)
add_link_options(-Wl,-z,relro,-z,now)

if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_compile_options(-g1)
else()
  add_compile_definitions(_FORTIFY_SOURCE=2)
endif()

set(TIDEOVER_SANITIZE "" CACHE STRING "Sanitizers for the whole build, e.g. address,undefined or thread")
if(TIDEOVER_SANITIZE)
  add_compile_options(-fsanitize=${TIDEOVER_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TIDEOVER_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-tsan)  # g++ 12 warns that atomic_thread_fence is not modelled
  endif()
endif()

# Most of the time of a file goes into the headers that it shares with its neighbours, so a build from nothing may
# compile several at once. Batches follow the order of SOURCES: two files of one batch may not use one file-local
# name, so new files go to the end.
option(TIDEOVER_FILES_TOGETHER "Compile several files of a target at once: quicker from nothing, slower after a change"
       OFF)
function(tideover_files_together target)
  if(TIDEOVER_FILES_TOGETHER)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
    # The warning is about members whose type is in the unnamed namespace of one file.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# One library of the core. Includes are written from the repository root. APART: names of its files meet.
#   tideover_library(NAME SOURCES... DEPENDS targets... [PRIVATE targets...] [APART])
function(tideover_library name)
  cmake_parse_arguments(LIB "APART" "" "SOURCES;DEPENDS;PRIVATE" ${ARGN})
  if(LIB_SOURCES)
    add_library(${name} STATIC ${LIB_SOURCES})
    target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} PUBLIC ${LIB_DEPENDS} PRIVATE ${LIB_PRIVATE})
    if(NOT LIB_APART)
      tideover_files_together(${name})
    endif()
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} INTERFACE ${LIB_DEPENDS})
  endif()
endfunction()

# What only puts parts together gains nothing from more, and compiles in half the time.
function(tideover_compiles_quickly target)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()

# One Boost.Test program, registered with ctest under its own name.
#   tideover_test(NAME SOURCES... DEPENDS targets... [LABELS ...] [TIMEOUT seconds] [APART])
# APART: names of these files meet.
function(tideover_test name)
  cmake_parse_arguments(T "APART" "TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
  add_executable(${name} ${T_SOURCES} ${PROJECT_SOURCE_DIR}/tests/boost_main.cpp)
  target_compile_definitions(${name} PRIVATE BOOST_TEST_DYN_LINK
                             TIDEOVER_SOURCE_DIR="${PROJECT_SOURCE_DIR}" TIDEOVER_BINARY_DIR="${PROJECT_BINARY_DIR}")
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${T_DEPENDS} Boost::unit_test_framework)
  add_test(NAME ${name} COMMAND ${name} --log_level=message --report_level=short)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/tests/boost_main.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(NOT T_APART)
    tideover_files_together(${name})
  endif()
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 120)
  endif()
  if(TIDEOVER_SANITIZE)
    math(EXPR T_TIMEOUT "${T_TIMEOUT} * 6")  # the slowdown of the thread sanitizer
  endif()
  if(name IN_LIST TIDEOVER_QUICK_TESTS)
    list(APPEND T_LABELS quick)
  endif()
  # The longest begin first, so that none is left over at the end of a run side by side.
  set_tests_properties(${name} PROPERTIES TIMEOUT ${T_TIMEOUT} COST ${T_TIMEOUT} LABELS "${T_LABELS}")
endfunction()
