/* A remittance format as ABI 1.0 had it, in C11: its payment, claim, service line and provider adjustment end where 1.0
 * ended, and behind them lies what no host may read. */
#include "old_plugin.h"

static tideover_status parse(void* instance, const tideover_call* call, tideover_str bytes,
                             const tideover_remittance_sink* sink) {
  (void)instance, (void)call, (void)bytes;
  const tideover_payment payment = {.size = offsetof(tideover_payment, is_test),
                                    .currency = TIDEOVER_STR("USD"),
                                    .is_test = 1,
                                    .payee_npi = {(const char*)1, 7},
                                    .payee_tax_id = {(const char*)1, 7},
                                    .payee_assigned_id = {(const char*)1, 7}};
  const tideover_remittance_claim claim = {.size = offsetof(tideover_remittance_claim, billing_npi),
                                           .claim_identifier = TIDEOVER_STR("OLD-1"),
                                           .status = TIDEOVER_STR("1"),
                                           .billing_npi = {(const char*)1, 7}};
  const tideover_remittance_line line = {.size = offsetof(tideover_remittance_line, submitted_cpt),
                                         .cpt = TIDEOVER_STR("99213"),
                                         .submitted_cpt = {(const char*)1, 7},
                                         .submitted_modifier = {(const char*)1, 7}};
  const tideover_provider_adjustment adjustment = {.size = offsetof(tideover_provider_adjustment, npi),
                                                   .code = TIDEOVER_STR("WO"),
                                                   .npi = {(const char*)1, 7},
                                                   .provider_id = {(const char*)1, 7}};
  sink->payment(sink->ctx, &payment);
  sink->claim(sink->ctx, &claim);
  sink->line(sink->ctx, &line);
  sink->provider_adjustment(sink->ctx, &adjustment);
  return TIDEOVER_OK;
}

static const tideover_remittance_format functions = {.size = offsetof(tideover_remittance_format, parse_mapped),
                                                     .parse = parse};

OLD_PLUGIN(TIDEOVER_KIND_REMITTANCE_FORMAT, "old_remittance", "Old remittance");
