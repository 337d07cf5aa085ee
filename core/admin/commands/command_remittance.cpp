// tideover remittance FILE...: imports remittance files (835, CSV), one after another. Each file is read twice: first
// to check it, then payment by payment, with one transaction per payment. A known remittance changes nothing, so
// repeating the command continues after a stop.
#include <fmt/core.h>

#include <fstream>
#include <sstream>

#include "core/admin/admin_verbs.hpp"
#include "core/admin/commands/disk_file.hpp"
#include "core/admin/commands/unpacked_file.hpp"
#include "core/admin/progress_bar.hpp"
#include "core/admin/store_admin_context.hpp"
#include "core/http/wire/json/writer.hpp"
#include "core/node/start_error.hpp"
#include "core/usecases/reconciliation/post_remittance.hpp"

namespace tideover::admin {
namespace {

namespace fs = std::filesystem;

/// After this many consecutive payments without database access the command ends.
constexpr int kMostUnanswered = 3;

std::vector<std::string> files_of(const AdminRequest& request) {
  std::vector<std::string> files;
  std::istringstream lines(request.option("files"));
  for (std::string line; std::getline(lines, line);) files.push_back(line);
  return files;
}

std::int64_t size_of(const std::vector<std::string>& files) {
  std::int64_t bytes = 0;
  for (const auto& file : files) bytes += DiskFile(file).size();
  return bytes;
}

/// The format option, else the file name decides.
std::string format_of(const AdminRequest& request, const fs::path& file) {
  if (const auto named = request.option("format"); !named.empty()) return named;
  return unpacked_name(file).extension() == ".csv" ? "csv" : "x12_835";
}

std::string verdict(const domain::RemittanceDraft& draft) {
  const auto balance = balance_of(draft);
  return fmt::format("trace {}  {} claims  payment {}  {}{}", draft.trace_number.empty() ? "-" : draft.trace_number,
                     draft.claims.size(), format_money(balance.payment_amount),
                     balance.balanced() ? "balanced" : "out of balance by " + format_money(balance.difference),
                     draft.is_test ? "  test file" : "");
}

/// A position in a file: a line, or the number of a payment (from 1); neither for the file itself.
struct Place {
  std::int64_t line = 0;
  std::int64_t payment = 0;
  std::string trace_number;
};

/// The results of one command's files, written to the errors file as they occur.
class Tally {
 public:
  /// `errors`: a file for JSON Lines; empty: none.
  explicit Tally(const std::string& errors) {
    if (!errors.empty()) errors_ = private_file(errors);
  }

  int taken = 0, known = 0, failed = 0, refused = 0, left_out = 0;

  void refuse(const std::string& file, const domain::Error& error) {
    ++refused;
    note(file, error, {});
  }
  void fail(const std::string& file, const Place& place, const domain::Error& error) {
    ++failed;
    note(file, error, place);
  }
  void leave_out(const std::string& file, const domain::LeftOutRow& row) {
    ++left_out;
    note(file, domain::ErrorCode::invalid_payload, row.reason, {row.line, 0, {}});
  }
  bool is_clean() const { return failed == 0 && refused == 0 && left_out == 0; }
  std::string counts() const {
    return fmt::format("{} remittances, {} failed, {} files refused", taken + known, failed, refused);
  }

 private:
  void note(const std::string& file, const domain::Error& error, const Place& place) {
    note(file, error.code, error.message, place);
    for (const auto& fault : error.fields) note(file, error.code, fault.path + ": " + fault.problem, place);
  }
  void note(const std::string& file, domain::ErrorCode code, const std::string& message, const Place& place) {
    if (!errors_.is_open()) return;
    std::string text;
    json::Writer out(text);
    out.begin_object().key("file").string(file);
    if (place.line > 0) out.key("line").number(place.line);
    if (place.payment > 0) out.key("payment").number(place.payment).key("trace_number").string(place.trace_number);
    out.key("error").string(domain::name_of(code));
    out.key("message").string(message).end_object();
    if (!(errors_ << text << '\n' << std::flush))
      throw node::StartError(
          "Cannot write to the --errors file. Imported remittances are stored; repeat the command to continue.");
  }

  std::ofstream errors_;
};

/// One run of the command over its files.
class Posting {
 public:
  Posting(AdminContext& context, const AdminRequest& request)
      : request_(request),
        files_(files_of(request)),
        bar_(size_of(files_)),
        request_context_(request_context_for(context, request.option("tenant"), "tideover remittance")),
        mapping_(mapping_of(request.option("map"))),
        is_trial_(!request.option("dry-run").empty()),
        parts_(context),
        rules_(rules_in_force(context)),
        post_(context.store, parts_.payers(), parts_.remittances(), parts_.digests(), context.ids, rules_.get()),
        tally_(request.option("errors")) {}

