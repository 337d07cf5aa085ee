#include "tests/bench/claimsim/world/tables.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
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
  for (const Payer& payer : population.payers)
    payers << payer.id << ',' << name_of(payer.payer_class) << ',' << payer.timely_filing_days << '\n';

  // Columns as the product's own rules/tables, so that a book's tables can be dropped in as an operator's.
  auto limits = opened(tables / "payer_limits.csv", "payer_id,timely_days,follows_ncci,follows_pfs");
  for (const Payer& payer : population.payers) limits << payer.id << ',' << payer.timely_filing_days << ",,\n";
  auto valid = opened(tables / "codes.csv", "code,from,to,sex,age_from,age_to");
  for (const Code& each : codes) valid << each.code << ",2020-01-01,,,,\n";
  auto ptp = opened(tables / "ptp.csv", "code,other,from,to,modifier");
  for (const Pair& pair : population.pairs)
    ptp << code(pair.paid) << ',' << code(pair.bundled) << ",2020-01-01,," << (pair.modifier_allowed ? 1 : 0) << '\n';
  auto mue = opened(tables / "mue.csv", "code,units,indicator");
  for (const Code& each : codes) mue << each.code << ',' << each.most_units << ",1\n";
  auto addon = opened(tables / "addon.csv", "code,primary,type");
  for (const auto& [extra, primary] : population.addons) addon << code(extra) << ',' << code(primary) << ",1\n";
  auto listed = opened(tables / "pa_list.csv", "payer_id,code,from,to");
  for (std::size_t payer = 0; payer < population.payers.size(); ++payer)
    for (std::size_t i = 0; i < codes.size(); ++i)
      if (encounters.authorization_listed(static_cast<int>(payer), static_cast<int>(i)))
        listed << population.payers[payer].id << ',' << codes[i].code << ",2020-01-01,\n";
  auto modifiers = opened(tables / "modifiers.csv", "code,ncci,repeated,anatomic");
  for (const char* modifier : {"25,y,n,n", "26,n,n,n", "57,y,n,n", "59,y,y,n", "76,n,y,n", "77,n,y,n", "91,y,y,n",
                               "TC,n,n,n", "GP,n,n,n", "XE,y,y,n", "XP,y,y,n", "XS,y,y,n", "XU,y,y,n"})
    modifiers << modifier << '\n';
  auto pfs = opened(tables / "pfs.csv",
                    "code,modifier,status,work,pe_nonfacility,pe_facility,mp,total_nonfacility,total_facility,pctc,"
                    "global_days,pre,intra,post,mult,bilat,asst,cosurg,team,endo_base,"
                    "conversion_factor");
  for (const Code& each : codes) {
    // Hundredths of a relative value that make up the fee at 33 dollars each.
    const long long total = std::max(4LL, std::llround(each.fee / 33)), work = total / 2, mp = total / 20,
                    pe = total - work - mp;
    const auto points = [](long long hundredths) {
      char text[32];
      std::snprintf(text, sizeof text, "%lld.%02lld", hundredths / 100, hundredths % 100);
      return std::string(text);
    };
    const bool surgery = each.kind == Kind::surgery;
    pfs << each.code << ",,A," << points(work) << ',' << points(pe) << ',' << points(pe) << ',' << points(mp) << ','
        << points(total) << ',' << points(total) << ',' << (each.kind == Kind::imaging ? 1 : 0) << ','
        << (surgery ? "010" : "XXX") << ",0.00,0.00,0.00," << (surgery ? 2 : 0) << ",0,0,0,0,,\n";
  }
  auto fees = opened(book / "fees.csv", "code,from,fee_cents,kind");
  for (const Code& each : codes) {
    constexpr const char* kKinds[] = {"visit", "procedure", "surgery", "imaging", "laboratory", "therapy", "supply"};
    double fee = each.fee;
    for (int year = 2024; year <= 2027; ++year, fee *= 1 - 0.012)
      fees << each.code << ',' << year << "-01-01," << std::llround(fee) << ','
           << kKinds[static_cast<std::size_t>(each.kind)] << '\n';
  }
}

}  // namespace tideover::claimsim
