// A JSON text read through JSON pointers; throws with the pointer and the text where something is not as asked. Built
// on RapidJSON directly, so that tests do not read answers with the reader of the product.
#pragma once

#include <rapidjson/document.h>
#include <rapidjson/pointer.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

namespace tideover::test {

/// A value as compact JSON.
inline std::string text_of(const rapidjson::Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

/// An amount of dollars as cents; throws when it has a fraction of a cent.
inline std::int64_t cents_of(const rapidjson::Value& value) {
  if (!value.IsNumber()) throw std::runtime_error("not an amount: " + text_of(value));
  const double cents = value.GetDouble() * 100;
  if (std::fabs(cents - std::round(cents)) > 1e-4) throw std::runtime_error("not whole cents: " + text_of(value));
  return std::llround(cents);
}

class Json {
 public:
  explicit Json(const std::string& text) : document_(std::make_shared<rapidjson::Document>()), text_(text) {
    document_->Parse<rapidjson::kParseFullPrecisionFlag>(text.data(), text.size());
    if (document_->HasParseError()) throw std::runtime_error("not JSON: " + text);
  }

  rapidjson::Document& document() { return *document_; }
  const rapidjson::Value& root() const { return *document_; }

  bool has(const std::string& pointer) const { return find(pointer) != nullptr; }
  const rapidjson::Value& at(const std::string& pointer) const {
    const auto* value = find(pointer);
    if (value == nullptr) throw std::runtime_error("no " + pointer + " in " + text_);
    return *value;
  }
  std::string text(const std::string& pointer) const {
    const auto& value = at(pointer);
    if (!value.IsString()) throw std::runtime_error(pointer + " is no string in " + text_);
    return {value.GetString(), value.GetStringLength()};
  }
  std::int64_t cents(const std::string& pointer) const { return cents_of(at(pointer)); }
  std::int64_t integer(const std::string& pointer) const {
    const auto& value = at(pointer);
    if (!value.IsInt64()) throw std::runtime_error(pointer + " is no whole number in " + text_);
    return value.GetInt64();
  }
  double number(const std::string& pointer) const {
    const auto& value = at(pointer);
    if (!value.IsNumber()) throw std::runtime_error(pointer + " is no number in " + text_);
    return value.GetDouble();
  }
  bool flag(const std::string& pointer) const {
    const auto& value = at(pointer);
    if (!value.IsBool()) throw std::runtime_error(pointer + " is neither true nor false in " + text_);
    return value.GetBool();
  }
  /// Elements of the array there.
  std::size_t size(const std::string& pointer) const {
    const auto& value = at(pointer);
    if (!value.IsArray()) throw std::runtime_error(pointer + " is no array in " + text_);
    return value.Size();
  }

 private:
  const rapidjson::Value* find(const std::string& pointer) const {
    return rapidjson::Pointer(pointer.data(), pointer.size()).Get(*document_);
  }

  std::shared_ptr<rapidjson::Document> document_;
  std::string text_;
};

/// A text as a JSON string, with its quotes.
inline std::string quoted(const std::string& text) {
  return text_of(rapidjson::Value(rapidjson::StringRef(text.data(), static_cast<rapidjson::SizeType>(text.size()))));
}

}  // namespace tideover::test
