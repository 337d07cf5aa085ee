// Deposit-format plugins as a port. The payer that a file names is looked up in the payer directory, so that a deposit
// has our payer_id or none. Thread-safe.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "core/plugin_host/calls/file_places.hpp"
#include "core/plugin_host/calls/plugin_call.hpp"
#include "core/ports/plugins/deposit_format.hpp"
#include "core/ports/plugins/payer_directory.hpp"

namespace tideover::plugin_host {

class DepositFormatAdapter : public ports::DepositFormat {
 public:
  /// `payers` must outlive the adapter.
  DepositFormatAdapter(std::shared_ptr<const Plugin> plugin, ports::PayerDirectory& payers,
                       std::chrono::milliseconds budget, std::shared_ptr<FilePlaces> files)
      : plugin_(std::move(plugin)), payers_(payers), budget_(budget), files_(std::move(files)) {}
  std::string_view name() const override { return plugin_->id; }
  domain::Result<domain::DepositFile> parse(std::string_view bytes) override;

 private:
  std::shared_ptr<const Plugin> plugin_;
  ports::PayerDirectory& payers_;
  const std::chrono::milliseconds budget_;
  const std::shared_ptr<FilePlaces> files_;
};

class DepositFormatsAdapter : public ports::DepositFormats {
 public:
  /// Only during loading.
  void add(std::unique_ptr<DepositFormatAdapter> format) { formats_.push_back(std::move(format)); }
  ports::DepositFormat* find(std::string_view name) override;
  std::vector<std::string> names() const override;

 private:
  std::vector<std::unique_ptr<DepositFormatAdapter>> formats_;
};

}  // namespace tideover::plugin_host
