// Import-format plugins as a port. The adapters are thread-safe; a reader is used by one thread at a time.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "core/plugin_host/calls/file_places.hpp"
#include "core/plugin_host/calls/plugin_call.hpp"
#include "core/ports/plugins/import_format.hpp"

namespace tideover::plugin_host {

class ImportFormatAdapter : public ports::ImportFormat {
 public:
  ImportFormatAdapter(std::shared_ptr<const Plugin> plugin, std::chrono::milliseconds budget,
                      std::shared_ptr<FilePlaces> files)
      : plugin_(std::move(plugin)), budget_(budget), files_(std::move(files)) {}
  std::string_view name() const override { return plugin_->id; }
  domain::Result<std::unique_ptr<ports::ImportReader>> open(
      ports::ByteSource& source, const std::vector<std::pair<std::string, std::string>>& mapping) override;
  domain::Result<std::optional<ports::FileAnswer>> acknowledge(std::string_view bytes,
                                                               const ports::AnswerTerms& terms) override;

 private:
  std::shared_ptr<const Plugin> plugin_;
  const std::chrono::milliseconds budget_;
  const std::shared_ptr<FilePlaces> files_;
};

class ImportFormatsAdapter : public ports::ImportFormats {
 public:
  /// Only during loading.
  void add(std::unique_ptr<ImportFormatAdapter> format) { formats_.push_back(std::move(format)); }
  ports::ImportFormat* find(std::string_view name) override;
  std::vector<std::string> names() const override;

 private:
  std::vector<std::unique_ptr<ImportFormatAdapter>> formats_;
};

}  // namespace tideover::plugin_host
