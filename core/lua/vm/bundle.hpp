// The files of a rule bundle as they stood at one moment, and how their faults are told. Pure data; no Lua here. Of
// official tables only the digests are here: their rows are read once their schemas are known.
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tables/table_file_cache.hpp"

namespace tideover::lua {

/// A fault of a rule file as a compiler would tell it.
struct RuleFileError {
  std::string file;  // inside the bundle: "denial/timely_filing.lua"
  int line = 0;      // from 1; 0 when the whole file is meant
  int column = 0;    // from 1
  std::string message;
  std::string source_line;
  std::vector<std::string> notes{};  // what else there is to know: what a rule read

  /// "file:line:col: message", then the line itself with a mark under the column, then the notes.
  std::string text() const;
};

/// A file with the rows of a table.
struct TableFile {
  std::filesystem::path path;
  tables::Provenance provenance;
};

struct Bundle {
  std::map<std::string, std::string> files;  // path inside the bundle -> text
  std::map<std::string, TableFile>
      official;        // table -> the file that the operator dropped in, which takes the sample's place
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

/// Where official table files lie, and what is known of them.
struct TableSource {
  std::filesystem::path folder;  // empty for none
  std::shared_ptr<tables::TableFileCache> file_cache = std::make_shared<tables::TableFileCache>();
};

/// Reads ruleset.lua, params.lua and denial/ terms/ lib/ cases/ tables/ of `folder`. Hidden files and files that do not
/// end in .lua (of tables also .csv) are left alone; a link that leads out of the folder is refused. An official file
/// is called after its table, as <table>.csv or <table>@<edition>.csv (or .txt). Folders inside are left alone.
BundleReading read_bundle(const std::filesystem::path& folder, const TableSource& source);

/// The whole bundle as one text, official tables by their digests, and back: for stores. Its digest is the bundle's. A
/// text that is none, or whose digest is another, is nullopt.
std::string pack(const Bundle& bundle);
std::optional<Bundle> unpack(std::string_view packed, std::string_view sha256);
/// The digest of its own files alone, without that of official tables.
std::string digest_of_files(const Bundle& bundle);
/// The digest of a bundle whose files were changed.
void name_anew(Bundle& bundle);
/// Where on this machine the official files lie that an unpacked bundle was made with: in the folder, or in `earlier`
/// inside it. One that is not here is a fault.
void find_official(BundleReading& reading, const TableSource& source);

/// A fault whose place Lua told: "denial/x.lua:3: unexpected symbol near 'end'". Without a place it names `file`.
RuleFileError error_from_lua(const Bundle& bundle, const std::string& file, const std::string& lua_message);
/// A fault at the first place where `word` stands in `file` as a whole word; at the file's start when it does not.
RuleFileError error_at_word(const Bundle& bundle, const std::string& file, std::string_view word, std::string message);

}  // namespace tideover::lua
