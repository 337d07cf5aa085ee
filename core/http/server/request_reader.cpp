#include "core/http/server/request_reader.hpp"

#include <utility>

namespace tideover::http {

RequestReader::RequestReader(const ServerLimits& limits, const BodyLimit& body_limit, std::string client_address)
    : limits_(limits), body_limit_(body_limit), client_address_(std::move(client_address)) {
  start();
}

void RequestReader::start() {
  parser_.emplace(limits_);
  parser_->head().request.client_address = client_address_;
  body_.reset();
  stage_ = Stage::idle;
}

RequestReader::Stage RequestReader::advance(std::string& input) {
  if (stage_ == Stage::idle && !input.empty()) stage_ = Stage::head;
  if (stage_ == Stage::head) {
    switch (parser_->advance(input)) {
      case HeadParser::Result::incomplete:
        break;
      case HeadParser::Result::refused:
        stage_ = Stage::refused;
        break;
      case HeadParser::Result::complete:
        input.erase(0, parser_->size());
        body_.emplace(parser_->head(), body_limit_(request()), limits_.header_bytes);
        stage_ = Stage::body;
        break;
    }
  }
  if (stage_ == Stage::body) {
    switch (body_->advance(input, parser_->head().request.body)) {
      case BodyReader::Result::incomplete:
        break;
      case BodyReader::Result::refused:
        stage_ = Stage::refused;
        break;
      case BodyReader::Result::complete:
        stage_ = Stage::complete;
        break;
    }
  }
  return stage_;
}

bool RequestReader::take_continue_wish(const std::string& input) {
  if (stage_ != Stage::body) return false;
  const bool wished = std::exchange(parser_->head().expects_continue, false);
  return wished && input.empty() && request().body.empty();
}

Request RequestReader::take() {
  Request request = std::move(parser_->head().request);
  start();
  return request;
}

const Refused& RequestReader::refused() const {
  return body_ ? body_->refused() : parser_->refused();
}

}  // namespace tideover::http
