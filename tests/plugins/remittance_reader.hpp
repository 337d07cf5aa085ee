// The shipped 835 reader through the host, on a day to which the samples fit.
#pragma once
#include "tests/plugins/world.hpp"

namespace tideover::plugin_test {

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  BOOST_REQUIRE_MESSAGE(!bytes.empty(), path << " is missing or empty");
  return bytes;
}

struct RemittanceReader : World {
  RemittanceReader() { set_local(2026, 11, 20, 12 * 60); }

  std::unique_ptr<plugin_host::PluginHost> host = load(
      {{shipped("payer_directory_file"), "payer_directory", "", {{"path", TIDEOVER_SOURCE_DIR "/config/payers.jsonl"}}},
       {shipped("remittance_format_x12_835"), "remittance_format", "", {}}});

  domain::Result<std::vector<domain::RemittanceDraft>> parse(std::string_view bytes) {
    auto file = host->remittances().find("x12_835")->parse(bytes, {});
    if (!file) return file.error();
    return std::move(file->payments);
  }
  std::vector<domain::RemittanceDraft> read(const std::string& bytes) {
    auto result = parse(bytes);
    if (!result) BOOST_FAIL(result.error().message);
    return std::move(*result);
  }
  domain::Error refused(std::string_view bytes, domain::ErrorCode code = domain::ErrorCode::invalid_payload) {
    auto result = parse(bytes);
    BOOST_REQUIRE(!result);
    BOOST_TEST((result.error().code == code), result.error().message);
    return result.error();
  }
};

}  // namespace tideover::plugin_test
