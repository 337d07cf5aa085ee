// GET /v1/payouts/{transfer_id}/advice
#include "core/http/handlers/handlers.hpp"
#include "core/http/handlers/reading.hpp"
#include "core/http/media_type.hpp"
#include "core/http/wire/payouts/advice_document.hpp"

namespace tideover::http {
namespace {

struct AdviceFormat {
  std::unique_ptr<wire::AdviceDocument> document;
  std::string content_type;
};

AdviceFormat advice_format_of(const Context& context, const wire::AdviceHead& head) {
  const auto* accept = context.request.headers.find("Accept");
  if (wants_x12(accept)) return {wire::x12_advice(head), "application/edi-x12"};
  if (wants_pdf(accept)) return {wire::pdf_advice(head), "application/pdf"};
  if (wants_csv(accept)) return {wire::csv_advice(), "text/csv; charset=utf-8; header=present"};
  return {wire::json_advice(head), "application/json"};
}

domain::Result<Reply> show_advice(const usecases::ReadAdvice& read_advice, ports::FundingRails& rails,
                                  const domain::AdvicePayer& payer, Context& context) {
  const auto& tenant = context.request_context.caller.tenant;
  const auto payout = read_advice.payout(tenant, context.path[0]);
  if (!payout) return payout.error();
  const auto [document, content_type] = advice_format_of(context, {*payout, payer, is_simulated(rails, payout->rail)});
  const auto read = read_advice.lines(tenant, *payout, [&](const domain::AdviceLine& line) { document->add(line); });
  if (!read) return read.error();
  Reply reply{document->finish()};
  reply.content_type = content_type;
  return reply;
}

}  // namespace

void add_payout_advice_route(RouteTable& routes, const usecases::ReadAdvice& read_advice, ports::FundingRails& rails,
                             const domain::AdvicePayer& payer) {
  Route route{"GET", "/v1/payouts/{transfer_id}/advice", domain::Scope::reconciliation_read, BodyKind::none,
              [&](Context& context) { return show_advice(read_advice, rails, payer, context); }};
  route.offers_csv = true;
  route.offers_x12 = true;
  route.offers_pdf = true;
  route.shows_patients = true;
  routes.add(std::move(route));
}

}  // namespace tideover::http
