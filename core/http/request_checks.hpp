// Checks of the query and the headers of a request that need no state. Pure functions.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/http/context.hpp"
#include "core/http/route_table.hpp"
#include "core/http/wire/basics/object_reader.hpp"

namespace tideover::http {

/// The decoded parameters of a query, the first value of a repeated name. Error invalid_parameter when a name or value
/// is not valid percent-encoded UTF-8.
domain::Result<std::map<std::string, std::string>> query_of(std::string_view raw);

/// Error invalid_parameter for an unknown parameter, because the result without that filter would not be the requested
/// one, and for text that is not ASCII where the parameter takes only that.
domain::Status check_parameters(const Route& route, const std::map<std::string, std::string>& query);

/// Intermediaries may choose another one of two values than this service does, so such headers are refused.
domain::Status check_single_headers(const Headers& headers);

/// Error unsupported_media_type for a body with a Content-Encoding, or of another type than the route takes.
domain::Status check_media(const Route& route, const Headers& headers);

/// Error not_acceptable when the client accepts no type of the responses of the route.
domain::Status check_accept(const Route& route, const Headers& headers);

/// The checks of a head whose caller is known: scopes, parameters, media type, in the order of their errors.
domain::Status check_allowed(const Route& route, const Context& context);

/// True when the request only computes, although its method is POST: it counts as a read and uses no Idempotency-Key.
bool is_comparison(const Route& route, const Context& context);

/// Stores the ignored fields in the context, or makes them faults when the client asked for strict handling. Returns
/// the Error for all faults; nullopt when there are none. `checked`: what a use case finds in the same request; its
/// Error has a field for each fault.
std::optional<domain::Error> settle_faults(Context& context, wire::Faults& faults, const domain::Status& checked = {});

/// For an operation without a body: puts the fields of the body into `context.ignored`. Error validation_error when the
/// client asked for strict handling.
domain::Status note_unused_body(Context& context);

}  // namespace tideover::http
