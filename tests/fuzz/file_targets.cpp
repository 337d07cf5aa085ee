// The shipped file formats, through the plugin host as the service calls them. A plugin that breaks its contract (an
// exception, nonsense in an answer) is a fault that the host reports, and a broken promise here.
#include <algorithm>
#include <cstdlib>

#include "core/plugin_host/plugin_host.hpp"
#include "tests/fuzz/fixed_time.hpp"
#include "tests/fuzz/target.hpp"

namespace tideover::fuzz {
namespace {

std::string shipped(const char* name) {
  return std::string(TIDEOVER_BINARY_DIR "/plugins/") + name + ".so";
}

plugin_host::PluginHost& host() {
  static FixedTime time;
  static const auto made = [] {
    auto loaded = plugin_host::PluginHost::load(
        {{shipped("payer_directory_file"),
          "payer_directory",
          "",
          {{"path", TIDEOVER_SOURCE_DIR "/config/payers.jsonl"}}},
         {shipped("remittance_format_x12_835"), "remittance_format", "", {}},
         {shipped("remittance_format_csv"), "remittance_format", "", {}},
         {shipped("deposit_format_bai2"), "deposit_format", "", {}},
         {shipped("deposit_format_camt053"), "deposit_format", "", {}},
         {shipped("deposit_format_ccd_addenda"), "deposit_format", "", {}},
         {shipped("import_format_ndjson"), "import_format", "", {}},
         {shipped("import_format_csv"), "import_format", "", {}},
         {shipped("import_format_x12_837"), "import_format", "", {}}},
        {time, time, [](plugin_host::LogLevel, std::string_view, std::string_view) {},
         [](const plugin_host::PluginFault& fault) {
           if (fault.what != "late")
             throw Broken("a plugin broke its contract: " + fault.message);  // a busy machine is late
         }});
    if (!loaded) throw std::runtime_error(loaded.error().message);
    return std::move(*loaded);
  }();
  return *made;
}

class Bytes final : public ports::ByteSource {
 public:
  Bytes(std::string_view bytes, std::size_t step) : rest_(bytes), step_(step) {}
  domain::Result<std::size_t> read(char* into, std::size_t capacity) override {
    const std::size_t count = std::min({step_, capacity, rest_.size()});
    rest_.copy(into, count);
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
  const std::size_t step_;
};

void remittances(const char* format, std::string_view bytes) {
  const auto file = host().remittances().find(format)->parse(bytes, {});
  if (!file) return must(!file.error().message.empty(), "a refusal says why");
  must(!file->payments.empty() || !file->left_out.empty(),
       "a file that is read holds a payment or says what kept it out");
}

void deposits(const char* format, std::string_view bytes) {
  const auto file = host().deposits().find(format)->parse(bytes);
  if (!file) must(!file.error().message.empty(), "a refusal says why");
}

struct Reading {
  std::vector<ports::ImportRow> rows;
  std::string refusal;
  bool operator==(const Reading& other) const {
    return refusal == other.refusal && std::ranges::equal(rows, other.rows, [](const auto& left, const auto& right) {
             return left.line == right.line && left.fields == right.fields && left.fault == right.fault;
           });
  }
};

Reading rows_of(const char* format, std::string_view bytes, std::size_t step) {
  Bytes source(bytes, step);
  Reading reading;
  auto reader = host().imports().find(format)->open(source, {});
  if (!reader) {
    reading.refusal = reader.error().message;
    must(!reading.refusal.empty(), "a refusal says why");
    return reading;
  }
  for (;;) {
    ports::ImportRow row;
    const auto more = (*reader)->next(row);
    if (!more) {
      reading.refusal = more.error().message;
      must(!reading.refusal.empty(), "a refusal says why");
      return reading;
    }
    if (!*more) return reading;
    reading.rows.push_back(std::move(row));
  }
}

/// However the bytes come in, the rows are the same.
void import(const char* format, std::string_view bytes) {
  const auto whole = rows_of(format, bytes, bytes.size() + 1);
  must(whole == rows_of(format, bytes, 7), "rows do not depend on how the bytes came in");
}

}  // namespace

std::vector<Target> file_targets() {
  return {{"x12_835",
           [](std::string_view bytes) { remittances("x12_835", bytes); },
           {"tests/data/x12_835", "tests/data/x12_835/variants"}},
          {"csv_remittance", [](std::string_view bytes) { remittances("csv", bytes); }, {}},
          {"x12_837", [](std::string_view bytes) { import("x12_837", bytes); }, {}},
          {"csv", [](std::string_view bytes) { import("csv", bytes); }, {}},
          {"ndjson", [](std::string_view bytes) { import("ndjson", bytes); }, {}},
          {"bai2", [](std::string_view bytes) { deposits("bai2", bytes); }, {}},
          {"camt053", [](std::string_view bytes) { deposits("camt053", bytes); }, {}},
          {"ccd_addenda", [](std::string_view bytes) { deposits("ccd_addenda", bytes); }, {}}};
}

}  // namespace tideover::fuzz
