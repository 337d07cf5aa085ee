// A payer directory that is broken in one way, chosen by BREAK_...; written against the bare ABI, as a bad plugin
// would.
#include <stdexcept>

#include "tideover/plugin.h"

namespace {

int instance_memory = 0;

tideover_status report(const tideover_call* call, tideover_str message) {
  tideover_fault fault{};
  fault.size = sizeof fault;
  fault.code = TIDEOVER_FAULT_INVALID_CONFIG;
  fault.message = message;
  fault.byte = -1;
  call->report(call->ctx, &fault);
  return TIDEOVER_FAILED;
}

tideover_status create(const tideover_host*, const tideover_config*, const tideover_call* call, void** instance) {
#if defined(BREAK_CREATE_FAILS)
  return report(call, TIDEOVER_STR("the moon is in the wrong phase"));
#elif defined(BREAK_CREATE_THROWS)
  throw std::runtime_error("out of cheese");
#endif
  (void)call;
  (void)&report;
  *instance = &instance_memory;
  return TIDEOVER_OK;
}

void destroy(void*) {}

tideover_status get(void*, const tideover_call*, tideover_str, const tideover_payer_sink* sink) {
#if defined(BREAK_THROWS)
  throw std::runtime_error("out of cheese");
#elif defined(BREAK_SILENT)
  return TIDEOVER_FAILED;
#endif
  // A payer with rates and a text that cannot be.
  tideover_payer payer{};
  payer.size = sizeof payer;
  payer.payer_id = {nullptr, 12};
  payer.denial_bps = 70'000;
  const tideover_payer_match match{sizeof match, 10'000, &payer, {nullptr, 0}};
  sink->match(sink->ctx, &match);
  return TIDEOVER_OK;
}

[[maybe_unused]] tideover_status search(void*, const tideover_call*, const tideover_payer_query*,
                                        const tideover_payer_sink*) {
  return 99;
}
tideover_status systems(void*, const tideover_call*, const tideover_str_sink*) {
  return TIDEOVER_OK;
}

#if defined(BREAK_NO_FUNCTION)
const tideover_payer_directory functions = {sizeof functions, 0, &get, nullptr, &systems};
#else
const tideover_payer_directory functions = {sizeof functions, 0, &get, &search, &systems};
#endif

#if defined(BREAK_BAD_MAGIC)
constexpr std::uint32_t kMagic = 0xDEADBEEF;
#else
constexpr std::uint32_t kMagic = TIDEOVER_MAGIC;
#endif
#if defined(BREAK_WRONG_ABI)
constexpr std::uint16_t kMajor = TIDEOVER_ABI_MAJOR + 1;
#else
constexpr std::uint16_t kMajor = TIDEOVER_ABI_MAJOR;
#endif
#if defined(BREAK_SMALL_STRUCT)
constexpr std::uint32_t kSize = sizeof(tideover_plugin_descriptor) - 8;
#elif defined(BREAK_HUGE_STRUCT)
constexpr std::uint32_t kSize = 0xffffffff;
#else
constexpr std::uint32_t kSize = sizeof(tideover_plugin_descriptor);
#endif
#if defined(BREAK_UNKNOWN_KIND)
constexpr tideover_kind kKind = 77;
#else
constexpr tideover_kind kKind = TIDEOVER_KIND_PAYER_DIRECTORY;
#endif

}  // namespace

#if defined(BREAK_NEWER_HOST)
#define MIN_HOST "99.0.0"
#else
#define MIN_HOST "0.1.0"
#endif

#if !defined(BREAK_MISSING_SYMBOL) && !defined(BREAK_TINY_SYMBOL)
extern "C" TIDEOVER_EXPORT const tideover_plugin_descriptor tideover_plugin = {kMagic,
                                                                               kMajor,
                                                                               TIDEOVER_ABI_MINOR,
                                                                               kSize,
                                                                               kKind,
                                                                               TIDEOVER_STR("broken"),
                                                                               TIDEOVER_STR("Broken"),
                                                                               TIDEOVER_STR("1.0.0"),
                                                                               TIDEOVER_STR(MIN_HOST),
                                                                               nullptr,
                                                                               0,
                                                                               &create,
                                                                               &destroy,
                                                                               &functions};
#else
#if defined(BREAK_TINY_SYMBOL)
extern "C" __attribute__((visibility("default"))) const std::int32_t tiny_symbol __asm__("tideover_plugin") = 5;
#endif
// Keeps the pieces above in use.
extern "C" TIDEOVER_EXPORT const void* not_the_symbol() {
  (void)&create, (void)&destroy, (void)kMagic, (void)kMajor, (void)kSize, (void)kKind;
  return &functions;
}
#endif
