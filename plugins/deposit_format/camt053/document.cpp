#include "document.hpp"

#include <expat.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <vector>

#include "bank_text/lines.hpp"

namespace camt053 {
namespace {

using bank_text::fault_at;

constexpr std::string_view kNamespace = "urn:iso:std:iso:20022:tech:xsd:camt.053.001.";
constexpr std::string_view kOldestVersion = "02";
constexpr std::string_view kRoot = "Document/BkToCstmrStmt/";
constexpr std::size_t kDeepest = 40;
constexpr std::size_t kLongestValue = 8192;
constexpr std::size_t kPiece = 64 * 1024;
/// Elements between checks of the deadline.
constexpr std::int64_t kElementsPerLook = 4096;
constexpr char kSeparator = '|';

class Reader {
 public:
  Reader(const tideover::sdk::Deadline& deadline, Handler& handler)
      : parser_(XML_ParserCreateNS(nullptr, kSeparator), &XML_ParserFree), deadline_(deadline), handler_(handler) {
    if (!parser_) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const XML_Char* name, const XML_Char** attributes) {
          static_cast<Reader*>(self)->guarded([&](Reader& reader) { reader.open(name, attributes); });
        },
        [](void* self, const XML_Char*) {
          static_cast<Reader*>(self)->guarded([](Reader& reader) { reader.close(); });
        });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const XML_Char* text, int length) {
      static_cast<Reader*>(self)->guarded([&](Reader& reader) {
        reader.add({text, static_cast<std::size_t>(length)});
      });
    });
    XML_SetStartDoctypeDeclHandler(
        parser_.get(), [](void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
          static_cast<Reader*>(self)->guarded(
              [](Reader& reader) { throw fault_at(reader.line(), "the file has a document type (DOCTYPE)"); });
        });
    XML_SetXmlDeclHandler(parser_.get(), [](void* self, const XML_Char*, const XML_Char* encoding, int) {
      static_cast<Reader*>(self)->guarded([&](Reader& reader) { reader.check_encoding(encoding); });
    });
  }

  void read(std::string_view bytes) {
    if (bytes.find('\0') != std::string_view::npos)
      throw fault_at(1, "the file has a NUL byte: it is damaged, UTF-16 or not text; save it as UTF-8");
    while (true) {
      const auto piece = bytes.substr(0, kPiece);
      bytes.remove_prefix(piece.size());
      const auto status = XML_Parse(parser_.get(), piece.data(), static_cast<int>(piece.size()), bytes.empty());
      if (failure_) std::rethrow_exception(failure_);
      if (status != XML_STATUS_OK)
        throw fault_at(line(), std::string("the file is not well-formed XML: ") +
                                   XML_ErrorString(XML_GetErrorCode(parser_.get())));
      if (bytes.empty()) return;
    }
  }

 private:
  /// No exception may pass through expat: it is kept, and the parser stops.
  template <class Step>
  void guarded(Step&& step) noexcept {
    if (failure_) return;
    try {
      step(*this);
    } catch (...) {
      failure_ = std::current_exception();
      XML_StopParser(parser_.get(), XML_FALSE);
    }
  }

  std::int64_t line() const { return static_cast<std::int64_t>(XML_GetCurrentLineNumber(parser_.get())); }

  void check_encoding(const XML_Char* encoding) const {
    if (!encoding) return;
    std::string name(encoding);
    for (char& c : name)
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (name != "UTF-8" && name != "US-ASCII" && name != "ISO-8859-1")
      throw fault_at(1, "the encoding of the file is not UTF-8, US-ASCII or ISO-8859-1");
  }

  void open(std::string_view name, const XML_Char** attributes) {
    if (++elements_ % kElementsPerLook == 0 && deadline_.expired())
      throw tideover::sdk::Fault(TIDEOVER_FAULT_DEADLINE, "the time limit for reading this file was exceeded");
    if (ends_.size() == kDeepest) throw fault_at(line(), "the elements are nested more than 40 deep");
    const auto separator = name.rfind(kSeparator);
    const auto uri = separator == std::string_view::npos ? std::string_view() : name.substr(0, separator);
    const auto local = separator == std::string_view::npos ? name : name.substr(separator + 1);
    if (ends_.empty()) check_root(uri, local);
    ends_.push_back(path_.size());
    if (!path_.empty()) path_ += '/';
    // An element of another namespace gives its contents a path that nothing asks for.
    if (uri != uri_) path_ += '?';
    path_ += local.substr(0, 64);
    text_.clear();
    std::string_view currency;
    for (; attributes && attributes[0]; attributes += 2)
      if (std::string_view(attributes[0]) == "Ccy") currency = attributes[1];
    if (const auto inner = inner_path(); !inner.empty()) handler_.begin(inner, currency, line());
  }

  void close() {
    if (const auto inner = inner_path(); !inner.empty()) handler_.end(inner, text_, line());
    path_.resize(ends_.back());
    ends_.pop_back();
    text_.clear();
  }

  void add(std::string_view text) {
    if (text_.size() + text.size() > kLongestValue) throw fault_at(line(), "a value is longer than 8192 bytes");
    text_ += text;
  }

  void check_root(std::string_view uri, std::string_view local) {
    const auto version = uri.substr(std::min(uri.size(), kNamespace.size()));
    if (local != "Document" || uri.substr(0, kNamespace.size()) != kNamespace || version.size() != 2 ||
        version < kOldestVersion)
      throw fault_at(line(), "the file is not a camt.053 statement (camt.053.001.02 or later)");
    uri_ = uri;
  }

  std::string_view inner_path() const {
    const std::string_view path = path_;
    return path.substr(0, kRoot.size()) == kRoot ? path.substr(kRoot.size()) : std::string_view();
  }

  const std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser_;
  const tideover::sdk::Deadline& deadline_;
  Handler& handler_;
  std::exception_ptr failure_;
  std::string uri_;
  std::string path_;
  std::vector<std::size_t> ends_;  // lengths of path_ before each open element
  std::string text_;               // of the innermost element, since its last inner one
  std::int64_t elements_ = 0;
};

}  // namespace

void read_document(std::string_view bytes, const tideover::sdk::Deadline& deadline, Handler& handler) {
  Reader(deadline, handler).read(bytes);
}

}  // namespace camt053
