/* What plugins of ABI 1.0 have in common, in C11: they keep nothing, and are described as 1.0 did. */
#ifndef TIDEOVER_TESTS_OLD_PLUGIN_H
#define TIDEOVER_TESTS_OLD_PLUGIN_H
#include "tideover/plugin.h"

static int the_instance;
static tideover_status create(const tideover_host* host, const tideover_config* config, const tideover_call* call,
                              void** instance) {
  (void)host, (void)config, (void)call;
  *instance = &the_instance;
  return TIDEOVER_OK;
}
static void destroy(void* instance) {
  (void)instance;
}

/* The descriptor of the one plugin of a file, whose table is `functions`. */
#define OLD_PLUGIN(its_kind, its_id, its_name)                         \
  TIDEOVER_EXPORT const tideover_plugin_descriptor tideover_plugin = { \
      .magic = TIDEOVER_MAGIC,                                         \
      .abi_major = 1,                                                  \
      .abi_minor = 0,                                                  \
      .struct_size = sizeof(tideover_plugin_descriptor),               \
      .kind = its_kind,                                                \
      .id = TIDEOVER_STR(its_id),                                      \
      .name = TIDEOVER_STR(its_name),                                  \
      .version = TIDEOVER_STR("1.0.0"),                                \
      .min_host_version = TIDEOVER_STR("0.1.0"),                       \
      .create = create,                                                \
      .destroy = destroy,                                              \
      .functions = &functions}

#endif
