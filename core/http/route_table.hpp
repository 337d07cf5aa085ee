// Every route of the API in one table: method, pattern, scope, what the body is. Built once, then only read.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/basics/scope.hpp"
#include "core/http/context.hpp"

namespace tideover::http {

enum class BodyKind {
  none,  // ignored where present
  json,  // required, application/json
  raw,   // the handler's own business
};

struct Route {
  std::string method;
  std::string pattern;                 // "/v1/claims/{claim_id}/status"
  std::optional<domain::Scope> scope;  // nullopt = any authenticated caller
  BodyKind body = BodyKind::none;
  RouteHandler handler;                           // either this
  RouteStarter starter = {};                      // or this
  bool is_public = false;                         // no bearer token (the token endpoint)
  bool carries_file = false;                      // the import body limit applies
  bool offers_csv = false;                        // beside JSON
  bool offers_ndjson = false;                     // what it answers; refusals are JSON all the same
  bool shows_patients = false;                    // reading it is put on record
  bool names_rules = false;                       // its answers say by which rules they were made: in a header as well
  std::optional<domain::Scope> explains_to = {};  // asked for besides with ?explain=true
  int answer_retention_days = 1;                  // how long an answer is kept under its Idempotency-Key
  std::vector<std::string> parameters = {};       // of the query; any other is refused
};

class RouteTable {
 public:
  void add(Route route);
  void add(Route route, std::vector<std::string> parameters);
  const std::vector<Route>& all() const { return routes_; }

  struct Match {
    const Route* route = nullptr;
    std::vector<std::string> path;     // decoded parameters
    std::vector<std::string> allowed;  // methods of this path, when only the method did not fit
  };
  /// `path` is raw. A malformed percent-escape matches nothing.
  Match match(std::string_view method, std::string_view path) const;

 private:
  struct Compiled {
    std::vector<std::string> segments;  // empty string = parameter
  };
  std::vector<Route> routes_;
  std::vector<Compiled> compiled_;
};

/// Percent-decoding of one path segment or query word; nullopt when malformed or not UTF-8.
std::optional<std::string> percent_decode(std::string_view text, bool plus_is_blank);

}  // namespace tideover::http
