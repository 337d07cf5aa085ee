// Filters of a list that name a value of a closed set. All unknown values of a request are reported at once.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/domain/basics/result.hpp"

namespace tideover::usecases {

class FilterValues {
 public:
  /// `named(text)`. nullopt: the filter is not given, or its value is unknown and a fault.
  template <class Named>
  auto read(std::string_view parameter, const std::string& text, Named named, const std::vector<std::string>& allowed)
      -> decltype(named(text)) {
    if (text.empty()) return std::nullopt;
    auto value = named(text);
    if (!value) add_fault(parameter, allowed);
    return value;
  }

  /// Error invalid_parameter with a field for each fault; nullopt without one.
  const std::optional<domain::Error>& refusal() const { return refusal_; }

 private:
  void add_fault(std::string_view parameter, const std::vector<std::string>& allowed) {
    if (!refusal_)
      refusal_ =
          domain::Error::of(domain::ErrorCode::invalid_parameter, "A filter has an unknown value. See details.fields.");
    std::string problem = "must be one of";
    for (const auto& name : allowed) problem += (&name == &allowed.front() ? " " : ", ") + name;
    refusal_->fields.push_back({std::string(parameter), std::move(problem)});
  }

  std::optional<domain::Error> refusal_;
};

}  // namespace tideover::usecases
