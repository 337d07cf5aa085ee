#include "payer_file.hpp"

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <fstream>
#include <functional>
#include <map>

#include "words.hpp"

namespace payer_file {
namespace {

using rapidjson::Value;
using tideover::sdk::Fault;
using tideover::sdk::Pairs;
using tideover::sdk::Payer;

/// What is wrong with a value; the caller adds path, line and key.
using Problem = std::string;

constexpr int kMaxDays = 3650;
constexpr int kMaxBps = 10'000;

void read_text(const Value& value, std::string& into) {
  if (!value.IsString()) throw Problem("must be a string");
  into.assign(value.GetString(), value.GetStringLength());
}

void read_texts(const Value& value, std::vector<std::string>& into) {
  if (!value.IsArray()) throw Problem("must be a list of strings");
  for (const Value& item : value.GetArray()) read_text(item, into.emplace_back());
}

void read_pairs(const Value& value, Pairs& into) {
  if (!value.IsObject()) throw Problem("must be an object of strings");
  for (const auto& member : value.GetObject()) {
    auto& pair = into.emplace_back();
    read_text(member.name, pair.first);
    read_text(member.value, pair.second);
  }
}

void read_number(const Value& value, int lowest, int highest, int& into) {
  if (!value.IsInt() || value.GetInt() < lowest || value.GetInt() > highest)
    throw Problem("must be a whole number from " + std::to_string(lowest) + " to " + std::to_string(highest));
  into = value.GetInt();
}

void read_flag(const Value& value, bool& into) {
  if (!value.IsBool()) throw Problem("must be true or false");
  into = value.GetBool();
}

using Reader = std::function<void(const Value&, Payer&)>;

const std::map<std::string, Reader>& readers() {
  static const std::map<std::string, Reader> table{
      {"payer_id", [](const Value& v, Payer& p) { read_text(v, p.payer_id); }},
      {"name", [](const Value& v, Payer& p) { read_text(v, p.name); }},
      {"short_name", [](const Value& v, Payer& p) { read_text(v, p.short_name); }},
      {"aliases", [](const Value& v, Payer& p) { read_texts(v, p.aliases); }},
      {"identifiers", [](const Value& v, Payer& p) { read_pairs(v, p.identifiers); }},
      {"ein", [](const Value& v, Payer& p) { read_texts(v, p.ein); }},
      {"coverage_types", [](const Value& v, Payer& p) { read_texts(v, p.coverage_types); }},
      {"programs", [](const Value& v, Payer& p) { read_texts(v, p.programs); }},
      {"states", [](const Value& v, Payer& p) { read_texts(v, p.states); }},
      {"transactions", [](const Value& v, Payer& p) { read_pairs(v, p.transactions); }},
      {"status", [](const Value& v, Payer& p) { read_text(v, p.status); }},
      {"updated_at", [](const Value& v, Payer& p) { read_text(v, p.updated_at); }},
      {"supports_advance", [](const Value& v, Payer& p) { read_flag(v, p.supports_advance); }},
      {"timely_filing_days", [](const Value& v, Payer& p) { read_number(v, 1, kMaxDays, p.timely_filing_days); }},
      {"denial_bps", [](const Value& v, Payer& p) { read_number(v, 0, kMaxBps, p.denial_bps); }},
      {"allowed_bps", [](const Value& v, Payer& p) { read_number(v, 0, kMaxBps, p.allowed_bps); }},
      {"patient_share_bps", [](const Value& v, Payer& p) { read_number(v, 0, kMaxBps, p.patient_share_bps); }},
      {"median_days_to_pay", [](const Value& v, Payer& p) { read_number(v, 1, kMaxDays, p.median_days_to_pay); }},
      {"p80_days_to_pay", [](const Value& v, Payer& p) { read_number(v, 1, kMaxDays, p.p80_days_to_pay); }},
  };
  return table;
}

std::string known_keys() {
  std::string keys;
  for (const auto& [key, reader] : readers()) keys += (keys.empty() ? "" : ", ") + key;
  return keys;
}

Payer read_payer(const std::string& line) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseValidateEncodingFlag | rapidjson::kParseIterativeFlag>(line.data(), line.size());
  if (document.HasParseError())
    throw Problem("column " + std::to_string(document.GetErrorOffset() + 1) + ": " +
                  rapidjson::GetParseError_En(document.GetParseError()));
  if (!document.IsObject()) throw Problem("each line must be one JSON object");
  Payer payer;
  std::map<std::string, bool> seen;
  for (const auto& member : document.GetObject()) {
    const std::string key(member.name.GetString(), member.name.GetStringLength());
    const auto reader = readers().find(key);
    if (reader == readers().end()) throw Problem("unknown key '" + key + "'; the keys are " + known_keys());
    if (!seen.emplace(key, true).second) throw Problem("key '" + key + "' is duplicate");
    try {
      reader->second(member.value, payer);
    } catch (const Problem& problem) {
      throw Problem("'" + key + "' " + problem);
    }
  }
  if (payer.payer_id.empty()) throw Problem("'payer_id' is missing");
  if (payer.name.empty()) throw Problem("'name' is missing");
  if (payer.status != "active" && payer.status != "inactive") throw Problem("'status' must be active or inactive");
  if (payer.p80_days_to_pay < payer.median_days_to_pay)
    throw Problem("'p80_days_to_pay' must not be less than 'median_days_to_pay'");
  if (payer.short_name.empty()) payer.short_name = payer.name;
  return payer;
}

}  // namespace

std::vector<Payer> load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Fault(TIDEOVER_FAULT_INVALID_CONFIG, "cannot read the payer file " + path + " (setting 'path')");
  std::vector<Payer> payers;
  std::map<std::string, std::int64_t> line_of_name;  // folded id or alias -> where it was first given
  std::string text;
  for (std::int64_t line = 1; std::getline(file, text); ++line) {
    if (line == 1 && text.compare(0, 3, "\xEF\xBB\xBF") == 0) text.erase(0, 3);  // byte order mark
    if (!text.empty() && text.back() == '\r') text.pop_back();
    if (text.empty() || text.front() == '#') continue;
    try {
      Payer payer = read_payer(text);
      auto names = payer.aliases;
      names.push_back(payer.payer_id);
      for (const auto& name : names) {
        const auto [taken, is_new] = line_of_name.emplace(fold(name), line);
        if (!is_new) throw Problem("'" + name + "' is already an id or alias in line " + std::to_string(taken->second));
      }
      payers.push_back(std::move(payer));
    } catch (const Problem& problem) {
      throw Fault(TIDEOVER_FAULT_INVALID_CONFIG, path + ":" + std::to_string(line) + ": " + problem).at_line(line);
    }
  }
  if (payers.empty()) throw Fault(TIDEOVER_FAULT_INVALID_CONFIG, "the payer file " + path + " has no payer");
  return payers;
}

}  // namespace payer_file
