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
_Static_assert(offsetof(tideover_deposit_format, parse) == 8, "in every kind");
/* What 1.0 had ends where 1.1 begins: a plugin of 1.0 is read no further. */
_Static_assert(offsetof(tideover_funding_rail, statement) == 8 + 5 * sizeof(void*), "statement is the sixth function");
_Static_assert(offsetof(tideover_outcome, key) == 8 + 3 * sizeof(tideover_str),
               "an outcome of 1.0 ends with its reason");
_Static_assert(offsetof(tideover_rail_description, reserved) % sizeof(void*) != 0, "1.0 padded its end");
_Static_assert(offsetof(tideover_rail_description, has_statement) % sizeof(void*) == 0,
               "so what 1.1 added lies behind the padding");

int main(void) {
  return descriptor.id.len == 8 && descriptor.struct_size > 12 ? 0 : 1;
}
