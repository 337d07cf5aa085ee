// The files of a rule bundle at one moment, and the form of their faults. Pure data without Lua. Official tables are
// represented by their digests: their rows are read when their schemas are known.
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tables/table_file_cache.hpp"

namespace tideover::lua {

/// A fault of a rule file, in the form of a compiler message.
struct RuleFileError {
  std::string file;  // inside the bundle: "denial/timely_filing.lua"
  int line = 0;      // from 1; 0: the whole file
  int column = 0;    // from 1
  std::string message;
  std::string source_line;
  std::vector<std::string> notes{};  // further information: what a rule read

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
  std::map<std::string, TableFile> official;  // table -> the operator's file, which replaces the sample
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

/// The folder of official table files, and what is known of them.
struct TableSource {
  std::filesystem::path folder;  // empty for none
  std::shared_ptr<tables::TableFileCache> file_cache = std::make_shared<tables::TableFileCache>();
};

/// Reads ruleset.lua, params.lua and denial/ terms/ lib/ cases/ tables/ of `folder`. Ignores hidden files, subfolders,
/// and files that do not end in .lua (tables: also .csv). Refuses links that lead out of the folder. An official file
/// is named after its table: <table>.csv or <table>@<edition>.csv (or .txt).
BundleReading read_bundle(const std::filesystem::path& folder, const TableSource& source);

/// The whole bundle as one text, with official tables by their digests, and back: for stores. Its digest is the
/// bundle's. nullopt for an invalid text or another digest.
std::string pack(const Bundle& bundle);
std::optional<Bundle> unpack(std::string_view packed, std::string_view sha256);
/// The digest of its own files, without official tables.
std::string digest_of_files(const Bundle& bundle);
/// The digest of a bundle whose files were changed.
void name_anew(Bundle& bundle);
/// Finds the official files of an unpacked bundle on this machine: in the folder, or in `earlier` inside it. A missing
/// one is a fault.
void find_official(BundleReading& reading, const TableSource& source);

/// A fault with a position from Lua: "denial/x.lua:3: unexpected symbol near 'end'". Without a place it names `file`.
RuleFileError error_from_lua(const Bundle& bundle, const std::string& file, const std::string& lua_message);
/// A fault at the first occurrence of `word` in `file` as a whole word; at the start of the file when there is none.
RuleFileError error_at_word(const Bundle& bundle, const std::string& file, std::string_view word, std::string message);

}  // namespace tideover::lua
