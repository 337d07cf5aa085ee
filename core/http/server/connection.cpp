#include "core/http/server/connection.hpp"

#include <sys/socket.h>

#include <array>
#include <cerrno>

#include "core/faults/crash_point.hpp"

namespace tideover::http {

namespace {

constexpr std::size_t kReadBytes = std::size_t{64} * 1024;
constexpr std::size_t kIdleBytes =
    std::size_t{4} * 1024;  // memory that an idle connection may keep for its next request

bool would_block() {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

}  // namespace

Connection::Connection(FileDescriptor socket, std::string client_address, const ConnectionRules& rules, Time now)
    : rules_(rules), socket_(std::move(socket)), reader_(rules.limits, rules_.body_limit, std::move(client_address)) {
  set_deadline(now, rules_.limits.idle_timeout_ms);
}

Connection::Step Connection::on_ready(Time now) {
  switch (phase_) {
    case Phase::reading:
      return receive(now);
    case Phase::sending:
      return flush(now);
    case Phase::lingering:
      return discard();
    case Phase::handling:
    case Phase::closed:
      break;
  }
  return Step::none;
}

Connection::Step Connection::on_tick(Time now) {
  if (phase_ == Phase::handling || phase_ == Phase::closed || now < deadline_) return Step::none;
  if (phase_ == Phase::reading && stage_ == RequestReader::Stage::head) {
    return refuse(Refusal::request_timeout, "Timeout while reading the request line and headers.", now);
  }
  if (phase_ == Phase::reading && stage_ == RequestReader::Stage::body) {
    return refuse(Refusal::request_timeout, "Timeout while reading the request body.", now);
  }
  return end();
}

Connection::Step Connection::on_drain(Time now) {
  draining_ = true;
  if (phase_ != Phase::reading || stage_ != RequestReader::Stage::idle) return Step::none;
  // Bytes of a request may have arrived that were not read yet; such a request counts as begun.
  const Step step = receive(now);
  return step == Step::await_input && stage_ == RequestReader::Stage::idle ? end() : step;
}

Connection::Step Connection::receive(Time now) {
  std::array<char, kReadBytes> buffer;  // NOLINT: recv fills it
  const ssize_t count = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
  if (count < 0 && would_block()) return Step::await_input;
  if (count <= 0) return end();
  input_.append(buffer.data(), static_cast<std::size_t>(count));
  return read_on(now);
}

/// Reads the bytes that have arrived. The deadline restarts only with a new phase.
Connection::Step Connection::read_on(Time now) {
  phase_ = Phase::reading;
  const RequestReader::Stage before = std::exchange(stage_, reader_.advance(input_));
  count_buffered(input_.size() + reader_.request().body.size());
  switch (stage_) {
    case RequestReader::Stage::idle:
      if (draining_) return linger(now);
      if (input_.capacity() > kIdleBytes) input_ = {};
      set_deadline(now, rules_.limits.idle_timeout_ms);
      return Step::await_input;
    case RequestReader::Stage::head:
      if (before != stage_) set_deadline(now, rules_.limits.head_timeout_ms);
      return Step::await_input;
    case RequestReader::Stage::body:
      if (rules_.buffered_bytes > rules_.limits.buffered_bytes) {
        return refuse(Refusal::overloaded, "The service has too many request bodies in memory. Retry after 1 s.", now);
      }
      if (before != stage_) set_deadline(now, rules_.limits.body_timeout_ms);
      if (!reader_.take_continue_wish(input_)) return Step::await_input;
      phase_ = Phase::handling;
      return Step::judge_head;
    case RequestReader::Stage::complete:
      phase_ = Phase::handling;
      keep_alive_ = reader_.keep_alive();
      is_http_1_0_ = reader_.is_http_1_0();
      return Step::handle;
    case RequestReader::Stage::refused:
      break;
  }
  return refuse(reader_.refused().refusal, reader_.refused().reason, now);
}

Connection::Step Connection::read_body(Time now) {
  if (phase_ == Phase::closed) return Step::none;
  if (!send_continue()) return end();
  phase_ = Phase::reading;
  set_deadline(now, rules_.limits.body_timeout_ms);
  return Step::await_input;
}

/// A request counts until its answer is sent, since the handler keeps it until then.
void Connection::count_buffered(std::size_t bytes) {
  rules_.buffered_bytes += bytes - counted_;  // unsigned arithmetic also subtracts correctly
  counted_ = bytes;
}

/// An answer counts as a whole until all of it is sent, since its memory is kept until then.
void Connection::count_unsent(std::size_t bytes) {
  rules_.unsent_bytes += bytes - unsent_;
  unsent_ = bytes;
}

/// False when this answer exceeds the limit of unsent answers, which clients that do not read have used up.
bool Connection::may_wait_to_send() {
  if (unsent_ != 0) return true;
  count_unsent(output_.size());
  if (rules_.unsent_bytes <= rules_.limits.unsent_bytes) return true;
  count_unsent(0);
  ++rules_.dropped_answers;
  return false;
}

/// These few bytes always fit into an empty socket buffer.
bool Connection::send_continue() {
  constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  return ::send(socket_.get(), kContinue.data(), kContinue.size(), MSG_NOSIGNAL) ==
         static_cast<ssize_t>(kContinue.size());
}

Connection::Step Connection::respond(const Request& request, const Response& response, Time now) {
  return send_response(request, response, keep_alive_ || !input_.empty(), now);
}

Connection::Step Connection::send_response(const Request& request, const Response& response, bool may_send_more,
                                           Time now) {
  if (phase_ == Phase::closed) return Step::none;
  ResponseShape shape;
  shape.without_body = request.method == "HEAD";
  shape.close = !keep_alive_ || draining_ || asks_close(response);
  shape.is_http_1_0 = is_http_1_0_;
  may_send_more_ = may_send_more;
  std::optional<std::string> text = response_text(response, shape);
  if (!text) {
    return refuse(request, Refusal::handler_failed, "Internal error: the answer has an invalid header or status.", now);
  }
  return send_text(std::move(*text), shape.close, now);
}

Connection::Step Connection::respond_to_head(const Response& response, Time now) {
  keep_alive_ = false;
  is_http_1_0_ = reader_.is_http_1_0();
  return send_response(request_head(), response, true, now);
}

Connection::Step Connection::refuse(const Request& request, Refusal refusal, std::string_view reason, Time now) {
  if (phase_ == Phase::closed) return Step::none;
  ResponseShape shape;
  shape.without_body = request.method == "HEAD";
  shape.close = true;
  may_send_more_ = true;
  std::optional<std::string> text = response_text(rendered(request, refusal, reason), shape);
  if (!text) text = response_text(Response{500, {}, {}}, shape);
  return send_text(std::move(*text), true, now);
}

Response Connection::rendered(const Request& request, Refusal refusal, std::string_view reason) const {
  try {
    return rules_.refuse(request, refusal, reason);
  } catch (...) {
    return Response{500, {}, {}};
  }
}

Connection::Step Connection::send_text(std::string text, bool last, Time now) {
  phase_ = Phase::sending;
  output_ = std::move(text);
  sent_ = 0;
  last_response_ = last;
  set_deadline(now, rules_.limits.write_timeout_ms);
  return flush(now);
}

Connection::Step Connection::flush(Time now) {
  std::size_t size = output_.size() - sent_;
  // A crash point where half of the answer has been sent.
  if (faults::armed() && sent_ == 0 && size > 1) size /= 2;
  const ssize_t count = ::send(socket_.get(), output_.data() + sent_, size, MSG_NOSIGNAL);
  if (count < 0 && !would_block()) return end();
  if (count > 0) {
    sent_ += static_cast<std::size_t>(count);
    faults::crash_point(sent_ < output_.size() ? "answer.half_sent" : "answer.sent");
  }
  if (sent_ < output_.size()) return may_wait_to_send() ? Step::await_output : end();
  output_ = {};
  count_unsent(0);
  if (!last_response_) {
    stage_ = RequestReader::Stage::idle;
    return read_on(now);
  }
  return may_send_more_ ? linger(now) : end();
}

/// When a socket is closed with unread input, the kernel sends RST, which can discard the answer before the client has
/// read it.
Connection::Step Connection::linger(Time now) {
  phase_ = Phase::lingering;
  discarded_ = input_.size();
  input_ = {};
  reader_.take();  // the body of a refused request is not needed
  count_buffered(0);
  ::shutdown(socket_.get(), SHUT_WR);
  set_deadline(now, rules_.limits.linger_timeout_ms);
  return Step::await_input;
}

Connection::Step Connection::discard() {
  std::array<char, kReadBytes> buffer;  // NOLINT: recv fills it
  const ssize_t count = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
  if (count < 0 && would_block()) return Step::await_input;
  if (count <= 0) return end();
  discarded_ += static_cast<std::size_t>(count);
  return discarded_ < rules_.limits.linger_bytes ? Step::await_input : end();
}

Connection::Step Connection::end() {
  close();
  return Step::close;
}

void Connection::close() {
  phase_ = Phase::closed;
  socket_.reset();
  output_ = {};
  count_unsent(0);
}

}  // namespace tideover::http
