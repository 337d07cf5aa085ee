// The readers of heads and bodies alone, without any socket: whole input and every way to cut it must give one result.
#include <string>

#include <boost/test/unit_test.hpp>

#include "core/http/server/request_reader.hpp"
#include "tests/http/framing_corpus.hpp"

using tideover::http::Refusal;
using tideover::http::Request;
using tideover::http::RequestReader;
using tideover::http::ServerLimits;
using Stage = RequestReader::Stage;

namespace {

struct Reading {
  ServerLimits limits;
  RequestReader::BodyLimit body_limit = [](const Request&) { return std::size_t{1'024}; };
  RequestReader reader{limits, body_limit, "192.0.2.1"};
  std::string input;

  Stage feed(std::string_view bytes) {
    input.append(bytes);
    return reader.advance(input);
  }
  Stage feed_byte_by_byte(std::string_view bytes) {
    Stage stage = Stage::idle;
    for (const char c : bytes) {
      stage = feed({&c, 1});
      if (stage == Stage::refused || stage == Stage::complete) break;
    }
    return stage;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(http_framing)

BOOST_AUTO_TEST_CASE(every_bad_request_is_refused_with_a_reason) {
  for (const auto& bad : tideover::test::bad_requests()) {
    Reading reading;
    BOOST_TEST((reading.feed(bad.bytes) == Stage::refused), bad.name << " was not refused");
    if (reading.reader.advance(reading.input) != Stage::refused) continue;
    BOOST_TEST((reading.reader.refused().refusal == bad.refusal), bad.name << ": " << reading.reader.refused().reason);
    BOOST_TEST(reading.reader.refused().reason.ends_with('.'), bad.name);
  }
}

BOOST_AUTO_TEST_CASE(every_bad_request_is_refused_when_it_comes_byte_by_byte) {
  for (const auto& bad : tideover::test::bad_requests()) {
    Reading reading;
    BOOST_TEST((reading.feed_byte_by_byte(bad.bytes) == Stage::refused), bad.name << " was not refused");
    if (reading.reader.advance(reading.input) != Stage::refused) continue;
    BOOST_TEST((reading.reader.refused().refusal == bad.refusal), bad.name << ": " << reading.reader.refused().reason);
  }
}

BOOST_AUTO_TEST_CASE(a_request_is_read_into_plain_values) {
  Reading reading;
  BOOST_TEST(
      (reading.feed("PATCH /v1/claims/a%2Fb/status?x=1&y=%20?z HTTP/1.1\r\nHost: api.example:8443\r\n"
                    "content-LENGTH: 5\r\nX-One:  a b\t\r\nX-Two:\r\nx-one: c\r\n\r\nhello") == Stage::complete));
  const Request request = reading.reader.take();
  BOOST_TEST(request.method == "PATCH");
  BOOST_TEST(request.path == "/v1/claims/a%2Fb/status");
  BOOST_TEST(request.query == "x=1&y=%20?z");
  BOOST_TEST(request.body == "hello");
  BOOST_TEST(request.client_address == "192.0.2.1");
  BOOST_TEST(*request.headers.find("X-ONE") == "a b");
  BOOST_TEST(*request.headers.find("x-two") == "");
  BOOST_TEST(request.headers.count("X-One") == 2u);
  BOOST_TEST(request.headers.find("X") == nullptr);
  BOOST_TEST(reading.input.empty());
}

BOOST_AUTO_TEST_CASE(good_targets_are_split_into_path_and_query) {
  struct Target {
    std::string line, path, query;
  };
  for (const Target& target :
       {Target{"GET / HTTP/1.1", "/", ""}, Target{"GET /? HTTP/1.1", "/", ""}, Target{"GET http://h HTTP/1.1", "/", ""},
        Target{"GET HTTP://h:80?q HTTP/1.1", "/", "q"}, Target{"GET https://h/a/b?c HTTP/1.1", "/a/b", "c"},
        Target{"OPTIONS * HTTP/1.1", "*", ""}, Target{"GET //a/../b;c=1 HTTP/1.1", "//a/../b;c=1", ""},
        Target{"BREW /%41 HTTP/1.1", "/%41", ""}}) {
    Reading reading;
    BOOST_TEST((reading.feed(target.line + "\r\nHost: h\r\n\r\n") == Stage::complete), target.line);
    BOOST_TEST(reading.reader.request().path == target.path);
    BOOST_TEST(reading.reader.request().query == target.query);
  }
}

BOOST_AUTO_TEST_CASE(values_at_the_limits_are_accepted) {
  std::string fields;
  for (int i = 0; i < 99; ++i) fields += "X: 1\r\n";
  const std::string value(16 * 1024 - std::string("Host: h\r\nX: \r\n").size(), 'a');
  for (const std::string& text :
       {"GET /" + std::string(8'191, 'a') + " HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n", "GET / HTTP/1.1\r\nHost: h\r\nX: " + value + "\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1024\r\n\r\n" + std::string(1'024, 'b'),
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n400\r\n" + std::string(1'024, 'b') +
            "\r\n0\r\n\r\n"}) {
    Reading whole;
    BOOST_TEST((whole.feed(text) == Stage::complete), text.substr(0, 60));
    Reading bytes;
    BOOST_TEST((bytes.feed_byte_by_byte(text) == Stage::complete), text.substr(0, 60));
  }
}

BOOST_AUTO_TEST_CASE(chunks_are_joined_and_their_extras_dropped) {
  const std::string text =
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n"
      "5;name=\"v\"\r\nhello\r\n009\r\n\r\n0\r\n\r\n12\r\n1\r\n!\r\n0;last\r\nTrailer: x\r\nContent-Length: 3\r\n\r\n";
  Reading whole;
  BOOST_TEST((whole.feed(text) == Stage::complete));
  BOOST_TEST(whole.reader.request().body == "hello\r\n0\r\n\r\n12!");
  BOOST_TEST(whole.reader.request().headers.count("Trailer") == 0u);
  BOOST_TEST(whole.input.empty());
  for (std::size_t cut = 1; cut < text.size(); ++cut) {
    Reading parts;
    BOOST_TEST((parts.feed(text.substr(0, cut)) != Stage::complete), "cut at " << cut);
    BOOST_TEST((parts.feed(text.substr(cut)) == Stage::complete), "cut at " << cut);
    BOOST_TEST(parts.reader.request().body == "hello\r\n0\r\n\r\n12!");
  }
}

BOOST_AUTO_TEST_CASE(without_length_and_coding_the_body_is_empty) {
  Reading reading;
  BOOST_TEST((reading.feed("POST /confirm HTTP/1.1\r\nHost: h\r\n\r\nGET /next HTTP/1.1\r\n") == Stage::complete));
  BOOST_TEST(reading.reader.take().body == "");
  BOOST_TEST(reading.input == "GET /next HTTP/1.1\r\n");
}

BOOST_AUTO_TEST_CASE(the_next_request_starts_right_behind_the_body) {
  Reading reading;
  const std::string inner = "GET /inner HTTP/1.1\r\nHost: h\r\n\r\n";
  const std::string next = "GET /next HTTP/1.1\r\nHost: h\r\n\r\n";
  BOOST_TEST((reading.feed("POST /outer HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(inner.size()) +
                           "\r\n\r\n" + inner + "\r\n" + next) == Stage::complete));
  BOOST_TEST(reading.reader.take().body == inner);
  BOOST_TEST((reading.reader.advance(reading.input) == Stage::complete));  // one stray CRLF is skipped (RFC 9112 2.2)
  BOOST_TEST(reading.reader.take().path == "/next");
  BOOST_TEST((reading.reader.advance(reading.input) == Stage::idle));
}

BOOST_AUTO_TEST_CASE(the_connection_stays_as_version_and_header_say) {
  struct Wish {
    std::string version, fields;
    bool stays;
  };
  for (const Wish& wish :
       {Wish{"1.1", "", true}, Wish{"1.1", "Connection: close\r\n", false},
        Wish{"1.1", "Connection: x, Close\r\n", false}, Wish{"1.1", "Connection: keep-alive, close\r\n", false},
        Wish{"1.1", "Connection: x\r\nConnection: close\r\n", false}, Wish{"1.1", "Connection: ,\r\n", true},
        Wish{"1.0", "", false}, Wish{"1.0", "Connection: Keep-Alive\r\n", true}}) {
    Reading reading;
    BOOST_TEST(
        (reading.feed("GET / HTTP/" + wish.version + "\r\nHost: h\r\n" + wish.fields + "\r\n") == Stage::complete));
    BOOST_TEST(reading.reader.keep_alive() == wish.stays, wish.version << " " << wish.fields);
  }
}

BOOST_AUTO_TEST_CASE(any_byte_changed_never_crashes) {
  const std::string text =
      "POST /v1/x?y=1 HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5;a\r\nhello\r\n0\r\nT: 1\r\n\r\n";
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = text;
      changed[at] = static_cast<char>(byte);
      Reading whole;
      Reading bytes;
      const Stage at_once = whole.feed(changed);
      BOOST_TEST_REQUIRE((bytes.feed_byte_by_byte(changed) == at_once), "byte " << byte << " at " << at);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
