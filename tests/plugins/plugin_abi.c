/* The ABI header in C11: a descriptor can be written without any C++, and its identifying fields keep their place. */
#include "tideover/plugin.h"

static const tideover_plugin_descriptor descriptor = {.magic = TIDEOVER_MAGIC,
                                                      .abi_major = TIDEOVER_ABI_MAJOR,
                                                      .abi_minor = TIDEOVER_ABI_MINOR,
                                                      .struct_size = sizeof(tideover_plugin_descriptor),
                                                      .kind = TIDEOVER_KIND_PAYER_DIRECTORY,
                                                      .id = TIDEOVER_STR("c_plugin")};

_Static_assert(offsetof(tideover_plugin_descriptor, magic) == 0, "magic comes first");
_Static_assert(offsetof(tideover_plugin_descriptor, abi_major) == 4, "then the ABI version");
_Static_assert(offsetof(tideover_plugin_descriptor, struct_size) == 8, "then the size");
_Static_assert(offsetof(tideover_plugin_descriptor, kind) == 12, "then the kind");
_Static_assert(offsetof(tideover_payer_directory, get) == 8, "functions follow size and reserved word");

int main(void) { return descriptor.id.len == 8 && descriptor.struct_size > 12 ? 0 : 1; }
