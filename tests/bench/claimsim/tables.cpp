#include "tests/bench/claimsim/tables.hpp"

#include <cmath>
#include <fstream>
#include <stdexcept>

namespace tideover::claimsim {
namespace {

std::ofstream opened(const std::filesystem::path& file, const char* header) {
  std::ofstream out(file, std::ios::binary);
  if (!out) throw std::runtime_error(file.string() + ": cannot be written");
  out << header << '\n';
  return out;
}

}  // namespace

void write_tables(const World& world, const Encounters& encounters, const std::filesystem::path& book) {
  const Population& population = world.population();
  const auto& codes = population.codes;
  const auto code = [&](int index) -> const std::string& { return codes[static_cast<std::size_t>(index)].code; };
  const auto tables = book / "tables";
  std::filesystem::create_directories(tables);

  auto payers = opened(book / "payers.csv", "payer_id,class,timely_filing_days");
  for (const Payer& payer : population.payers) payers << payer.id << ',' << name_of(payer.payer_class) << ',' << payer.timely_filing_days << '\n';

  auto ptp = opened(tables / "ptp.csv", "column1,column2,effective,deleted,modifier_indicator");
  for (const Pair& pair : population.pairs) ptp << code(pair.paid) << ',' << code(pair.bundled) << ",2020-01-01,," << (pair.modifier_allowed ? 1 : 0) << '\n';
  auto mue = opened(tables / "mue.csv", "code,units,mai");
  for (const Code& each : codes) mue << each.code << ',' << each.most_units << ",1\n";
  auto addon = opened(tables / "addon.csv", "addon,primary,type");
  for (const auto& [extra, primary] : population.addons) addon << code(extra) << ',' << code(primary) << ",1\n";
  auto listed = opened(tables / "pa_list.csv", "payer_id,code");
  for (std::size_t payer = 0; payer < population.payers.size(); ++payer)
    for (std::size_t i = 0; i < codes.size(); ++i)
      if (encounters.authorization_listed(static_cast<int>(payer), static_cast<int>(i))) listed << population.payers[payer].id << ',' << codes[i].code << '\n';
  auto modifiers = opened(tables / "modifiers.csv", "modifier,distinct");
  for (const char* modifier : {"25,1", "26,0", "57,1", "59,1", "76,0", "77,0", "91,1", "TC,0", "GP,0", "XE,1", "XP,1", "XS,1", "XU,1"}) modifiers << modifier << '\n';
  auto fees = opened(tables / "fees.csv", "code,from,fee_cents,kind");
  for (const Code& each : codes) {
    constexpr const char* kKinds[] = {"visit", "procedure", "surgery", "imaging", "laboratory", "therapy", "supply"};
    double fee = each.fee;
    for (int year = 2024; year <= 2027; ++year, fee *= 1 - 0.012)
      fees << each.code << ',' << year << "-01-01," << std::llround(fee) << ',' << kKinds[static_cast<std::size_t>(each.kind)] << '\n';
  }
}

}  // namespace tideover::claimsim
