#include "core/tables/table_file_cache.hpp"

#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include "core/crypto/primitives/encoding.hpp"
#include "core/crypto/primitives/sha256.hpp"

namespace tideover::tables {
namespace {

bool read_whole(const std::filesystem::path& file, std::string& text) {
  std::error_code failed;
  const auto size = std::filesystem::file_size(file, failed);
  if (failed || size > kLargestTableFile) return false;
  std::ifstream in(file, std::ios::binary);
  text.resize(size);
  in.read(text.data(), static_cast<std::streamsize>(size));
  return static_cast<std::uintmax_t>(in.gcount()) == size && in.peek() == std::ifstream::traits_type::eof();
}

/// All input that determines how the same bytes are read.
std::string fingerprint(const Schema& schema, const Provenance& provenance) {
  std::string text = provenance.sha256 + '|' + provenance.file + '|' + provenance.edition + '|' + schema.table;
  for (const auto& column : schema.columns) {
    text += '|' + column.name + ':' + std::to_string(static_cast<int>(column.type)) + (column.may_be_empty ? "?" : "");
    for (const auto& header : column.headers) text += ',' + header;
  }
  for (const auto key : schema.key) text += '|' + std::to_string(key);
  return text + '|' + std::to_string(schema.from.value_or(kMostColumns)) + '|' +
         std::to_string(schema.to.value_or(kMostColumns));
}

}  // namespace

bool TableFileCache::look_at(const std::filesystem::path& file, Stamp& stamp) {
  struct stat found {};
  if (::stat(file.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return false;
  stamp = {found.st_dev, found.st_ino, static_cast<std::uint64_t>(found.st_size),
           found.st_ctim.tv_sec * 1'000'000'000 + found.st_ctim.tv_nsec};
  return true;
}

std::string TableFileCache::digest_of(const std::filesystem::path& file) {
  Stamp stamp;
  if (!look_at(file, stamp)) return {};
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = digests_.find(file); known != digests_.end() && known->second.stamp == stamp)
      return known->second.sha256;
  }
  std::string text;
  if (!read_whole(file, text)) return {};
  auto sha256 = crypto::hex_encode(crypto::sha256(text));
  const std::lock_guard lock(mutex_);
  digests_[file] = {stamp, sha256};
  return sha256;
}

std::shared_ptr<const TableReading> TableFileCache::read(const std::filesystem::path& file, const Schema& schema,
                                                         const Provenance& provenance) {
  auto made_of = fingerprint(schema, provenance);
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = readings_.find(file); known != readings_.end() && known->second.made_of == made_of)
      return known->second.reading;
  }
  std::string text;
  auto reading = std::make_shared<TableReading>();
  if (!read_whole(file, text) || crypto::hex_encode(crypto::sha256(text)) != provenance.sha256) {
    *reading = read_table({}, schema, provenance);
    reading->faults = {{0, 0, "changed while it was read", {}}};
    return reading;
  }
  *reading = read_table(text, schema, provenance);
  const std::lock_guard lock(mutex_);
  readings_[file] = {std::move(made_of), reading};
  return reading;
}

}  // namespace tideover::tables
