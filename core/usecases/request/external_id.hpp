// The client's own key of an object: the same content gets the object that has it, other content is refused.
#pragma once
#include <string>

#include "core/domain/basics/result.hpp"

namespace tideover::usecases {

/// `object`: "deposit". `id_name` and `id`: the object that has the external_id, as in its own responses.
inline domain::Error external_id_in_use(const std::string& object, std::string id_name, std::string id) {
  auto error = domain::Error::of(domain::ErrorCode::external_id_in_use,
                                 "Another " + object +
                                     " has this external_id with other content. Use a new external_id, or send the "
                                     "content of the first request.")
                   .with(std::move(id_name), std::move(id));
  error.fields.push_back({"external_id", "is in use by another " + object});
  return error;
}

}  // namespace tideover::usecases
