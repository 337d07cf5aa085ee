#include "core/plugin_host/adapters/import_format_adapter.hpp"

#include <array>
#include <atomic>

#include "core/plugin_host/calls/lent.hpp"

namespace tideover::plugin_host {
namespace {

using domain::ErrorCode;
using domain::Result;

/// A row has at most 1 MiB in the shipped formats, so its values cannot be longer.
constexpr std::size_t kLongestValue = std::size_t{1024} * 1024;

/// One call on the plugin's thread reads several rows, up to either limit.
constexpr std::size_t kRowsAtOnce = 64;
constexpr std::size_t kBytesAtOnce = std::size_t{256} * 1024;
constexpr std::chrono::milliseconds kTimeAtOnce{50};

constexpr std::array<CallTerms::Fault, 5> kFaults{{{TIDEOVER_FAULT_INVALID_INPUT, ErrorCode::invalid_payload},
                                                   {TIDEOVER_FAULT_INVALID_MAPPING, ErrorCode::validation_error},
                                                   {TIDEOVER_FAULT_LIMIT, ErrorCode::payload_too_large},
                                                   {TIDEOVER_FAULT_DEADLINE, ErrorCode::service_unavailable},
                                                   {TIDEOVER_FAULT_UNAVAILABLE, ErrorCode::service_unavailable}}};
constexpr CallTerms kOpen{"open", false, false, ErrorCode::internal_error, kFaults};
constexpr CallTerms kAcknowledge{"acknowledge", false, true, ErrorCode::internal_error, kFaults};
constexpr CallTerms kNext{"next", false, true, ErrorCode::internal_error, kFaults};

/// The stream as the plugin reads it, and the error that ended it, if any.
struct Source {
  ports::ByteSource& source;
  std::optional<domain::Error> broken;
};

std::int64_t read_source(void* ctx, char* into, std::size_t capacity) noexcept {
  const LentContext::Use use(ctx);
  auto* source = use.target<Source>();
  if (!source || source->broken) return -1;
  try {
    auto got = source->source.read(into, capacity);
    if (got) return static_cast<std::int64_t>(*got);
    source->broken = std::move(got.error());
  } catch (const std::exception& error) {
    source->broken = domain::Error::of(ErrorCode::internal_error, error.what());
  }
  return -1;
}

/// The plugin's reader. Its last owner closes it, so it is never closed during a call.
struct OpenReader {
  explicit OpenReader(std::shared_ptr<const Plugin> given) : plugin(std::move(given)) {}
  ~OpenReader() {
    if (!handle) return;
    try {
      functions().close(handle);
    } catch (const std::exception& error) {
      plugin->count("close", "threw", plugin->label() + ", close: threw an exception: " + error.what());
    } catch (...) {
      // Also where close() ends its thread. No destructor can let that pass, so the C library then ends the process.
      plugin->count("close", "threw", plugin->label() + ", close: threw an exception");
    }
  }
  OpenReader(const OpenReader&) = delete;
  OpenReader& operator=(const OpenReader&) = delete;
  const tideover_import_format& functions() const { return plugin->functions<tideover_import_format>(); }

  const std::shared_ptr<const Plugin> plugin;
  void* handle = nullptr;
};

/// One call of close, from start to end. The caller and the call both set `one_has_gone`; the second of them decrements
/// the count of unanswered calls.
struct Closing {
  Closing(std::shared_ptr<const Plugin> given, std::shared_ptr<OpenReader> opened,
          std::shared_ptr<std::atomic<bool>> gone)
      : plugin(std::move(given)), reader(std::move(opened)), one_has_gone(std::move(gone)) {
    ++plugin->running;
  }
  ~Closing() {
    reader.reset();
    if (one_has_gone->exchange(true)) --plugin->unanswered;
    --plugin->running;
  }
  Closing(const Closing&) = delete;
  Closing& operator=(const Closing&) = delete;

