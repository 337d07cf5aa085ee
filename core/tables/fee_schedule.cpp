#include "core/tables/fee_schedule.hpp"

#include <utility>

namespace tideover::tables {
namespace {

std::int64_t millionths(const Table& table, std::uint32_t row, std::size_t column) {
  return table.decimal(row, column).value_or(0);
}

bool names(std::string_view modifiers, std::string_view wanted) {
  for (std::size_t at = 0; at + 2 <= modifiers.size(); at += 3)
    if (modifiers.substr(at, 2) == wanted) return true;
  return false;
}

}  // namespace

std::optional<FeeSchedule> FeeSchedule::of(std::shared_ptr<const Table> pfs, std::shared_ptr<const Table> gpci,
                                           std::shared_ptr<const Table> factors) {
  if (!pfs || !gpci || !factors) return std::nullopt;
  FeeSchedule schedule;
  bool whole = true;
  const auto find = [&](const Table& table, const char* name) {
    const auto column = table.schema().index_of(name);
    whole = whole && column.has_value();
    return column.value_or(0);
  };
  auto& at = schedule.at_;
  for (const auto& [name, column] : {std::pair{"work", &at.work},
                                     {"pe_nonfacility", &at.pe_nonfacility},
                                     {"pe_facility", &at.pe_facility},
                                     {"mp", &at.mp}})
    *column = find(*pfs, name);
  for (const auto& [name, column] : {std::pair{"work", &at.gpci_work}, {"pe", &at.gpci_pe}, {"mp", &at.gpci_mp}})
    *column = find(*gpci, name);
  at.factor = find(*factors, "factor");
  at.factor_from = find(*factors, "from");
  at.global_days = pfs->schema().index_of("global_days");
  if (!whole || pfs->schema().key.size() != 2 || gpci->schema().key.size() != 2 || factors->schema().key.size() != 1)
    return std::nullopt;
  schedule.pfs_ = std::move(pfs);
  schedule.gpci_ = std::move(gpci);
  schedule.factors_ = std::move(factors);
  return schedule;
}

std::optional<std::uint32_t> FeeSchedule::row(std::string_view code, std::string_view modifier) const {
  const auto first = pfs_->key_cell(0, code), second = pfs_->key_cell(1, modifier);
  return first && second ? pfs_->find({*first, *second}, std::nullopt) : std::nullopt;
}

domain::RelativeValues FeeSchedule::values(std::uint32_t row, bool facility) const {
  return {millionths(*pfs_, row, at_.work), millionths(*pfs_, row, facility ? at_.pe_facility : at_.pe_nonfacility),
          millionths(*pfs_, row, at_.mp)};
}

/// The file has 000, 010, 090, or letters when there is no such period.
int FeeSchedule::global_days(std::uint32_t row) const {
  if (!at_.global_days) return 0;
  const Value value = pfs_->value(row, *at_.global_days);
  const auto* const text = std::get_if<std::string_view>(&value);
  return text == nullptr ? 0 : *text == "010" ? 10 : *text == "090" ? 90 : 0;
}

std::optional<domain::ListedProcedure> FeeSchedule::procedure(std::string_view code, std::string_view modifiers,
                                                              bool facility) const {
  std::optional<std::uint32_t> found;
  for (const std::string_view part : {"26", "TC", "53"})
    if (!found && names(modifiers, part)) found = row(code, part);
  if (!found) found = row(code, "");
  if (!found) return std::nullopt;
  return domain::ListedProcedure{values(*found, facility), global_days(*found)};
}

std::optional<domain::PriceIndices> FeeSchedule::indices(std::string_view state, std::string_view locality) const {
  const auto first = gpci_->key_cell(0, state), second = gpci_->key_cell(1, locality);
  const auto found = first && second ? gpci_->find({*first, *second}, std::nullopt) : std::nullopt;
  if (!found) return std::nullopt;
  return domain::PriceIndices{millionths(*gpci_, *found, at_.gpci_work), millionths(*gpci_, *found, at_.gpci_pe),
                              millionths(*gpci_, *found, at_.gpci_mp)};
}

std::optional<std::int64_t> FeeSchedule::conversion_factor(std::string_view kind, domain::Date day) const {
  const auto key = factors_->key_cell(0, kind);
  const auto found = key ? factors_->find({*key}, day) : std::nullopt;
  return found ? factors_->decimal(*found, at_.factor) : std::nullopt;
}

std::optional<std::int64_t> FeeSchedule::latest_conversion_factor(std::string_view kind, domain::Date day) const {
  if (const auto of_day = conversion_factor(kind, day)) return of_day;
  std::optional<std::uint32_t> latest;
  std::optional<domain::Date> begun;
  for (std::uint32_t row = 0; row < factors_->row_count(); ++row) {
    const Value name = factors_->value(row, factors_->schema().key.front()),
                from = factors_->value(row, at_.factor_from);
    const auto* const text = std::get_if<std::string_view>(&name);
    const auto* const first = std::get_if<domain::Date>(&from);
    if (text == nullptr || *text != kind || first == nullptr || *first > day || (begun && *first <= *begun)) continue;
    begun = *first;
    latest = row;
  }
  return latest ? factors_->decimal(*latest, at_.factor) : std::nullopt;
}

}  // namespace tideover::tables
