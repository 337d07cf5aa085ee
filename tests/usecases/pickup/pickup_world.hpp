// A world with a real watched folder and a real store. Its formats read files of one line: "REM trace cents" is a
// remittance, "DEP reference cents" a deposit; a file of claims is the one of tests/fakes/line_format.hpp. The folder
// can end the process, as an exception, at any of its calls.
#pragma once
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <utility>

#include "core/pickup/disk_folder.hpp"
#include "core/usecases/pickup/pick_up_files.hpp"
#include "core/usecases/pickup/read_pickup_files.hpp"
#include "tests/usecases/world.hpp"

namespace tideover::tests {

class LineRemittances final : public ports::RemittanceFormat, public ports::RemittanceFormats {
 public:
  std::string_view name() const override { return "rem"; }
  domain::Result<std::vector<domain::LeftOutRow>> read(std::string_view bytes, const Mapping&,
                                                       const Take& take) override {
    if (is_away) return domain::Error::of(domain::ErrorCode::service_unavailable, "The plugin is busy.");
    if (during_parse) std::exchange(during_parse, nullptr)();
    std::istringstream words{std::string(bytes)};
    std::string word;
    domain::RemittanceDraft draft;
    std::int64_t cents = 0;
    if (!(words >> word >> draft.trace_number >> cents) || word != "REM")
      return domain::Error::of(domain::ErrorCode::invalid_payload, "The file is no remittance.");
    draft.payer_id = "PAYER";
    draft.payment_date = domain::Date::from_days(20'777);
    draft.payment_amount = domain::Money::cents(cents);
    domain::RemittanceClaim claim;
    claim.claim_identifier = "CLM-" + draft.trace_number;
    claim.status = "1";
    claim.charge_amount = claim.paid_amount = domain::Money::cents(cents);
    draft.claims = {claim};
    if (auto taken = take(std::move(draft)); !taken) return taken.error();
    return std::vector<domain::LeftOutRow>();
  }
  RemittanceFormat* find(std::string_view wanted) override { return wanted == name() ? this : nullptr; }
  std::vector<std::string> names() const override { return {"rem"}; }

  bool is_away = false;
  std::function<void()> during_parse;  // runs once
};

class LineDeposits final : public ports::DepositFormat, public ports::DepositFormats {
 public:
  std::string_view name() const override { return "dep"; }
  domain::Result<domain::DepositFile> parse(std::string_view bytes) override {
    std::istringstream words{std::string(bytes)};
    std::string word;
    domain::DepositFileItem item;
    std::int64_t cents = 0;
    if (!(words >> word >> item.reference >> cents) || word != "DEP")
      return domain::Error::of(domain::ErrorCode::invalid_payload, "The file is no statement.");
    item.line = 1;
    item.deposit.payer_id = "PAYER";
    item.deposit.amount = domain::Money::cents(cents);
    item.deposit.received_date = domain::Date::from_days(20'777);
    return domain::DepositFile{{item}, {}};
  }
  DepositFormat* find(std::string_view wanted) override { return wanted == name() ? this : nullptr; }
  std::vector<std::string> names() const override { return {"dep"}; }
};

/// The lines of tests/fakes/line_format.hpp under the name of an X12 format, with answers that hold a control number.
class AnsweredLines final : public ports::ImportFormat, public ports::ImportFormats {
 public:
  std::string_view name() const override { return "x12_lines"; }
  domain::Result<std::unique_ptr<ports::ImportReader>> open(
      ports::ByteSource& source, const std::vector<std::pair<std::string, std::string>>& mapping) override {
    return lines_.open(source, mapping);
  }
  domain::Result<std::optional<ports::FileAnswer>> acknowledge(std::string_view,
                                                               const ports::AnswerTerms& terms) override {
    const auto number = std::to_string(terms.last_control_number + 1);
    return std::optional(ports::FileAnswer{{"TA1 " + number, "999 " + number}, terms.last_control_number + 1});
  }
  ImportFormat* find(std::string_view wanted) override { return wanted == name() ? this : nullptr; }
  std::vector<std::string> names() const override { return {"x12_lines"}; }

 private:
  fakes::LineFormats lines_;
};

struct ProcessEnded {};

/// Ends the process before or behind its n-th call that changes the disk.
class FragileFolder final : public ports::PickupFolder {
 public:
  explicit FragileFolder(ports::PickupFolder& real) : real_(real) {}
  void end_at(int change, bool is_done) {
    until_end_ = change;
    is_done_ = is_done;
  }
  int changes() const { return changes_; }