  AdminReply run() {
    for (const auto& file : files_)
      if (const auto name = format_of(request_, file); !parts_.remittances().find(name))
        throw node::StartError("Remittance format " + name + " is not configured.");
    for (const auto& file : files_) {
      if (!go_on()) break;
      done_bytes_ += take(file);
      tell(bar_.line(done_bytes_, tally_.counts()));
    }
    AdminReply reply;
    reply.exit_code = tally_.is_clean() && go_on() ? 0 : 1;
    reply.out = fmt::format(
        "remittances  {}{}\nknown        {}\nfailed       {}\nrefused      {} of {} files\nskipped rows {}\n",
        tally_.taken, is_trial_ ? " (dry run: nothing was stored)" : "", tally_.known, tally_.failed, tally_.refused,
        files_.size(), tally_.left_out);
    if (!is_wanted_)
      reply.err = "Stopped. Repeat the command to continue.\n";
    else if (is_lost())
      reply.err = "The database is not available. Imported remittances are stored; repeat the command to continue.\n";
    else if (tally_.failed > 0)
      reply.err = "Some payments failed. Repeat the command to import them; the others do not change.\n";
    return reply;
  }

 private:
  void tell(const std::string& line) { is_wanted_ = is_wanted_ && (line.empty() || request_.progress(line)); }

  /// Returns the size of the file at the start.
  std::int64_t take(const std::string& file) {
    const auto size = DiskFile(file).size();
    post_payments(file, size);
    return size;
  }

  void post_payments(const std::string& file, std::int64_t size) {
    const auto refuse = [&](const domain::Error& refusal) {
      tally_.refuse(file, refusal);
      tell(file + "  refused: " + refusal.message);
    };
    const auto unpacked = UnpackedFile::of(file);
    if (!unpacked) return refuse(unpacked.error());
    auto& format = *parts_.remittances().find(format_of(request_, file));
    std::size_t payments = 0;  // a dry run counts none of a refused file
    const auto left_out =
        format.read(unpacked->bytes(), mapping_, [&](const domain::RemittanceDraft& draft) -> domain::Status {
          ++payments;
          if (is_trial_) tell(file + "  " + verdict(draft) + "  (dry run)");
          return go_on();
        });
    if (!is_wanted_) return;
    if (!left_out) return refuse(left_out.error());
    for (const auto& row : *left_out) {
      tally_.leave_out(file, row);
      tell(fmt::format("{}  line {} was skipped with its payment: {}", file, row.line, row.reason));
    }
    if (is_trial_) {
      tally_.taken += static_cast<int>(payments);
      return;
    }
    std::size_t posted = 0;
    const auto read = format.read(unpacked->bytes(), mapping_, [&](domain::RemittanceDraft draft) -> domain::Status {
      post(file, ++posted, std::move(draft));
      tell(bar_.line(done_bytes_ + static_cast<std::int64_t>(static_cast<double>(size) * static_cast<double>(posted) /
                                                             static_cast<double>(payments)),
                     tally_.counts()));
      return go_on();
    });
    if (!read && go_on()) refuse(read.error());
  }

  bool is_lost() const { return unanswered_ == kMostUnanswered; }
  /// Stops reading when the caller has gone or the database is lost.
  domain::Status go_on() const {
    if (is_wanted_ && !is_lost()) return {};
    return domain::Error::of(domain::ErrorCode::conflict, "stopped");
  }

  void post(const std::string& file, std::size_t number, domain::RemittanceDraft draft) {
    const std::string summary = verdict(draft), trace_number = draft.trace_number;
    std::vector<domain::RemittanceDraft> one;
    one.push_back(std::move(draft));
    bool is_known = false;
    const auto answer =
        post_(request_context_, std::move(one), [&](const std::vector<usecases::PostedRemittance>& posted) {
          is_known = posted.front().seen_before;
          return posted.front().remittance.id.text();
        });
    const bool is_answered = answer || answer.error().code != domain::ErrorCode::service_unavailable;
    unanswered_ = is_answered ? 0 : unanswered_ + 1;
    if (!answer) {
      tally_.fail(file, {0, static_cast<std::int64_t>(number), trace_number}, answer.error());
      return tell(fmt::format("{}  payment {}  {}  failed: {}", file, number, summary, answer.error().message));
    }
    ++(is_known ? tally_.known : tally_.taken);
    tell(file + "  " + answer->body + "  " + summary + (is_known ? "  (known)" : ""));
  }

  const AdminRequest& request_;
  const std::vector<std::string> files_;
  ProgressBar bar_;
  const usecases::RequestContext request_context_;
  const std::vector<std::pair<std::string, std::string>> mapping_;
  const bool is_trial_;
  StoreAdminContext parts_;
  const std::shared_ptr<ports::RulePolicy> rules_;
  usecases::PostRemittance post_;
  Tally tally_;
  std::int64_t done_bytes_ = 0;
  int unanswered_ = 0;
  bool is_wanted_ = true;
};

AdminReply post_files(AdminContext& context, const AdminRequest& request) {
  return Posting(context, request).run();
}

}  // namespace

std::vector<AdminVerb> remittance_verbs() {
  using Kind = AdminOption::Kind;
  return {taking_long(
      {"",
       "Import remittance files, payment by payment; known remittances change nothing",
       {{"files", "The files, plain, gzip or zstd", "", Kind::paths},
        {"--format", "x12_835, csv or another configured format (default: by file name)"},
        {"--map",
         "FIELD=HEADER[,FIELD=HEADER...]: headers of the columns; file.dates, file.amounts and file.encoding "
         "describe a csv"},
        {"--tenant", "Tenant by name (default: `default`, else the only tenant)"},
        {"--errors", "Write refused files, failed payments and skipped rows to this file at once, as JSON Lines", "",
         Kind::path},
        {"--dry-run", "Check the files and store nothing", "", Kind::flag}},
       post_files})};
}

}  // namespace tideover::admin
