// Accepts a bulk file of claims and queues it (spec: POST /v1/imports/claims; contract section 8). What can be known at
// once - a broken coding, an unmapped column, a bomb - is refused at once; rows are the worker's business.
#pragma once
#include "core/ports/import_format.hpp"
#include "core/ports/payload_decoder.hpp"
#include "core/usecases/act.hpp"

namespace tideover::usecases {

struct ImportRequest {
  std::string format;
  std::string encoding = "none";
  std::string payload;  // Base64 already decoded
  std::vector<std::pair<std::string, std::string>> mapping;
  bool abort_on_error = false;
  bool auto_review = true;
  bool dry_run = false;
};

class StartImport {
 public:
  StartImport(ports::Store& store, ports::ImportFormats& formats, ports::PayloadDecoder& decoder, ports::IdSource& ids)
      : store_(store), formats_(formats), decoder_(decoder), ids_(ids) {}
  domain::Result<Answer> operator()(const Act& act, const ImportRequest& request, const Render<domain::ImportJob>& render);

 private:
  domain::Status check(const ImportRequest& request);

  ports::Store& store_;
  ports::ImportFormats& formats_;
  ports::PayloadDecoder& decoder_;
  ports::IdSource& ids_;
};

}  // namespace tideover::usecases