  domain::Result<ports::Inbox> list() override { return real_.list(); }
  domain::Result<ports::FileContent> read(const std::string& place) override {
    return step([&] { return real_.read(place); });
  }
  domain::Result<bool> exists(const std::string& place) override { return real_.exists(place); }
  domain::Status move(const std::string& from, const std::string& to) override {
    if (cannot_move) return domain::Error::of(domain::ErrorCode::service_unavailable, "Permission denied.");
    return step([&] { return real_.move(from, to); });
  }
  domain::Status write(const std::string& place, std::string_view text) override {
    return step([&] { return real_.write(place, text); });
  }
  domain::Status remove(const std::string& place) override {
    return step([&] { return real_.remove(place); });
  }
  domain::Status prune_archive(domain::Date day) override { return real_.prune_archive(day); }

  bool cannot_move = false;

 private:
  template <class Change>
  std::invoke_result_t<Change> step(Change change) {
    ++changes_;
    const bool ends = --until_end_ == 0;
    if (ends && !is_done_) throw ProcessEnded{};
    auto result = change();
    if (ends) throw ProcessEnded{};
    return result;
  }

  ports::PickupFolder& real_;
  int until_end_ = 0;
  int changes_ = 0;
  bool is_done_ = false;
};

struct PickupWorld : World {
  PickupWorld() {
    folder_path = folder / "era";
    reopen();
    start();
  }

  void reopen(std::int64_t most_bytes = 1000, bool is_own_inbox = false) {
    auto opened = pickup::DiskFolder::open({folder_path, is_own_inbox, {".part"}, most_bytes});
    BOOST_REQUIRE_MESSAGE(opened, why(opened));
    disk = std::move(*opened);
    fragile = std::make_unique<FragileFolder>(*disk);
  }
  /// A new process.
  void start() {
    terms.folder = "era";
    terms.tenant = "tenant";
    pick_up = std::make_unique<usecases::PickUpFiles>(*store, post, *fragile, clock, ids, terms);
  }
  void restart() {
    fragile->end_at(0, false);
    start();
  }
  usecases::PickupRound look() {
    return (*pick_up)([] { return false; });
  }

  void put(const std::string& name, const std::string& text) {
    std::ofstream(folder_path / "inbox" / name, std::ios::binary) << text;
  }
  std::string text_of(const std::filesystem::path& place) {
    std::ifstream file(folder_path / place, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// All files below a folder, relative to it, joined by blanks.
  std::string files(const char* where) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_path / where))
      if (!entry.is_directory()) names.insert(entry.path().lexically_relative(folder_path / where).string());
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : " ") + name;
    return text;
  }
  std::vector<domain::PickupFile> log() {
    return seen([&](const ports::Records& records) { return records.pickups().list(caller.tenant, {}, {"", 1000}); });
  }
  /// "posted duplicate ..."
  std::string statuses() {
    std::string text;
    for (const auto& file : log()) text += (text.empty() ? "" : " ") + std::string(name_of(file.status));
    return text;
  }
  std::size_t remittance_count() {
    return seen([&](const ports::Records& records) {
      return records.remittances().list(caller.tenant, {}, {"", 1000}).size();
    });
  }
  std::size_t deposit_count() {
    return seen([&](const ports::Records& records) {
      return records.deposits().list(caller.tenant, {}, {"", 1000}).size();
    });
  }

  std::filesystem::path folder_path;
  LineRemittances line_remittances;
  LineDeposits line_deposits;
  AnsweredLines answered_lines;
  usecases::PostRemittance post_remittances{*store, payers, line_remittances, digests, ids};
  usecases::PostDepositFile post_deposits{*store, line_deposits, digests, ids};
  usecases::StartImport start_imports{*store, answered_lines, decoder, digests, ids, 500'000};
  usecases::PostPickedFile post{
      *store, {line_remittances, line_deposits, answered_lines}, post_remittances, post_deposits, start_imports};
  usecases::PickupTerms terms;
  std::unique_ptr<pickup::DiskFolder> disk;
  std::unique_ptr<FragileFolder> fragile;
  std::unique_ptr<usecases::PickUpFiles> pick_up;
};

}  // namespace tideover::tests
