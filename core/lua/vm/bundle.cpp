#include "core/lua/vm/bundle.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>

#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/primitives/sha256.hpp"
#include "core/lua/vm/closest_name.hpp"
#include "core/lua/vm/limits.hpp"

namespace tideover::lua {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOfficial =
    "official/";  // among the files of a packed bundle: digest and edition of a table file that is not in it
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::size_t kDigestCharacters = 64;
constexpr const char* kEarlier =
    "earlier";  // inside the folder of official tables: editions that only earlier bundles used

constexpr std::size_t kLongestPath =
    55;  // Lua shortens longer chunk names in its messages, and the position would be lost

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

int first_column(const std::string& line) {
  const auto at = line.find_first_not_of(" \t");
  return at == std::string::npos ? 1 : static_cast<int>(at) + 1;
}

/// Column of the first text that the message quotes and the line has ("... near 'end'", "unknown field 'claim.x'"),
/// else of the line's first character.
int column_of(const std::string& line, const std::string& message) {
  for (auto open = message.find('\''); open != std::string::npos;) {
    const auto close = message.find('\'', open + 1);
    if (close == std::string::npos) break;
    const auto at = close > open + 1 ? line.find(message.substr(open + 1, close - open - 1)) : std::string::npos;
    if (at != std::string::npos) return static_cast<int>(at) + 1;
    open = message.find('\'', close + 1);
  }
  return first_column(line);
}

std::string sample_of(const std::string& schema) {
  return "tables/" + stem_of(schema) + ".csv";
}

/// Calls `visit(path, table, edition)` for every official table file.
template <class Visit>
std::error_code for_each_official(const fs::path& folder, Visit visit) {
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const fs::path& path = at->path();
    if (path.filename().string().front() == '.' || (path.extension() != ".csv" && path.extension() != ".txt")) continue;
    const std::string stem = path.stem().string();
    const auto mark = stem.find('@');
    visit(path, stem.substr(0, mark), mark == std::string::npos ? "" : stem.substr(mark + 1));
  }
  return failed;
}

class Reader {
 public:
  Reader(const fs::path& folder, const TableSource& source) : folder_(folder), source_(source) {}

  BundleReading read() {
    std::error_code failed;
    root_ = fs::canonical(folder_, failed);
    if (failed || !fs::is_directory(root_, failed)) {
      fault(".", "the rule folder " + folder_.string() + " does not exist or is not a directory");
      return std::move(reading_);
    }
    read_folder("");
    for (const char* part : {"denial", "terms", "recourse", "lib", "cases", "tables"})
      if (fs::exists(root_ / part, failed)) read_folder(part);
    for (const char* needed : {"ruleset.lua", "params.lua"})
      if (!reading_.bundle.has(needed) && !faulty(needed)) fault(needed, "is missing");
    expect_samples();
    if (!source_.folder.empty()) find_official();
    if (reading_.errors.empty()) update_digest(reading_.bundle);
    return std::move(reading_);
  }

 private:
  void fault(const std::string& file, std::string message) {
    reading_.errors.push_back({file, 0, 0, std::move(message), {}});
  }
  bool faulty(const std::string& file) const {
    return std::any_of(reading_.errors.begin(), reading_.errors.end(), [&](const auto& e) { return e.file == file; });
  }

  void read_folder(const std::string& part) {
    std::error_code failed;
    if (!part.empty() && !inside(root_ / part)) return fault(part, "is a link to a file outside the rule folder");
    if (is_open_to_all(root_ / part))
      return fault(
          part.empty() ? "." : part,
          "is a directory that is writable by all users, so any user could change decisions; run chmod o-w on it");
    for (fs::directory_iterator at(root_ / part, failed), end; !failed && at != end; at.increment(failed)) {
      const std::string name = at->path().filename().string();
      if (name.front() == '.' ||
          (at->path().extension() != ".lua" && (part != "tables" || at->path().extension() != ".csv")) ||
          fs::is_directory(at->path(), failed))
        continue;
      if (part.empty() && name != "ruleset.lua" && name != "params.lua")
        fault(name,
              "is not allowed here: rules belong in denial/, terms/ and recourse/, shared functions in lib/, cases in "
              "cases/, "
              "schemas in tables/");
      else
        read_file(part.empty() ? name : part + "/" + name);
    }
    if (failed) fault(part.empty() ? "." : part, "cannot be listed: " + failed.message());
  }

  static bool is_open_to_all(const fs::path& path) {
    std::error_code unknown;
    const auto mode = fs::status(path, unknown).permissions();
    return !unknown && (mode & fs::perms::others_write) != fs::perms::none;
  }

  bool inside(const fs::path& path) const {
    std::error_code failed;
    const fs::path real = fs::canonical(path, failed);
    const auto parts = std::mismatch(root_.begin(), root_.end(), real.begin(), real.end());
    return !failed && parts.first == root_.end();
  }

