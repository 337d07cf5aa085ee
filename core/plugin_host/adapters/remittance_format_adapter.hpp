// Remittance-format plugins as a port. The payer that a file names is looked up in the payer directory, so that a draft
// has our payer_id or none. Thread-safe.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "core/plugin_host/calls/file_places.hpp"
#include "core/plugin_host/calls/host_services.hpp"
#include "core/plugin_host/calls/plugin_call.hpp"
#include "core/ports/plugins/payer_directory.hpp"
#include "core/ports/plugins/remittance_format.hpp"

namespace tideover::plugin_host {

class RemittanceFormatAdapter : public ports::RemittanceFormat {
 public:
  /// `payers` must outlive the adapter.
  RemittanceFormatAdapter(std::shared_ptr<const Plugin> plugin, ports::PayerDirectory& payers,
                          std::chrono::milliseconds budget, FileLimits limits, std::shared_ptr<FilePlaces> files)
      : plugin_(std::move(plugin)), payers_(payers), budget_(budget), limits_(limits), files_(std::move(files)) {}
  std::string_view name() const override { return plugin_->id; }
  domain::Result<std::vector<domain::LeftOutRow>> read(std::string_view bytes, const Mapping& mapping,
                                                       const Take& take) override;

 private:
  std::shared_ptr<const Plugin> plugin_;
  ports::PayerDirectory& payers_;
  const std::chrono::milliseconds budget_;
  const FileLimits limits_;
  const std::shared_ptr<FilePlaces> files_;
};

class RemittanceFormatsAdapter : public ports::RemittanceFormats {
 public:
  /// Only during loading.
  void add(std::unique_ptr<RemittanceFormatAdapter> format) { formats_.push_back(std::move(format)); }
  ports::RemittanceFormat* find(std::string_view name) override;
  std::vector<std::string> names() const override;

 private:
  std::vector<std::unique_ptr<RemittanceFormatAdapter>> formats_;
};

}  // namespace tideover::plugin_host
