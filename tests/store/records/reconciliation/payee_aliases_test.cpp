// PayeeAliasRecords: learned ids of practices, and their removal; the ids of the payee of a remittance.
#include "tests/store/records/reconciliation/payments.hpp"
#include "tests/store/records/support/store_under_test.hpp"

using namespace tideover;
using namespace tideover::tests;

namespace {

PayeeAlias a_payee_alias(std::uint64_t n, PayeeId names, std::optional<Timestamp> removed_at = std::nullopt) {
  return {id_of<PayeeAliasId>(n),
          std::move(names),
          "1234567893",
          id_of<RemittanceId>(n),
          Timestamp::from_ms(static_cast<std::int64_t>(n)),
          removed_at};
}

std::string shown_alias(const std::optional<PayeeAlias>& alias) {
  if (!alias) return "none";
  const auto& [id, names, practice, remittance, learned, removed] = *alias;
  return id.text() + ' ' + std::string(name_of(names.kind)) + ' ' + names.form + " of " + names.payer_id + ' ' +
         practice + ' ' + remittance.text() + ' ' + format_timestamp(learned) +
         (removed ? " removed " + format_timestamp(*removed) : "");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store_reconciliation)

BOOST_DATA_TEST_CASE(a_payee_alias_is_found_by_kind_payer_and_form_until_it_is_removed, bdata::make(engines()),
                     engine) {
  StoreUnderTest store(engine);
  const PayeeId tax_id{PayeeIdKind::tax_id, "512345678", ""}, number{PayeeIdKind::assigned, "512345678", "PAYER-A"};
  const PayeeId group{PayeeIdKind::npi, "1999999984", ""};
  const auto taxed = a_payee_alias(2, tax_id), numbered = a_payee_alias(1, number);
  const auto ambiguous = a_payee_alias(3, group, Timestamp::from_ms(7));
  store.write([&](ports::Records& records) {
    for (const auto& alias : {taxed, numbered, ambiguous}) records.payee_aliases().insert(kTenant, alias);
  });
  const auto found = [&](const PayeeId& names, const TenantId& tenant = kTenant) {
    return shown_alias(
        store.seen([&](const ports::Records& records) { return records.payee_aliases().find(tenant, names); }));
  };
  const auto listed = [&](std::string_view after, std::size_t limit) {
    std::string ids;
    for (const auto& alias : store.seen([&](const ports::Records& records) {
           return records.payee_aliases().list(kTenant, {after, limit});
         }))
      ids += alias.id.text().back();
    return ids;
  };
  BOOST_TEST(found(tax_id) == shown_alias(taxed));
  BOOST_TEST(found(number) == shown_alias(numbered));
  BOOST_TEST(found(group) == shown_alias(ambiguous));
  BOOST_TEST(found({PayeeIdKind::assigned, "512345678", "PAYER-B"}) == "none");
  BOOST_TEST(found({PayeeIdKind::npi, "512345678", ""}) == "none");
  BOOST_TEST(found(tax_id, id_of<TenantId>(99)) == "none");
  BOOST_TEST(listed("", 9) == "12");
  BOOST_TEST(listed("", 1) == "1");
  BOOST_TEST(listed(numbered.id.text(), 9) == "2");

  store.write(
      [&](ports::Records& records) { records.payee_aliases().remove(kTenant, taxed.id, Timestamp::from_ms(9)); });
  const auto removed = a_payee_alias(2, tax_id, Timestamp::from_ms(9));
  BOOST_TEST(found(tax_id) == shown_alias(removed));
  BOOST_TEST(shown_alias(store.seen([&](const ports::Records& records) {
               return records.payee_aliases().find(kTenant, taxed.id);
             })) == shown_alias(removed));
  BOOST_TEST(listed("", 9) == "1");
}

BOOST_DATA_TEST_CASE(a_remittance_keeps_the_ids_of_its_payee, bdata::make(engines()), engine) {
  StoreUnderTest store(engine);
  const auto ids_after = [&](std::uint64_t n, const std::string& tax_id, const std::string& assigned,
                             const std::string& plb01) {
    auto remittance = sample_remittance(n);
    remittance.draft.payee_tax_id = tax_id;
    remittance.draft.payee_assigned_id = assigned;
    remittance.draft.provider_adjustments = {{"WO", "", Money::cents(1), "", plb01}};
    store.write([&](ports::Records& records) { records.remittances().insert(kTenant, remittance); });
    const auto draft =
        store.seen([&](const ports::Records& records) { return records.remittances().find(kTenant, remittance.id); })
            ->draft;
    return draft.payee_tax_id + '/' + draft.payee_assigned_id + '/' + draft.provider_adjustments.at(0).provider_id;
  };
  BOOST_TEST(ids_after(1, "51-2345678", "P-7", "OLD-7") == "51-2345678/P-7/OLD-7");
  BOOST_TEST(ids_after(2, "", "P-7", "") == "/P-7/");
  BOOST_TEST(ids_after(3, "", "", "") == "//");
}

BOOST_AUTO_TEST_SUITE_END()