  const std::shared_ptr<const Plugin> plugin;
  std::shared_ptr<OpenReader> reader;
  const std::shared_ptr<std::atomic<bool>> one_has_gone;
};

/// Input and output of one call.
struct Rows {
  std::vector<ports::ImportRow> found;
  std::size_t bytes = 0;
  std::size_t whole = 0;  // number of `found` whose call of next() returned correctly
  bool agrees = true;     // every status agrees with its record
};

void take_record(void* ctx, const tideover_record* lent) noexcept {
  in_call<Rows>(ctx, [&](Rows& rows, PluginCall& call) {
    if (rows.found.size() > rows.whole) return call.nonsense("gave more than one record");
    if (!lent || lent->size < sizeof(tideover_record)) return call.nonsense("gave a record that is too small");
    auto fields = take_pairs(lent->fields, kLongestValue);
    if (!fields || lent->line < 1) return call.nonsense("gave an invalid record");
    for (const auto& [path, value] : *fields) rows.bytes += path.size() + value.size();
    rows.found.push_back({lent->line, std::move(*fields), take_message(lent->fault), lent->byte});
  });
}

/// A 999 repeats each transaction and each fault, so it can be as long as its file.
constexpr std::size_t kLongestAnswer = std::size_t{64} << 20;

void take_acknowledgment(void* ctx, const tideover_acknowledgment* lent) noexcept {
  in_call<std::optional<ports::FileAnswer>>(ctx, [&](std::optional<ports::FileAnswer>& answer, PluginCall& call) {
    if (answer) return call.nonsense("gave more than one acknowledgment");
    if (!lent || lent->size < sizeof(tideover_acknowledgment)) return call.nonsense("gave a record that is too small");
    auto interchange = take_text(lent->interchange, kLongestAnswer);
    auto implementation = take_text(lent->implementation, kLongestAnswer);
    if (!interchange || !implementation || lent->last_control_number < 0)
      return call.nonsense("gave an invalid acknowledgment");
    answer = ports::FileAnswer{{std::move(*interchange), std::move(*implementation)}, lent->last_control_number};
  });
}

class Reader : public ports::ImportReader {
 public:
  Reader(const std::shared_ptr<const Plugin>& plugin, std::chrono::milliseconds budget, ports::ByteSource& source)
      : plugin_(plugin),
        budget_(budget),
        source_{source, {}},
        context_(&source_, plugin),
        lent_source_(
            context_.lend(tideover_byte_source{sizeof(tideover_byte_source), 0, context_.ctx(), &read_source})),
        reader_(std::make_shared<OpenReader>(plugin)) {}
  ~Reader() override {
    if (!reader_) return;
    const auto one_has_gone = std::make_shared<std::atomic<bool>>(false);
    auto closing = std::make_shared<Closing>(plugin_, std::move(reader_), one_has_gone);
    if (CallThreads::shared().run_within(budget_, plugin_->crash_label, "close",
                                         [closing = std::move(closing)]() mutable { closing.reset(); }))
      return;
    ++plugin_->unanswered;
    if (one_has_gone->exchange(true)) --plugin_->unanswered;  // it ended at this moment
    plugin_->count("close", "unanswered",
                   plugin_->label() + " did not answer close within " + std::to_string(budget_.count()) + " ms");
  }

  domain::Status open(const std::vector<std::pair<std::string, std::string>>& mapping) {
    struct Mapping {
      std::vector<std::pair<std::string, std::string>> texts;
      std::vector<tideover_pair> pairs;
    };
    const auto shared = std::make_shared<Mapping>(Mapping{mapping, {}});
    for (const auto& [field, header] : shared->texts) shared->pairs.push_back({lend(field), lend(header)});
    const auto call = std::make_shared<PluginCall>(plugin_, kOpen, budget_);
    const auto status = call->run(
        [reader = reader_, source = lent_source_, shared](const tideover_call* lent) {
          return reader->functions().open(reader->plugin->instance, lent, source,
                                          {shared->pairs.data(), shared->pairs.size()}, &reader->handle);
        },
        [&](tideover_status answer) {
          if (answer == TIDEOVER_OK && !reader_->handle) call->nonsense("returned no reader");
        });
    if (status == TIDEOVER_OK) return {};
    return failure(*call);
  }

  Result<bool> next(ports::ImportRow& row) override {
    if (at_ == rows_.size() && !end_) read_on();
    if (at_ == rows_.size()) return *end_;
    row = std::move(rows_[at_++]);
    return true;
  }

