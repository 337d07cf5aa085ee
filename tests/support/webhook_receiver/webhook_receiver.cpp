#include "tests/support/webhook_receiver/webhook_receiver.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <system_error>

namespace tideover::test {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool send_all(int socket, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t sent = ::send(socket, bytes, size, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

}  // namespace

WebhookReceiver::WebhookReceiver() {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener_ < 0) fail("socket");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener_, generic, size) != 0 || ::listen(listener_, 512) != 0) fail("bind");
  if (::getsockname(listener_, generic, &size) != 0) fail("getsockname");
  port_ = ntohs(address.sin_port);
  accepting_ = std::thread([this] { accept_until_closed(); });
}

WebhookReceiver::~WebhookReceiver() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    released_ = true;
    for (const int socket : sockets_) ::shutdown(socket, SHUT_RDWR);
  }
  changed_.notify_all();
  ::shutdown(listener_, SHUT_RDWR);
  accepting_.join();
  for (auto& connection : connections_) connection.join();
  ::close(listener_);
}

std::string WebhookReceiver::url(const std::string& path) const {
  return "http://127.0.0.1:" + std::to_string(port_) + path;
}

void WebhookReceiver::script(std::vector<Answer> answers) {
  const std::lock_guard lock(mutex_);
  scripted_.assign(answers.begin(), answers.end());
}

void WebhookReceiver::always(Answer answer) {
  const std::lock_guard lock(mutex_);
  always_ = std::move(answer);
}

void WebhookReceiver::release() {
  {
    const std::lock_guard lock(mutex_);
    released_ = true;
  }
  changed_.notify_all();
}

std::vector<WebhookReceiver::Request> WebhookReceiver::requests(std::size_t skipped) const {
  const std::lock_guard lock(mutex_);
  const auto first = requests_.begin() + static_cast<std::ptrdiff_t>(std::min(skipped, requests_.size()));
  return {first, requests_.end()};
}

std::size_t WebhookReceiver::request_count() const {
  const std::lock_guard lock(mutex_);
  return requests_.size();
}

std::size_t WebhookReceiver::connections() const {
  const std::lock_guard lock(mutex_);
  return connections_.size();
}

bool WebhookReceiver::wait_for_requests(std::size_t count, std::chrono::milliseconds deadline) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, deadline, [&] { return requests_.size() >= count; });
}

void WebhookReceiver::accept_until_closed() {
  while (true) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    const std::lock_guard lock(mutex_);
    if (closing_) {
      ::close(socket);
      return;
    }
    sockets_.push_back(socket);
    connections_.emplace_back([this, socket] { serve(socket); });
  }
}

void WebhookReceiver::serve(int socket) {
  std::string buffer;
  Request request;
  while (read_request(socket, buffer, request)) {
    const Answer answer = record(std::move(request));
    if (answer.manner == Answer::Manner::close) break;
    if (answer.manner == Answer::Manner::hold_until_released) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return released_; });
    }
    if (!write_answer(socket, answer)) break;
    request = {};
  }
  const std::lock_guard lock(mutex_);
  sockets_.remove(socket);
  ::close(socket);
}

bool WebhookReceiver::read_request(int socket, std::string& buffer, Request& request) const {
  const auto read_more = [&] {
    char bytes[4096];
    const ssize_t got = ::recv(socket, bytes, sizeof bytes, 0);
    if (got <= 0) return false;
    buffer.append(bytes, static_cast<std::size_t>(got));
    return true;
  };
  std::size_t head_ends;
  while ((head_ends = buffer.find("\r\n\r\n")) == std::string::npos)
    if (!read_more()) return false;

  std::size_t at = buffer.find("\r\n");
  const std::string line = buffer.substr(0, at);
  request.method = line.substr(0, line.find(' '));
  request.target = line.substr(request.method.size() + 1, line.rfind(' ') - request.method.size() - 1);
  while (at < head_ends) {
    const std::size_t begins = at + 2;
    at = buffer.find("\r\n", begins);
    const std::string field = buffer.substr(begins, at - begins);
    const std::size_t colon = field.find(':');
    const std::size_t value = field.find_first_not_of(' ', colon + 1);
    request.headers[lower(field.substr(0, colon))] = value == std::string::npos ? "" : field.substr(value);
  }

  const auto length = request.headers.find("content-length");
  const std::size_t body_size = length == request.headers.end() ? 0 : std::stoul(length->second);
  const std::size_t body_begins = head_ends + 4;
  while (buffer.size() < body_begins + body_size)
    if (!read_more()) return false;
  request.body = buffer.substr(body_begins, body_size);
  buffer.erase(0, body_begins + body_size);
  return true;
}

WebhookReceiver::Answer WebhookReceiver::record(Request request) {
  Answer answer;
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(std::move(request));
    answer = always_;
    if (!scripted_.empty()) {
      answer = std::move(scripted_.front());
      scripted_.pop_front();
    }
  }
  changed_.notify_all();
  return answer;
}

bool WebhookReceiver::write_answer(int socket, const Answer& answer) {
  const bool silent = answer.manner == Answer::Manner::head_then_silence;
  std::string head = "HTTP/1.1 " + std::to_string(answer.status) +
                     " Scripted\r\nContent-Length: " + std::to_string(silent ? 100 : answer.body_bytes) + "\r\n";
  for (const auto& header : answer.headers) head += header + "\r\n";
  head += "\r\n";
  if (!send_all(socket, head.data(), head.size())) return false;
  const std::string block(16 * 1024, 'x');
  for (std::size_t left = answer.body_bytes; left > 0;) {
    const std::size_t size = std::min(left, block.size());
    if (!send_all(socket, block.data(), size)) return false;
    body_bytes_written_ += size;
    left -= size;
  }
  return true;
}

}  // namespace tideover::test