  void read_file(const std::string& file) {
    if (file.size() > kLongestPath)
      return fault(file, "the path is longer than " + std::to_string(kLongestPath) + " characters");
    if (reading_.bundle.files.size() == kMostFiles) {
      if (!faulty("ruleset.lua"))
        fault("ruleset.lua", "the bundle has more than " + std::to_string(kMostFiles) + " files");
      return;
    }
    std::error_code failed;
    const fs::path path = root_ / file;
    if (!inside(path)) return fault(file, "is a broken link or a link to a file outside the rule folder");
    if (!fs::is_regular_file(path, failed)) return fault(file, "is not a regular file");
    if (is_open_to_all(path))
      return fault(file, "is writable by all users, so any user could change decisions; run chmod o-w on it");
    std::ifstream stream(path, std::ios::binary);
    stream.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    if (stream.bad() || (!stream.eof() && stream.gcount() == 0)) return fault(file, "cannot be read");
    const auto size = static_cast<std::size_t>(stream.gcount());
    if (size > kLargestFile) return fault(file, "is larger than " + std::to_string(kLargestFile / 1024) + " KiB");
    std::string text(buffer_.data(), size);
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) return fault(file, "is UTF-16: save it as UTF-8");
    if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());  // Lua reads it as a symbol
    reading_.bundle.files.emplace(file, std::move(text));
  }

  bool is_table(const std::string& name) const { return reading_.bundle.has("tables/" + name + ".lua"); }

  void expect_samples() {
    for (const auto& [file, text] : reading_.bundle.files)
      if (file.starts_with("tables/") && file.ends_with(".lua") && !reading_.bundle.has(sample_of(file)))
        fault(file, "needs its sample rows in " + sample_of(file) + " for the cases");
  }

  void find_official() {
    const auto failed = for_each_official(source_.folder, [&](const fs::path& path, const std::string& name,
                                                              const std::string& edition) {
      if (!is_table(name)) {
        ClosestName closest(name);
        for (const auto& [known, text] : reading_.bundle.files)
          if (known.starts_with("tables/")) closest.consider(std::string_view(known).substr(7, known.rfind('.') - 7));
        const std::string hint =
            closest.found().empty() ? "" : " (did you mean '" + std::string(closest.found()) + "'?)";
        fault(path.string(), "there is no table '" + name + "'" + hint);
      } else if (const auto known = reading_.bundle.official.find(name); known != reading_.bundle.official.end()) {
        fault(path.string(), "table '" + name + "' has another file, " + known->second.path.filename().string() +
                                 ": keep one, and move the earlier edition to " + (source_.folder / kEarlier).string());
      } else {
        note_official(name, path, edition);
      }
    });
    if (failed) fault(source_.folder.string(), "the folder of official tables cannot be listed: " + failed.message());
  }

  void note_official(const std::string& name, const fs::path& path, const std::string& edition) {
    auto sha256 = source_.file_cache->digest_of(path);
    if (sha256.empty())
      return fault(path.string(),
                   "cannot be read, or is larger than " + std::to_string(tables::kLargestTableFile >> 20) + " MiB");
    reading_.bundle.official.emplace(name, TableFile{path, {path.string(), edition, std::move(sha256)}});
  }

  fs::path folder_, root_;
  const TableSource& source_;
  BundleReading reading_;
  std::vector<char> buffer_ = std::vector<char>(kLargestFile + 1);  // one file at a time
};

RuleFileError error_at(const Bundle& bundle, const std::string& file, int line, int column, std::string message) {
  return {file, line, column, std::move(message), bundle.line_of(file, line)};
}

}  // namespace

std::string RuleFileError::text() const {
  std::string added;
  for (const auto& note : notes) added += "\n    " + note;
  if (line == 0) return file + ": " + message + added;
  std::string text = file + ':' + std::to_string(line) + ':' + std::to_string(column) + ": " + message;
  if (source_line.empty()) return text + added;
  const std::string number = std::to_string(line);
  std::string mark;
  for (int i = 1; i < column; ++i) mark += source_line[static_cast<std::size_t>(i - 1)] == '\t' ? '\t' : ' ';
  return text + "\n  " + number + " | " + source_line + "\n  " + std::string(number.size(), ' ') + " | " + mark + '^' +
         added;
}

std::string Bundle::line_of(const std::string& file, int line) const {
  const auto found = files.find(file);
  if (found == files.end() || line < 1) return {};
  std::istringstream stream(found->second);
  std::string text;
  for (int i = 0; i < line; ++i)
    if (!std::getline(stream, text)) return {};
  return text;
}

std::string stem_of(const std::string& file) {
  const auto slash = file.rfind('/');
  const auto from = slash == std::string::npos ? 0 : slash + 1;
  return file.substr(from, file.rfind('.') - from);
}

