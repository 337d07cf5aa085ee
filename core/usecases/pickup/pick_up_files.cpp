#include "core/usecases/pickup/pick_up_files.hpp"

#include <algorithm>

#include "core/faults/crash_point.hpp"

namespace tideover::usecases {
namespace {

using domain::Error;
using domain::ErrorCode;
using domain::PickupFile;
using domain::PickupStatus;

constexpr std::size_t kOpenFilesAtOnce = 1000;
/// With a suffix and an id, a name stays below the 255 bytes that file systems allow.
constexpr std::size_t kLongestName = 180;
constexpr std::int64_t kFirstPauseMs = 5'000, kLongestPauseMs = 600'000;

std::string leaf_of(const std::string& place) {
  return place.substr(place.rfind('/') + 1);
}

std::string safe_name(const std::string& name) {
  return name.size() <= kLongestName ? name : name.substr(0, kLongestName);
}

std::string text_of_error(const PickupFile& file) {
  return file.error_code + ": " + file.error + '\n';
}

std::int64_t pause_after(int attempts) {
  return std::min(kLongestPauseMs, kFirstPauseMs << std::min(attempts - 1, 7));
}

}  // namespace

PickupRound PickUpFiles::operator()(const std::function<bool()>& stopping) {
  round_ = {};
  if (!find_tenant()) return std::move(round_);
  const auto open = fetch(store_, [&](const ports::Records& records) {
    return records.pickups().open_files(tenant_.id, terms_.folder, kOpenFilesAtOnce);
  });
  if (!open) {
    report(terms_.folder, open.error());
    return std::move(round_);
  }
  std::set<std::string> held;
  for (const auto& file : *open) {
    if (stopping()) return std::move(round_);
    held.insert(file.place);
    go_on_with(file);
  }
  const auto inbox = folder_.list();
  if (!inbox) {
    report(terms_.folder, inbox.error());
    return std::move(round_);
  }
  for (const auto& name : inbox->skipped)
    round_.problems.push_back("inbox/" + name + " is not a regular file and is skipped. Remove it.");
  std::erase_if(seen_, [&](const auto& seen) {
    return std::none_of(inbox->files.begin(), inbox->files.end(),
                        [&](const ports::InboxEntry& entry) { return entry.name == seen.first; });
  });
  for (const auto& entry : inbox->files) {
    if (stopping()) return std::move(round_);
    if (!held.contains("inbox/" + entry.name) && is_complete(entry)) take(entry);
  }
  if (terms_.archive_days > 0)
    if (const auto pruned = folder_.prune_archive(clock_.now().utc_date().plus(-terms_.archive_days)); !pruned)
      report("archive", pruned.error());
  return std::move(round_);
}

bool PickUpFiles::find_tenant() {
  auto tenant =
      fetch_one(store_, [&](const ports::Records& records) { return records.clients().find_tenant(terms_.tenant); });
  if (tenant && *tenant) {
    tenant_ = std::move(**tenant);
    return true;
  }
  report(terms_.folder,
         tenant ? Error::of(ErrorCode::not_found,
                            "The tenant " + terms_.tenant + " is not found. Create it with `tideover client create`.")
                : tenant.error());
  return false;
}

/// A file that the latest round, or a process that ended, has not finished.
void PickUpFiles::go_on_with(PickupFile file) {
  if (!file.target.empty()) return go_on_moving(std::move(file));
  if (file.next_attempt > clock_.now()) {
    ++round_.waiting;
    return;
  }
  const auto content = folder_.read(file.place);
  if (!content && content.error().code == ErrorCode::not_found)
    return close_missing(std::move(file), "The file was removed before it was posted.");
  if (!content && content.error().code == ErrorCode::payload_too_large) {
    quarantine(file, content.error());
    return finish(std::move(file));
  }
  if (!content) {
    ++round_.waiting;
    return report(file.place, content.error());
  }
  if (!file.sha256.empty() && content->sha256 != file.sha256)
    return close_missing(std::move(file), "The file was replaced before it was posted.");
  attempt(std::move(file), *content);
}

/// The process may have ended before or behind the move, and a new file may have the name since: also while the content
/// of the old one was posted.
void PickUpFiles::go_on_moving(PickupFile file) {
  if (file.target.empty()) return finish(std::move(file));  // it stays in quarantine
  if (file.sha256.empty()) {                                // it is too large to be compared
    const auto is_there = folder_.exists(file.target);
    return is_there && *is_there ? arrive(std::move(file)) : finish(std::move(file));
  }
  const auto moved = folder_.read(file.target);
  if (moved && moved->sha256 == file.sha256) return arrive(std::move(file));
  const auto here = folder_.read(file.place);
  const bool is_gone = here ? here->sha256 != file.sha256 : here.error().code == ErrorCode::not_found;
  if (!is_gone) return finish(std::move(file));
  file.target.clear();
  if (keep(file)) count(file);
}

/// The content is not there any more. It may be posted nevertheless, if a process ended behind the posting.
void PickUpFiles::close_missing(PickupFile file, const std::string& what) {
  const auto posted = post_.posted(tenant_.id, file.sha256);
  if (!posted) return report(file.place, posted.error());
  file.status = *posted ? PickupStatus::posted : PickupStatus::quarantined;
  if (*posted) file.result = **posted;
  file.error_code = *posted ? "" : name_of(ErrorCode::not_found);
  file.error = *posted ? "" : what;
  file.finished_at = clock_.now();
  if (keep(file)) count(file);
}

bool PickUpFiles::is_complete(const ports::InboxEntry& entry) {
  const auto now = clock_.now();
  auto& seen = seen_[entry.name];
  const bool is_same =
      seen.since.ms() != 0 && seen.bytes == entry.bytes && seen.changed_ns == entry.changed_ns && seen.since <= now;
  if (!is_same) seen = {entry.bytes, entry.changed_ns, now};
  return now >= seen.since.plus_ms(terms_.stable_for.count());
}

PickupFile PickUpFiles::new_file(const ports::InboxEntry& entry, const std::string& sha256) {
  PickupFile file;
  file.id = ids_.next<domain::PickupFileId>();
  file.folder = terms_.folder;
  file.name = entry.name;
  file.sha256 = sha256;
  file.bytes = entry.bytes;
  file.result.kind = terms_.kind;
  file.place = "inbox/" + entry.name;
  file.received_at = clock_.now();
  return file;
}

void PickUpFiles::take(const ports::InboxEntry& entry) {
  const auto content = folder_.read("inbox/" + entry.name);
  if (!content) return take_unreadable(entry, content.error());
  // It was complete when the round began, and is being written again: a later look decides.
  if (content->changed_ns != entry.changed_ns) return;
  const auto owner = fetch_one(
      store_, [&](const ports::Records& records) { return records.pickups().owner(tenant_.id, content->sha256); });
  if (!owner) return report("inbox/" + entry.name, owner.error());
  auto file = new_file(entry, content->sha256);
  file.bytes = static_cast<std::int64_t>(content->bytes.size());
  if (*owner) {
    const auto& first = **owner;
    // Another node has just taken this file.
    if (domain::is_open(first) && first.folder == file.folder && first.place == file.place) return;
    file.duplicate_of = first.id;
    file.result = first.result;
    settle(file, PickupStatus::duplicate, "archive");
  }
  const auto kept = store_.commit([&](ports::Records& records) -> domain::Status {
    records.pickups().insert(tenant_.id, file);
    return {};
  });
  // A conflict: another node was first. The next round sees its row.
  if (!kept) {
    if (kept.error().code != ErrorCode::conflict) report(file.place, kept.error());
    return;
  }
  faults::crash_point("pickup.recorded");
  return *owner ? go_on_moving(std::move(file)) : attempt(std::move(file), *content);
}

void PickUpFiles::take_unreadable(const ports::InboxEntry& entry, const Error& error) {
  if (error.code == ErrorCode::not_found) return;  // another node has moved it
  if (error.code != ErrorCode::payload_too_large) return report("inbox/" + entry.name, error);
  auto file = new_file(entry, "");
  quarantine(file, error);
  const auto kept = store_.commit([&](ports::Records& records) -> domain::Status {
    records.pickups().insert(tenant_.id, file);
    return {};
  });
  if (!kept) return report(file.place, kept.error());
  finish(std::move(file));
}

void PickUpFiles::attempt(PickupFile file, const ports::FileContent& content) {
  const auto posted = post_(context_of(file), {terms_.kind, terms_.format, content.bytes, content.sha256});
  if (posted) {
    file.result = *posted;
    settle(file, PickupStatus::posted, "archive");
  } else if (is_fault_of_file(posted.error())) {
    quarantine(file, posted.error());
  } else {
    file.status = PickupStatus::waiting;
    file.next_attempt = clock_.now().plus_ms(pause_after(++file.attempts));
    file.error_code = name_of(posted.error().code);
    file.error = posted.error().message;
    ++round_.waiting;
    report(file.place, posted.error());
  }
  if (!keep(file)) return;
  faults::crash_point("pickup.settled");
  if (file.status != PickupStatus::waiting) go_on_moving(std::move(file));
}

/// A name that exists at the target gets the id of the file behind it.
void PickUpFiles::settle(PickupFile& file, PickupStatus status, const char* where) {
  file.status = status;
  file.finished_at = clock_.now();
  if (status != PickupStatus::quarantined) file.error.clear(), file.error_code.clear();
  if (status == PickupStatus::quarantined && file.place.starts_with("quarantine/")) return;  // it stays there
  file.target = std::string(where) + '/';
  if (status != PickupStatus::quarantined) file.target += format_date(clock_.now().utc_date()) + '/';
  file.target += safe_name(file.name);
  const auto exists = folder_.exists(file.target);
  if (!exists || *exists) file.target += '.' + file.id.text();
}

void PickUpFiles::quarantine(PickupFile& file, const Error& error) {
  file.error_code = name_of(error.code);
  file.error = error.message;
  settle(file, PickupStatus::quarantined, "quarantine");
}

/// Steps 4 and 5. Each can be repeated.
void PickUpFiles::finish(PickupFile file) {
  if (file.target.empty()) {  // another attempt failed: only the reason may differ
    auto replaced = folder_.remove(file.place + ".error.txt");
    if (replaced) replaced = folder_.write(file.place + ".error.txt", text_of_error(file));
    if (!replaced) report(file.place, replaced.error());
    return count(file);
  }
  const bool has_own_name = file.target.ends_with(file.id.text());
  const auto take_own_name = [&] {
    file.target += '.' + file.id.text();
    if (keep(file)) ++round_.waiting;
  };
  if (const auto written = write_beside(file); !written) {
    // Another file has the name of its error text.
    if (written.error().code == ErrorCode::conflict && !has_own_name) return take_own_name();
    ++round_.waiting;
    return report(file.place, written.error());
  }
  const auto moved = folder_.move(file.place, file.target);
  faults::crash_point("pickup.moved");
  if (!moved && moved.error().code == ErrorCode::conflict && !has_own_name) {
    const auto there = folder_.exists(file.place);
    if (there && *there) return take_own_name();  // another file has taken the name since
  } else if (!moved) {
    // The process may have ended between the move and its row.
    const auto there = folder_.exists(file.target);
    if (moved.error().code != ErrorCode::not_found || !there || !*there) {
      ++round_.waiting;
      return report(file.place, moved.error());
    }
  }
  arrive(std::move(file));
}

void PickUpFiles::arrive(PickupFile file) {
  if (file.place.starts_with("quarantine/"))
    if (const auto removed = folder_.remove(file.place + ".error.txt"); !removed) report(file.place, removed.error());
  file.place = file.target;
  file.target.clear();
  if (keep(file)) count(file);
}

void PickUpFiles::count(const PickupFile& file) {
  if (file.status == PickupStatus::posted) ++round_.posted;
  if (file.status == PickupStatus::duplicate) ++round_.duplicates;
  if (file.status == PickupStatus::quarantined) ++round_.quarantined;
}

domain::Status PickUpFiles::write_beside(const PickupFile& file) {
  if (file.status != PickupStatus::quarantined) return write_answers(file);
  return folder_.write(file.target + ".error.txt", text_of_error(file));
}

/// The answers of the import of this content. A duplicate gets them as well: its sender may have lost the first ones.
domain::Status PickUpFiles::write_answers(const PickupFile& file) {
  if (file.result.kind != domain::PickupKind::claims || file.result.objects.empty()) return {};
  const auto job = domain::ImportJobId::parse(file.result.objects.front());
  if (!job) return {};
  const auto made = fetch_one(
      store_, [&](const ports::Records& records) { return records.pickups().acknowledgment(tenant_.id, *job); });
  if (!made) return made.error();
  if (!*made) return {};
  const auto write = [&](const char* suffix, const std::string& text) -> domain::Status {
    if (text.empty()) return {};
    const auto name = "answers/" + leaf_of(file.target);
    const auto written = folder_.write(name + suffix, text);
    if (written || written.error().code != ErrorCode::conflict) return written;
    return folder_.write(name + '.' + file.id.text() + suffix, text);
  };
  if (auto written = write(".ta1", (*made)->interchange); !written) return written;
  return write(".999", (*made)->implementation);
}

bool PickUpFiles::keep(const PickupFile& file) {
  const auto kept = store_.commit(
      [&](ports::Records& records) -> domain::Status {
        records.pickups().update(tenant_.id, file);
        return {};
      },
      ports::Priority::background);
  if (!kept) report(file.place, kept.error());
  return bool(kept);
}

void PickUpFiles::report(const std::string& place, const Error& error) {
  round_.problems.push_back(place + ": " + error.message);
}

RequestContext PickUpFiles::context_of(const PickupFile& file) const {
  return {{tenant_.id, {}, terms_.environment, tenant_.profile, {}},
          file.id.text(),
          "PICKUP " + terms_.folder,
          now_of(clock_, tenant_.id),
          std::nullopt,
          clock_.shift_of(tenant_.id)};
}

}  // namespace tideover::usecases
