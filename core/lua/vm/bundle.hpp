// The files of a rule bundle at one point in time, and the format of their faults. Pure data; no Lua. For official
// tables it has only the digests: their rows are read once their schemas are known.
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tables/table_file_cache.hpp"

namespace tideover::lua {

/// A fault of a rule file, in the format of a compiler message.
struct RuleFileError {
  std::string file;  // inside the bundle: "denial/timely_filing.lua"
  int line = 0;      // from 1; 0 for the whole file
  int column = 0;    // from 1
  std::string message;
  std::string source_line;
  std::vector<std::string> notes{};  // further information, such as facts that a rule read

  /// "file:line:col: message", then the line with a mark under the column, then the notes.
  std::string text() const;
};

/// A file with the rows of a table.
struct TableFile {
  std::filesystem::path path;
  tables::Provenance provenance;
};

struct Bundle {
  std::map<std::string, std::string> files;   // path inside the bundle -> text
  std::map<std::string, TableFile> official;  // table -> the operator's official file, which replaces the sample
  std::string sha256;  // over sorted paths, texts and digests of table files; "" when reading failed

  std::string line_of(const std::string& file, int line) const;
  bool has(const std::string& file) const { return files.count(file) != 0; }
};

/// "denial/timely_filing.lua" -> "timely_filing".
std::string stem_of(const std::string& file);

struct BundleReading {
  Bundle bundle;
  std::vector<RuleFileError> errors;
};

/// The location of official table files, and the known ones.
struct TableSource {
  std::filesystem::path folder;  // empty = none
  std::shared_ptr<tables::TableFileCache> file_cache = std::make_shared<tables::TableFileCache>();
};

/// Reads ruleset.lua, params.lua and denial/ terms/ recourse/ lib/ cases/ tables/ of `folder`. Ignores hidden files and
/// files that do not end in .lua (for tables also .csv); a link to a file outside the folder is a fault. An official
/// file has the name of its table: <table>.csv or <table>@<edition>.csv (or .txt). Its subfolders are ignored.
BundleReading read_bundle(const std::filesystem::path& folder, const TableSource& source);

/// The whole bundle as one text, with official tables by digest, and back: for stores. The digest of the text is that
/// of the bundle. nullopt for a text that is not a bundle or has another digest.
std::string pack(const Bundle& bundle);
std::optional<Bundle> unpack(std::string_view packed, std::string_view sha256);
/// The digest of its own files only, without that of official tables.
std::string digest_of_files(const Bundle& bundle);
/// The digest of a bundle whose files were changed.
void update_digest(Bundle& bundle);
/// Finds on this machine the official files of an unpacked bundle: in the folder, or in `earlier` inside it. A missing
/// one is a fault.
void find_official(BundleReading& reading, const TableSource& source);

/// A fault from a message of Lua with its position: "denial/x.lua:3: unexpected symbol near 'end'". Without a position
/// it is for `file`.
RuleFileError error_from_lua(const Bundle& bundle, const std::string& file, const std::string& lua_message);
/// A fault at the first position of `word` as a whole word in `file`; at the start of the file when it is missing.
RuleFileError error_at_word(const Bundle& bundle, const std::string& file, std::string_view word, std::string message);

}  // namespace tideover::lua
