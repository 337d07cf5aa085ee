#include "core/tables/contracts.hpp"

#include <algorithm>
#include <vector>

#include "core/domain/basics/rounding.hpp"
#include "core/domain/claims/procedure_code.hpp"
#include "core/domain/reviews/medicare_fee.hpp"

namespace tideover::tables {
namespace {

using domain::Wide;

constexpr std::int64_t kCentsInDollar = 100;
constexpr std::int64_t kWholeInPercent = 100;
constexpr std::size_t kKeyColumns = 4;

/// The keys under which a line's price may be listed, most specific first.
std::vector<std::string_view> modifier_keys(std::string_view modifiers) {
  std::vector<std::string_view> keys{modifiers};
  bool changes_price = false;
  for (auto rest = modifiers; !rest.empty(); rest.remove_prefix(std::min(rest.find(':'), rest.size() - 1) + 1)) {
    const auto one = rest.substr(0, rest.find(':'));
    changes_price = changes_price || domain::changes_price(one);
    if (one != modifiers) keys.push_back(one);
  }
  if (!changes_price && !modifiers.empty()) keys.emplace_back();
  return keys;
}

}  // namespace

std::optional<Contracts> Contracts::of(std::shared_ptr<const Table> table) {
  if (!table || table->schema().key.size() != kKeyColumns) return std::nullopt;
  const auto price = table->schema().index_of("price"), percent = table->schema().index_of("medicare_percent");
  if (!price || !percent) return std::nullopt;
  return Contracts(std::move(table), *price, *percent);
}

std::optional<std::uint32_t> Contracts::row(const domain::ClaimDraft& claim, std::string_view code,
                                            std::string_view modifiers, domain::Date day) const {
  const auto payer = table_->key_cell(0, claim.payer_id), procedure = table_->key_cell(2, code),
             changed = table_->key_cell(3, modifiers);
  if (!payer || !procedure || !changed) return std::nullopt;
  for (const std::string_view provider : {std::string_view(claim.billing_npi), std::string_view()})
    if (const auto cell = table_->key_cell(1, provider))
      if (const auto found = table_->find({*payer, *cell, *procedure, *changed}, day)) return found;
  return std::nullopt;
}

std::optional<domain::Money> Contracts::price(const domain::ClaimDraft& claim, const domain::ServiceLine& line,
                                              domain::Date day, domain::Money unit_fee) const {
  for (const auto modifiers : modifier_keys(line.modifier)) {
    const auto found = row(claim, line.cpt, modifiers, day);
    if (!found) continue;
    if (const auto dollars = table_->decimal(*found, price_))
      return domain::price_of(Wide{*dollars} * kCentsInDollar * line.units_milli,
                              Wide{kOneInDecimal} * domain::kOneUnitMilli);
    if (const auto percent = table_->decimal(*found, percent_); percent && !unit_fee.is_zero())
      return domain::price_of(Wide{unit_fee.cents()} * *percent * line.units_milli,
                              Wide{kOneInDecimal} * kWholeInPercent * domain::kOneUnitMilli);
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace tideover::tables
