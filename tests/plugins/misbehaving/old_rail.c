/* A funding rail as ABI 1.0 had them, in C11: its structs and its table of functions end where 1.0 ended, and behind
 * them lies what no host may read. */
#include "old_plugin.h"

static tideover_status describe(void* instance, const tideover_call* call, const tideover_rail_description_sink* sink) {
  (void)instance, (void)call;
  const tideover_rail_description description = {.size = offsetof(tideover_rail_description, has_statement),
                                                 .recall = TIDEOVER_RECALL_DEDUP,
                                                 .rail = TIDEOVER_STR("OLD"),
                                                 .name = TIDEOVER_STR("Old rail"),
                                                 .status = TIDEOVER_STR("operational"),
                                                 .currency = TIDEOVER_STR("USD"),
                                                 .min_amount = 1,
                                                 .max_amount = 100,
                                                 .desired_date = TIDEOVER_STR("optional"),
                                                 .final_on_accept = 1,
                                                 .reserved = 1,
                                                 .has_statement = 1};
  sink->description(sink->ctx, &description);
  return TIDEOVER_OK;
}

static tideover_status plan(void* instance, const tideover_call* call, const tideover_plan_request* request,
                            tideover_plan* made) {
  (void)instance, (void)call;
  made->effective = request->desired;
  return TIDEOVER_OK;
}

static tideover_status answer(const tideover_outcome_sink* sink) {
  const tideover_outcome outcome = {.size = offsetof(tideover_outcome, key),
                                    .kind = TIDEOVER_OUTCOME_SETTLED,
                                    .reference = TIDEOVER_STR("old-1"),
                                    .key = TIDEOVER_STR("not the key"),
                                    .amount = 7};
  sink->outcome(sink->ctx, &outcome);
  return TIDEOVER_OK;
}

static tideover_status submit(void* instance, const tideover_call* call, const tideover_disbursement* disbursement,
                              const tideover_outcome_sink* sink) {
  (void)instance, (void)call, (void)disbursement;
  return answer(sink);
}

static tideover_status query(void* instance, const tideover_call* call, tideover_str key,
                             const tideover_outcome_sink* sink) {
  (void)instance, (void)call, (void)key;
  return answer(sink);
}

static tideover_status statement(void* instance, const tideover_call* call, const tideover_statement_query* asked,
                                 const tideover_statement_sink* sink) {
  (void)instance, (void)call, (void)asked, (void)sink;
  return TIDEOVER_OK;
}

static const tideover_funding_rail functions = {.size = offsetof(tideover_funding_rail, statement),
                                                .describe = describe,
                                                .plan = plan,
                                                .submit = submit,
                                                .query = query,
                                                .statement = statement};

OLD_PLUGIN(TIDEOVER_KIND_FUNDING_RAIL, "old_rail", "Old rail");
