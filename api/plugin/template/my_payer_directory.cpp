// A complete payer directory with one payer. Copy this folder, rename the class and replace the three functions.
// Thread-safe, because nothing changes after construction. Guide: api/docs/plugins/guide.md.
#include <array>

#include "tideover/payer_directory.hpp"

namespace {

namespace sdk = tideover::sdk;

class MyPayerDirectory : public sdk::PayerDirectory {
 public:
  // Every setting of the plugin. Any other setting in the configuration stops the start with a message.
  static constexpr std::array<tideover_config_key, 1> kConfigKeys{
      {{TIDEOVER_STR("payer_name"), TIDEOVER_STR("name of the one payer"), 1}}};

  MyPayerDirectory(const sdk::Host& host, const sdk::Config& config) {
    payer_.payer_id = "MY-PAYER";
    payer_.name = config.require("payer_name");
    payer_.short_name = payer_.name;
    payer_.states = {"NATIONAL"};
    host.log(TIDEOVER_LOG_INFO, "ready");
  }

  const sdk::Payer* get(std::string_view payer_id, const sdk::Deadline&) override {
    return payer_id == payer_.payer_id ? &payer_ : nullptr;
  }

  std::vector<sdk::PayerMatch> search(const sdk::PayerQuery& query, const sdk::Deadline&) override {
    const bool is_behind = payer_.payer_id > query.after;
    const bool matches = query.text.empty() ? is_behind : query.text == payer_.payer_id;
    if (!matches) return {};
    return {{&payer_, 10'000, {"payer_id"}}};
  }

  std::vector<std::string> systems() override { return {}; }

 private:
  sdk::Payer payer_;
};

}  // namespace

TIDEOVER_EXPORT_PLUGIN(tideover::sdk::PayerDirectory, MyPayerDirectory, "my_payers", "My payers", "0.1.0", "0.1.0");
