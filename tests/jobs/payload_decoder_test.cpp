// Packed payloads: whole, in parts, several behind each other, cut off, damaged, and bombs.
#include "core/jobs/payload_decoder.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <zstd.h>

#include "core/domain/basics/content_coding.hpp"
#include "tests/support/gzip.hpp"

using namespace tideover;
using test::gzip;
namespace bdata = boost::unit_test::data;

namespace {

/// With its checksum; of a large window where that is asked for.
std::string zstd(const std::string& text, int window_bits = 0) {
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };
  const std::unique_ptr<ZSTD_CCtx, Free> context(ZSTD_createCCtx());
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  if (window_bits > 0) {
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, window_bits);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_contentSizeFlag, 0);
  }
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  ZSTD_inBuffer input{text.data(), text.size(), 0};
  ZSTD_outBuffer output{packed.data(), packed.size(), 0};
  // Said piece by piece, so that the packer does not know how much there is and asks for the whole window.
  if (window_bits > 0)
    BOOST_REQUIRE(!ZSTD_isError(ZSTD_compressStream2(context.get(), &output, &input, ZSTD_e_continue)));
  BOOST_REQUIRE(ZSTD_compressStream2(context.get(), &output, &input, ZSTD_e_end) == 0);
  packed.resize(output.pos);
  return packed;
}

std::string packed_by(const std::string& coding, const std::string& text) {
  return coding == "gzip" ? gzip(text) : zstd(text);
}

/// Gives so many bytes at once.
class Trickle final : public ports::ByteSource {
 public:
  Trickle(std::string_view bytes, std::size_t at_once) : rest_(bytes), at_once_(at_once) {}
  domain::Result<std::size_t> read(char* into, std::size_t capacity) override {
    const auto count = rest_.copy(into, std::min(capacity, at_once_));
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
  std::size_t at_once_;
};

domain::Result<std::string> unpacked(const std::string& coding, std::string_view packed, std::size_t at_once = 1 << 20,
                                     std::size_t wanted = 7, jobs::PayloadLimits limits = {}) {
  Trickle raw(packed, at_once);
  jobs::PayloadDecoder decoder(limits);
  auto source = decoder.decode(coding, raw);
  if (!source) return source.error();
  std::string text, piece(wanted, '\0');
  for (;;) {
    const auto count = (*source)->read(piece.data(), piece.size());
    if (!count) return count.error();
    if (*count == 0) return text;
    text.append(piece, 0, *count);
  }
}

std::string_view refusal(const domain::Result<std::string>& result) {
  BOOST_REQUIRE(!result);
  return domain::name_of(result.error().code);
}

std::string lines() {
  std::string text;
  for (int i = 0; i < 3'000; ++i) text += "a line with the number " + std::to_string(i * 7919 % 3001) + '\n';
  return text;
}

const std::vector<std::string> kPacked{"gzip", "zstd"};

}  // namespace

BOOST_AUTO_TEST_SUITE(payload_decoder)

BOOST_DATA_TEST_CASE(it_unpacks_whatever_the_size_of_the_pieces,
                     bdata::make(kPacked) * bdata::make({1, 3, 4096}) * bdata::make({1, 4096}), coding, at_once,
                     wanted) {
  const auto text = lines();
  const auto found =
      unpacked(coding, packed_by(coding, text), static_cast<std::size_t>(at_once), static_cast<std::size_t>(wanted));
  BOOST_REQUIRE(bool(found));
  BOOST_TEST((*found == text));
}

BOOST_DATA_TEST_CASE(it_says_what_it_has_read_ahead, bdata::make(kPacked), coding) {
  const auto packed = packed_by(coding, lines());
  Trickle raw(packed, 1 << 20);
  jobs::PayloadDecoder decoder{{}};
  auto source = decoder.decode(coding, raw);
  BOOST_REQUIRE(bool(source));
  std::string piece(4096, '\0');
  BOOST_REQUIRE(bool((*source)->read(piece.data(), 1)));
  BOOST_TEST((*source)->undecoded() < packed.size());
  if (coding == "gzip") BOOST_TEST((*source)->undecoded() > packed.size() / 2);  // zstd decodes a block at once
  for (auto count = (*source)->read(piece.data(), piece.size()); count && *count > 0;)
    count = (*source)->read(piece.data(), piece.size());
  BOOST_TEST((*source)->undecoded() == 0u);
}

BOOST_DATA_TEST_CASE(packed_files_may_follow_each_other, bdata::make(kPacked), coding) {
  const auto found = unpacked(coding, packed_by(coding, "one\n") + packed_by(coding, "") + packed_by(coding, "two\n"));
  BOOST_REQUIRE(bool(found));
  BOOST_TEST(*found == "one\ntwo\n");
}

BOOST_DATA_TEST_CASE(cut_off_anywhere_it_is_refused, bdata::make(kPacked), coding) {
  const auto packed = packed_by(coding, "one\ntwo\nthree\n");
  for (std::size_t size = 0; size < packed.size(); ++size)
    BOOST_TEST(refusal(unpacked(coding, packed.substr(0, size))) == "invalid_payload", size);
  BOOST_TEST(refusal(unpacked(coding, packed + "more")) == "invalid_payload");
}

BOOST_DATA_TEST_CASE(damage_is_seen_at_the_end_at_the_latest, bdata::make(kPacked), coding) {
  auto packed = packed_by(coding, lines());
  packed[packed.size() / 2] = static_cast<char>(packed[packed.size() / 2] ^ 0x10);
  const auto found = unpacked(coding, packed);
  BOOST_TEST(refusal(found) == "invalid_payload");
  BOOST_TEST(found.error().message.find("not a valid " + coding + " file") != std::string::npos);
}

BOOST_DATA_TEST_CASE(a_bomb_is_refused_by_its_ratio_and_by_its_size, bdata::make(kPacked), coding) {
  const auto packed = packed_by(coding, std::string(8 << 20, 'x'));
  BOOST_TEST(refusal(unpacked(coding, packed, 1 << 20, 4096)) == "payload_too_large");
  BOOST_TEST(refusal(unpacked(coding, packed_by(coding, lines()), 1 << 20, 4096, {10'000, 200})) ==
             "payload_too_large");
}

BOOST_AUTO_TEST_CASE(no_sender_chooses_how_much_memory_is_needed) {
  const auto text = lines();
  BOOST_TEST(bool(unpacked("zstd", zstd(text, 23))));
  BOOST_TEST(refusal(unpacked("zstd", zstd(text, 27))) == "invalid_payload");
}

BOOST_AUTO_TEST_CASE(no_other_coding_is_known) {
  for (const auto coding : domain::kContentCodings) {
    BOOST_TEST(domain::is_content_coding(coding));
    const std::string name(coding);
    BOOST_TEST(bool(unpacked(name, name == "none" ? "text" : packed_by(name, "text"))));
  }
  BOOST_TEST(!domain::is_content_coding("deflate"));
  BOOST_TEST(refusal(unpacked("deflate", "")) == "validation_error");
}

BOOST_AUTO_TEST_SUITE_END()
