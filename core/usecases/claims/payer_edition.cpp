#include "core/usecases/claims/payer_edition.hpp"

#include <charconv>

namespace tideover::usecases {
namespace {

constexpr std::string_view kVersion = "payer-1;";

/// "<length>:<bytes>" for each value; a list follows its length.
class Writer {
 public:
  void operator()(const std::string& value) { out += std::to_string(value.size()) + ':' + value; }
  void operator()(int value) { (*this)(std::to_string(value)); }
  void operator()(bool value) { (*this)(value ? 1 : 0); }
  void operator()(const std::pair<std::string, std::string>& pair) {
    (*this)(pair.first);
    (*this)(pair.second);
  }
  template <class Value>
  void operator()(const std::vector<Value>& values) {
    (*this)(static_cast<int>(values.size()));
    for (const auto& value : values) (*this)(value);
  }
  std::string out{kVersion};
};

class Reader {
 public:
  explicit Reader(std::string_view text) : in_(text) {}
  void operator()(std::string& value) { value = next(); }
  void operator()(int& value) {
    const auto text = next();
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    sound = sound && read.ec == std::errc() && read.ptr == text.data() + text.size();
  }
  void operator()(bool& value) {
    int number = 0;
    (*this)(number);
    value = number != 0;
  }
  void operator()(std::pair<std::string, std::string>& pair) {
    (*this)(pair.first);
    (*this)(pair.second);
  }
  template <class Value>
  void operator()(std::vector<Value>& values) {
    int count = 0;
    (*this)(count);
    for (; sound && count > 0; --count) (*this)(values.emplace_back());
  }
  bool at_end() const { return in_.empty(); }
  bool sound = true;

 private:
  std::string_view next() {
    std::size_t length = 0;
    const auto read = std::from_chars(in_.data(), in_.data() + in_.size(), length);
    const auto digits = static_cast<std::size_t>(read.ptr - in_.data());
    sound = sound && read.ec == std::errc() && digits < in_.size() && in_[digits] == ':' &&
            length <= in_.size() - digits - 1;
    if (!sound) return {};
    const auto value = in_.substr(digits + 1, length);
    in_.remove_prefix(digits + 1 + length);
    return value;
  }

  std::string_view in_;
};

/// All fields that rules and forecasts may read, in this order.
template <class Visit, class Payer>
void each_value(Visit& visit, Payer& payer) {
  visit(payer.payer_id);
  visit(payer.name);
  visit(payer.short_name);
  visit(payer.aliases);
  visit(payer.identifiers);
  visit(payer.ein);
  visit(payer.coverage_types);
  visit(payer.programs);
  visit(payer.states);
  visit(payer.transactions);
  visit(payer.timely_filing_days);
  visit(payer.supports_advance);
  visit(payer.status);
  visit(payer.updated_at);
  visit(payer.rates.denial_bps);
  visit(payer.rates.allowed_bps);
  visit(payer.rates.patient_share_bps);
  visit(payer.rates.median_days_to_pay);
  visit(payer.rates.p80_days_to_pay);
}

}  // namespace

std::string text_of(const domain::Payer& payer) {
  Writer writer;
  each_value(writer, payer);
  return std::move(writer.out);
}

std::optional<domain::Payer> payer_of(std::string_view text) {
  if (!text.starts_with(kVersion)) return std::nullopt;
  Reader reader(text.substr(kVersion.size()));
  domain::Payer payer;
  each_value(reader, payer);
  if (!reader.sound || !reader.at_end()) return std::nullopt;
  return payer;
}

}  // namespace tideover::usecases
