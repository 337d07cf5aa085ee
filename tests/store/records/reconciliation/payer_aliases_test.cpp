// PayerAliasRecords: learned ids and originators of payers, and their removal.
#include "tests/store/records/reconciliation/payments.hpp"
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

PayerAlias an_alias(std::uint64_t n, AliasKind kind, const std::string& form) {
  return {id_of<PayerAliasId>(n),
          kind,
          form,
          "PAYER-A",
          id_of<RemittanceId>(n),
          Timestamp::from_ms(static_cast<std::int64_t>(n)),
          {}};
}

std::string text_of(const std::optional<PayerAlias>& alias) {
  if (!alias) return "none";
  const auto& [id, kind, form, payer, remittance, learned, removed] = *alias;
  return id.text() + ' ' + std::string(name_of(kind)) + ' ' + form + ' ' + payer + ' ' + remittance.text() + ' ' +
         format_timestamp(learned) + (removed ? " removed " + format_timestamp(*removed) : "");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_reconciliation)

BOOST_DATA_TEST_CASE(a_payer_alias_is_found_by_kind_and_form_until_it_is_removed, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto id = an_alias(2, AliasKind::id, "NEW-7"), originator = an_alias(1, AliasKind::originator, "NEW-7");
  store.write([&](ports::Records& records) {
    for (const auto& alias : {id, originator}) records.payer_aliases().insert(kTenant, alias);
  });
  const auto found = [&](AliasKind kind, std::string_view form, const TenantId& tenant = kTenant) {
    return text_of(
        store.seen([&](const ports::Records& records) { return records.payer_aliases().find(tenant, kind, form); }));
  };
  const auto listed = [&](std::string_view after, std::size_t limit) {
    std::string ids;
    for (const auto& alias : store.seen([&](const ports::Records& records) {
           return records.payer_aliases().list(kTenant, {after, limit});
         }))
      ids += alias.id.text().back();
    return ids;
  };
  BOOST_TEST(found(AliasKind::id, "NEW-7") == text_of(id));
  BOOST_TEST(found(AliasKind::originator, "NEW-7") == text_of(originator));
  BOOST_TEST(found(AliasKind::id, "NEW-8") == "none");
  BOOST_TEST(found(AliasKind::id, "NEW-7", id_of<TenantId>(99)) == "none");
  BOOST_TEST(listed("", 9) == "12");
  BOOST_TEST(listed("", 1) == "1");
  BOOST_TEST(listed(originator.id.text(), 9) == "2");

  store.write([&](ports::Records& records) { records.payer_aliases().remove(kTenant, id.id, Timestamp::from_ms(9)); });
  auto removed = id;
  removed.removed_at = Timestamp::from_ms(9);
  BOOST_TEST(found(AliasKind::id, "NEW-7") == text_of(removed));
  BOOST_TEST(text_of(store.seen([&](const ports::Records& records) {
               return records.payer_aliases().find(kTenant, id.id);
             })) == text_of(removed));
  BOOST_TEST(listed("", 9) == "1");
}

BOOST_AUTO_TEST_SUITE_END()
