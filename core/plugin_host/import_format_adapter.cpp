#include "core/plugin_host/import_format_adapter.hpp"

#include "core/plugin_host/lent.hpp"

namespace tideover::plugin_host {
namespace {

using domain::ErrorCode;
using domain::Result;

/// A row is at most 1 MiB in the shipped formats; its values cannot be longer.
constexpr std::size_t kLongestValue = 1024 * 1024;

/// The stream as the plugin sees it, and what broke it, if anything did.
struct Source {
  ports::ByteSource& source;
  std::optional<domain::Error> broken;
};

std::int64_t read_source(void* ctx, char* into, std::size_t capacity) noexcept {
  auto& source = *static_cast<Source*>(ctx);
  try {
    if (source.broken) return -1;
    auto got = source.source.read(into, capacity);
    if (got) return static_cast<std::int64_t>(*got);
    source.broken = std::move(got.error());
  } catch (const std::exception& error) {
    source.broken = domain::Error::of(ErrorCode::internal_error, error.what());
  }
  return -1;
}

struct Rows {
  PluginCall& call;
  ports::ImportRow& row;
  int count = 0;
};

void take_record(void* ctx, const tideover_record* lent) noexcept {
  auto& rows = *static_cast<Rows*>(ctx);
  guard_sink(rows.call, [&] {
    if (++rows.count > 1) return rows.call.nonsense("gave more than one record");
    if (!lent || lent->size < sizeof(tideover_record)) return rows.call.nonsense("gave a record that is too small");
    auto fields = take_pairs(lent->fields, kLongestValue);
    auto fault = take_text(lent->fault);
    if (!fields || !fault || lent->line < 1) return rows.call.nonsense("gave a record that cannot be");
    rows.row = {lent->line, std::move(*fields), std::move(*fault)};
  });
}

class Reader : public ports::ImportReader {
 public:
  Reader(std::shared_ptr<const Plugin> plugin, std::chrono::milliseconds budget, ports::ByteSource& source)
      : plugin_(std::move(plugin)), budget_(budget), source_{source, {}} {
    lent_source_ = {sizeof lent_source_, 0, &source_, &read_source};
  }
  ~Reader() override {
    if (reader_) functions().close(reader_);
  }

  domain::Status open(const std::vector<std::pair<std::string, std::string>>& mapping) {
    std::vector<tideover_pair> pairs;
    for (const auto& [field, header] : mapping) pairs.push_back({lend(field), lend(header)});
    PluginCall call(*plugin_, "open", budget_);
    const auto status = call.run([&](const tideover_call* lent) {
      const auto answer = functions().open(plugin_->instance, lent, &lent_source_, {pairs.data(), pairs.size()}, &reader_);
      if (answer == TIDEOVER_OK && !reader_) call.nonsense("opened nothing");
      if (answer == TIDEOVER_NOT_FOUND || answer == TIDEOVER_END) call.nonsense("returned a status without meaning here");
      return answer;
    });
    if (status == TIDEOVER_OK) return {};
    return failure(call);
  }

  Result<bool> next(ports::ImportRow& row) override {
    PluginCall call(*plugin_, "next", budget_);
    Rows rows{call, row, 0};
    const tideover_record_sink sink{sizeof sink, 0, &rows, &take_record};
    const auto status = call.run([&](const tideover_call* lent) {
      const auto answer = functions().next(reader_, lent, &sink);
      if ((answer == TIDEOVER_OK && rows.count != 1) || (answer == TIDEOVER_END && rows.count != 0) ||
          answer == TIDEOVER_NOT_FOUND)
        call.nonsense("the status and the records given do not agree");
      return answer;
    });
    if (status == TIDEOVER_OK) return true;
    if (status == TIDEOVER_END) return false;
    return failure(call);
  }

 private:
  const tideover_import_format& functions() const { return plugin_->functions<tideover_import_format>(); }

  /// The stream's own reason beats what the plugin made of it.
  domain::Error failure(const PluginCall& call) const {
    if (source_.broken) return *source_.broken;
    return call.error({{TIDEOVER_FAULT_INVALID_INPUT, ErrorCode::invalid_payload},
                       {TIDEOVER_FAULT_INVALID_MAPPING, ErrorCode::validation_error},
                       {TIDEOVER_FAULT_LIMIT, ErrorCode::payload_too_large}},
                      ErrorCode::internal_error);
  }

  std::shared_ptr<const Plugin> plugin_;
  const std::chrono::milliseconds budget_;
  Source source_;
  tideover_byte_source lent_source_{};
  void* reader_ = nullptr;
};

}  // namespace

Result<std::unique_ptr<ports::ImportReader>> ImportFormatAdapter::open(
    ports::ByteSource& source, const std::vector<std::pair<std::string, std::string>>& mapping) {
  auto reader = std::make_unique<Reader>(plugin_, budget_, source);
  if (auto opened = reader->open(mapping); !opened) return opened.error();
  return std::unique_ptr<ports::ImportReader>(std::move(reader));
}

ports::ImportFormat* ImportFormatsAdapter::find(std::string_view name) {
  for (const auto& format : formats_)
    if (format->name() == name) return format.get();
  return nullptr;
}

std::vector<std::string> ImportFormatsAdapter::names() const {
  std::vector<std::string> names;
  for (const auto& format : formats_) names.emplace_back(format->name());
  return names;
}

}  // namespace tideover::plugin_host