std::string pack(const Bundle& bundle) {
  std::string packed;
  const auto add = [&](const std::string& name, const std::string& text) {
    packed += name + '\0' + std::to_string(text.size()) + '\0' + text;
  };
  for (const auto& [file, text] : bundle.files) add(file, text);
  for (const auto& [name, file] : bundle.official)
    add(std::string(kOfficial) + name, file.provenance.sha256 + file.provenance.edition);
  return packed;
}

std::string digest_of_files(const Bundle& bundle) {
  Bundle own;
  own.files = bundle.files;
  update_digest(own);
  return own.sha256;
}

void update_digest(Bundle& bundle) {
  bundle.sha256 = crypto::hex_encode(crypto::sha256(pack(bundle)));
}

std::optional<Bundle> unpack(std::string_view packed, std::string_view sha256) {
  Bundle bundle;
  bundle.sha256 = crypto::hex_encode(crypto::sha256(packed));
  if (bundle.sha256 != sha256) return std::nullopt;
  const auto next_word = [&] {
    const auto end = std::min(packed.find('\0'), packed.size());
    const auto word = packed.substr(0, end);
    packed.remove_prefix(std::min(end + 1, packed.size()));
    return word;
  };
  while (!packed.empty()) {
    const std::string file(next_word());
    const auto digits = next_word();
    std::size_t size = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || size > packed.size())
      return std::nullopt;
    const std::string text(packed.substr(0, size));
    packed.remove_prefix(size);
    if (!file.starts_with(kOfficial))
      bundle.files.emplace(file, text);
    else if (text.size() < kDigestCharacters)
      return std::nullopt;
    else
      bundle.official.emplace(file.substr(kOfficial.size()),
                              TableFile{{}, {"", text.substr(kDigestCharacters), text.substr(0, kDigestCharacters)}});
  }
  return bundle;
}

void find_official(BundleReading& reading, const TableSource& source) {
  for (auto& [name, file] : reading.bundle.official) {
    const auto find_in = [&, &wanted = file, &table = name](const fs::path& folder) {
      for_each_official(folder, [&](const fs::path& path, const std::string& of, const std::string&) {
        if (of == table && source.file_cache->digest_of(path) == wanted.provenance.sha256)
          wanted.path = wanted.provenance.file = path.string();
      });
    };
    if (!source.folder.empty()) find_in(source.folder);
    if (file.path.empty() && !source.folder.empty()) find_in(source.folder / kEarlier);
    if (file.path.empty())
      reading.errors.push_back(
          {"tables/" + name + ".lua",
           0,
           0,
           "was read from an official file (edition '" + file.provenance.edition + "', sha256 " +
               file.provenance.sha256.substr(0, 12) + ") that is not in " +
               (source.folder.empty() ? "any folder of this machine: set rules.tables_folder"
                                      : source.folder.string() + ", nor in " + (source.folder / kEarlier).string()),
           {}});
  }
}

BundleReading read_bundle(const fs::path& folder, const TableSource& source) {
  return Reader(folder, source).read();
}

RuleFileError error_from_lua(const Bundle& bundle, const std::string& file, const std::string& lua_message) {
  const auto colon = lua_message.find(':');
  const auto second = colon == std::string::npos ? colon : lua_message.find(": ", colon + 1);
  if (second != std::string::npos && bundle.has(lua_message.substr(0, colon))) {
    const std::string number = lua_message.substr(colon + 1, second - colon - 1);
    if (!number.empty() && number.size() < 9 &&
        std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; })) {
      const int line = std::stoi(number);
      const std::string place = lua_message.substr(0, colon);
      std::string message = lua_message.substr(second + 2);
      const int column = column_of(bundle.line_of(place, line), message);
      return error_at(bundle, place, line, column, std::move(message));
    }
  }
  return error_at(bundle, file, 1, 1, lua_message);
}

RuleFileError error_at_word(const Bundle& bundle, const std::string& file, std::string_view word, std::string message) {
  const auto found = bundle.files.find(file);
  if (found == bundle.files.end()) return {file, 0, 0, std::move(message), {}};
  const std::string& text = found->second;
  for (std::size_t at = word.empty() ? std::string::npos : text.find(word); at != std::string::npos;
       at = text.find(word, at + 1)) {
    const bool starts = at == 0 || !is_word_character(text[at - 1]);
    const bool ends = at + word.size() == text.size() || !is_word_character(text[at + word.size()]);
    const auto line_start = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
    const auto comment = text.find("--", line_start);
    if (!starts || !ends || comment < at) continue;
    const int line =
        static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + 1;
    return error_at(bundle, file, line, static_cast<int>(at - line_start) + 1, std::move(message));
  }
  return error_at(bundle, file, 1, 1, std::move(message));
}

}  // namespace tideover::lua
