// Text packed as gzip would, for valid bodies and for invalid ones, and unpacked. By zlib itself, not by the product.
#pragma once

#include <zlib.h>

#include <stdexcept>
#include <string>

namespace tideover::test {

/// One member, packed as small as zlib can. `file_name` stands in its header where it is given. Throws where zlib has
/// no memory.
inline std::string gzip(const std::string& plain, const std::string& file_name = "") {
  constexpr int kWithGzipHeader = 15 + 16, kMostMemory = 9;
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kWithGzipHeader, kMostMemory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("zlib has no memory");
  gz_header header{};
  if (!file_name.empty()) {
    header.name = reinterpret_cast<Bytef*>(const_cast<char*>(file_name.c_str()));
    deflateSetHeader(&stream, &header);
  }
  std::string packed(deflateBound(&stream, static_cast<uLong>(plain.size())) + file_name.size() + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const bool is_whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (!is_whole) throw std::runtime_error("zlib did not end");
  return packed;
}

/// The content of one member that ends with the text. Throws where it is not valid.
inline std::string gunzip(const std::string& packed) {
  constexpr int kWithGzipHeader = 15 + 16;
  z_stream stream{};
  if (inflateInit2(&stream, kWithGzipHeader) != Z_OK) throw std::runtime_error("zlib has no memory");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string plain;
  int state = Z_OK;
  while (state == Z_OK) {
    char buffer[16 * 1024];
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof buffer;
    state = inflate(&stream, Z_NO_FLUSH);
    plain.append(buffer, sizeof buffer - stream.avail_out);
  }
  const bool is_whole = state == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  if (!is_whole) throw std::runtime_error("not one whole member of gzip");
  return plain;
}

}  // namespace tideover::test