 private:
  /// Fills `rows_`, and `end_` when no rows follow.
  void read_on() {
    const auto call = std::make_shared<PluginCall>(plugin_, kNext, budget_);
    const auto rows = std::make_shared<Rows>();
    const auto* sink =
        call->lend(tideover_record_sink{sizeof(tideover_record_sink), 0, call->context(rows.get()), &take_record});
    const auto status = call->run(
        [reader = reader_, rows, sink](const tideover_call* lent) { return read(*reader, *rows, lent, sink); },
        [&](tideover_status) {
          if (!rows->agrees) call->nonsense("the status contradicts the records");
        });
    rows_.clear();
    at_ = 0;
    if (call->returned()) {
      rows_ = std::move(rows->found);
      rows_.resize(rows->whole);
    }
    if (status == TIDEOVER_END) end_ = false;
    if (status == TIDEOVER_FAILED) end_ = failure(*call);
  }

  static tideover_status read(OpenReader& reader, Rows& rows, const tideover_call* lent,
                              const tideover_record_sink* sink) {
    const auto began = std::chrono::steady_clock::now();
    for (;;) {
      const auto status = reader.functions().next(reader.handle, lent, sink);
      const auto given = rows.found.size() - rows.whole;
      rows.agrees = status == TIDEOVER_FAILED || given == (status == TIDEOVER_OK ? 1 : 0);
      if (status != TIDEOVER_OK || !rows.agrees) return status;
      ++rows.whole;
      if (rows.whole >= kRowsAtOnce || rows.bytes >= kBytesAtOnce ||
          std::chrono::steady_clock::now() - began >= kTimeAtOnce)
        return status;
    }
  }

  /// The error of the stream takes precedence over the plugin's error.
  domain::Error failure(const PluginCall& call) {
    if (!call.returned()) {  // the call may still use the reader and closes it at its end
      context_.close();
      reader_.reset();
    }
    if (source_.broken) return *source_.broken;
    return call.error();
  }

  const std::shared_ptr<const Plugin> plugin_;
  const std::chrono::milliseconds budget_;
  Source source_;
  LentContext context_;
  const tideover_byte_source* lent_source_;
  std::shared_ptr<OpenReader> reader_;
  std::vector<ports::ImportRow> rows_;
  std::size_t at_ = 0;
  std::optional<Result<bool>> end_;  // result after the rows, once known
};

}  // namespace

Result<std::unique_ptr<ports::ImportReader>> ImportFormatAdapter::open(
    ports::ByteSource& source, const std::vector<std::pair<std::string, std::string>>& mapping) {
  const FilePlace place(*files_);
  if (!place) return FilePlace::refusal();
  auto reader = std::make_unique<Reader>(plugin_, budget_, source);
  if (auto opened = reader->open(mapping); !opened) return opened.error();
  return std::unique_ptr<ports::ImportReader>(std::move(reader));
}

Result<std::optional<ports::FileAnswer>> ImportFormatAdapter::acknowledge(std::string_view bytes,
                                                                          const ports::AnswerTerms& terms) {
  const auto& functions = plugin_->functions<tideover_import_format>();
  if (!TIDEOVER_HAS(tideover_import_format, &functions, acknowledge) || !functions.acknowledge)
    return std::optional<ports::FileAnswer>();
  const FilePlace place(*files_);
  if (!place) return FilePlace::refusal();
  const auto file = std::make_shared<const LentFile>(bytes, budget_);
  const auto call = std::make_shared<PluginCall>(plugin_, kAcknowledge, file->budget());
  const auto answer = std::make_shared<std::optional<ports::FileAnswer>>();
  const auto* sink = call->lend(tideover_acknowledgment_sink{sizeof(tideover_acknowledgment_sink), 0,
                                                             call->context(answer.get()), &take_acknowledgment});
  const auto status = call->run(
      [plugin = plugin_, answer, sink, file, terms](const tideover_call* lent) {
        return plugin->functions<tideover_import_format>().acknowledge(plugin->instance, lent, lend(file->bytes()),
                                                                       terms.last_control_number, terms.now.ms(), sink);
      },
      [&](tideover_status given) {
        if (given == TIDEOVER_OK && !*answer) call->nonsense("gave no acknowledgment");
      });
  if (status == TIDEOVER_END) return std::optional<ports::FileAnswer>();
  if (status != TIDEOVER_OK) return call->error();
  return std::move(*answer);
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
