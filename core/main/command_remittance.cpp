// tideover remittance FILE...: remittance files (835, CSV) from a disk, one after another. A notice that is known already changes
// nothing, so the same command again goes on where it stopped.
#include <fmt/core.h>

#include <limits>
#include <sstream>

#include "core/http/wire/json/writer.hpp"
#include "core/jobs/payload_decoder.hpp"
#include "core/main/admin_verbs.hpp"
#include "core/main/disk_file.hpp"
#include "core/main/progress_bar.hpp"
#include "core/main/file_desk.hpp"
#include "core/usecases/post_remittance.hpp"

namespace tideover::main {
namespace {

namespace fs = std::filesystem;

/// An operator's own file may be as large as it is, and is read into memory whole; it may still be no bomb.
constexpr std::int64_t kMostBytes = std::numeric_limits<std::int64_t>::max();
constexpr int kRatio = 1000;

std::vector<std::string> files_of(const AdminRequest& request) {
  std::vector<std::string> files;
  std::istringstream lines(request.option("files"));
  for (std::string line; std::getline(lines, line);) files.push_back(line);
  return files;
}

/// Where the command does not say it, the name of the file does.
std::string format_of(const AdminRequest& request, const fs::path& file) {
  if (const auto named = request.option("format"); !named.empty()) return named;
  return unpacked_name(file).extension() == ".csv" ? "csv" : "x12_835";
}

domain::Result<std::string> bytes_of(const fs::path& path) {
  DiskFile file(path);
  jobs::PayloadDecoder decoder({kMostBytes, kRatio});
  auto decoded = decoder.decode(coding_of(path), file);
  if (!decoded) return decoded.error();
  std::string bytes;
  std::string piece(64 * 1024, '\0');
  for (;;) {
    const auto count = (*decoded)->read(piece.data(), piece.size());
    if (!count) return count.error();
    if (*count == 0) return bytes;
    bytes.append(piece, 0, *count);
  }
}

std::string verdict(const domain::RemittanceDraft& draft) {
  const auto balance = balance_of(draft);
  return fmt::format("trace {}  {} claims  payment {}  {}", draft.trace_number.empty() ? "-" : draft.trace_number, draft.claims.size(),
                     format_money(balance.payment_amount),
                     balance.balanced() ? "balanced" : "out of balance by " + format_money(balance.difference));
}

/// What became of the files of one command.
struct Tally {
  int taken = 0, known = 0, refused = 0, left_out = 0;
  std::string errors;  // JSON Lines

  void refuse(const std::string& file, const domain::Error& error) {
    ++refused;
    note(file, error.code, error.message, 0);
    for (const auto& fault : error.fields) note(file, error.code, fault.path + ": " + fault.problem, 0);
  }
  void leave_out(const std::string& file, const domain::LeftOutRow& row) {
    ++left_out;
    note(file, domain::ErrorCode::invalid_payload, row.reason, row.line);
  }

 private:
  void note(const std::string& file, domain::ErrorCode code, const std::string& message, std::int64_t line) {
    json::Writer out(errors);
    out.begin_object().key("file").string(file);
    if (line > 0) out.key("line").number(line);
    out.key("error").string(domain::name_of(code));
    out.key("message").string(message).end_object();
    errors += '\n';
  }
};

AdminReply post_files(Desk& desk, const AdminRequest& request) {
  const auto act = act_for(desk, request.option("tenant"), "tideover remittance");
  const auto mapping = mapping_of(request.option("map"));
  const bool is_trial = !request.option("dry-run").empty();
  FileDesk parts(desk);
  const auto files = files_of(request);
  for (const auto& file : files)
    if (const auto name = format_of(request, file); !parts.plugins->remittances().find(name))
      throw StartError("There is no remittance format " + name + " in the configuration.");
  usecases::PostRemittance post(desk.store, parts.plugins->payers(), parts.plugins->remittances(), parts.digests, desk.ids);

  std::int64_t all_bytes = 0, done_bytes = 0;
  for (const auto& file : files) all_bytes += DiskFile(file).size();
  ProgressBar bar(all_bytes);
  Tally tally;
  bool is_wanted = true;
  const auto tell = [&](const std::string& line) { is_wanted = is_wanted && request.progress(line); };
  for (const auto& file : files) {
    if (!is_wanted) break;
    const auto refuse = [&](const domain::Error& refusal) {
      tally.refuse(file, refusal);
      tell(file + "  refused: " + refusal.message);
    };
    const auto bytes = bytes_of(file);
    auto read = bytes ? parts.plugins->remittances().find(format_of(request, file))->parse(*bytes, mapping) : domain::Result<domain::RemittanceFile>(bytes.error());
    if (!read) {
      refuse(read.error());
      read = domain::RemittanceFile{};
    }
    for (const auto& row : read->left_out) {
      tally.leave_out(file, row);
      tell(fmt::format("{}  line {} keeps its payment out: {}", file, row.line, row.reason));
    }
    for (auto& draft : read->payments) {  // each a unit of its own: others wait for a payment, not for the file
      if (!is_wanted) break;
      const std::string told = verdict(draft);
      if (is_trial) {
        ++tally.taken;
        tell(file + "  " + told + "  (dry run)");
        continue;
      }
      bool is_known = false;
      const auto answer = post(act, {std::move(draft)}, [&](const std::vector<usecases::PostedRemittance>& posted) {
        is_known = posted.front().seen_before;
        return posted.front().remittance.id.text();
      });
      if (!answer) {
        refuse(answer.error());
        continue;
      }
      ++(is_known ? tally.known : tally.taken);
      tell(file + "  " + answer->body + "  " + told + (is_known ? "  (known already)" : ""));
    }
    done_bytes += static_cast<std::int64_t>(fs::file_size(file));
    tell(bar.line(done_bytes, fmt::format("{} remittances, {} files refused", tally.taken + tally.known, tally.refused)));
  }
  if (const auto errors = request.option("errors"); !errors.empty()) private_file(errors) << tally.errors;
  AdminReply reply;
  reply.exit_code = tally.refused == 0 && tally.left_out == 0 && is_wanted ? 0 : 1;
  reply.out = fmt::format("remittances  {}{}\nknown        {}\nrefused      {} of {} files\nrows left out {}\n", tally.taken, is_trial ? " (dry run: nothing was kept)" : "",
                          tally.known, tally.refused, files.size(), tally.left_out);
  if (!is_wanted) reply.err = "Stopped; the same command goes on where it is.\n";
  return reply;
}

}  // namespace

std::vector<AdminVerb> remittance_verbs() {
  using Kind = AdminOption::Kind;
  return {{"",
           "Take remittance files in; files that are known already change nothing",
           {{"files", "The files, plain, gzip or zstd", "", Kind::paths},
            {"--format", "x12_835, csv or another configured one (else by the files' names)"},
            {"--map", "FIELD=HEADER[,FIELD=HEADER...]: fields of the service whose columns have other headers in the file"},
            {"--tenant", "Whose remittances, by name", "default"},
            {"--errors", "Write every refused file and its reason there, as JSON Lines", "", Kind::path},
            {"--dry-run", "Read and balance, and keep nothing", "", Kind::flag}},
           post_files}};
}

}  // namespace tideover::main
