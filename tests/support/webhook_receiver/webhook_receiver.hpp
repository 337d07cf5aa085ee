// A loopback HTTP receiver for tests: records requests, answers by a script. Thread-safe.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace tideover::test {

class WebhookReceiver {
 public:
  struct Request {
    std::string method;
    std::string target;
    std::map<std::string, std::string> headers;  // names in lower case
    std::string body;
  };
  struct Answer {
    int status = 200;
    std::vector<std::string> headers;  // "Name: value"
    std::size_t body_bytes = 0;
    enum class Manner {
      answer,
      hold_until_released,
      close,              // without an answer
      head_then_silence,  // promises a body that never comes
    } manner = Manner::answer;

    static Answer with(int status, std::vector<std::string> headers = {}) {
      return {status, std::move(headers), 0, {}};
    }
    static Answer huge(std::size_t bytes) { return {200, {}, bytes, {}}; }
    static Answer held() { return {200, {}, 0, Manner::hold_until_released}; }
    static Answer closed() { return {0, {}, 0, Manner::close}; }
  };

  WebhookReceiver();
  ~WebhookReceiver();
  WebhookReceiver(const WebhookReceiver&) = delete;
  WebhookReceiver& operator=(const WebhookReceiver&) = delete;

  std::uint16_t port() const { return port_; }
  /// http://127.0.0.1:<port><path>
  std::string url(const std::string& path = "/hook") const;

  /// The next requests get these answers in turn; those after them get `always`, 200 at first.
  void script(std::vector<Answer> answers);
  void always(Answer answer);
  /// Answers all that is held, and holds nothing any more.
  void release();

  /// Without the first `skipped` ones.
  std::vector<Request> requests(std::size_t skipped = 0) const;
  std::size_t request_count() const;
  /// How many were opened, whether a request came over them or not.
  std::size_t connections() const;
  std::size_t body_bytes_written() const { return body_bytes_written_; }
  /// False when fewer than `count` requests came before the deadline.
  bool wait_for_requests(std::size_t count, std::chrono::milliseconds deadline = std::chrono::seconds(10)) const;

 private:
  void accept_until_closed();
  void serve(int socket);
  bool read_request(int socket, std::string& buffer, Request& request) const;
  Answer record(Request request);
  bool write_answer(int socket, const Answer& answer);

  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<std::size_t> body_bytes_written_{0};

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<Request> requests_;  // this and the rest under mutex_
  std::deque<Answer> scripted_;
  Answer always_;
  bool released_ = false;
  bool closing_ = false;
  std::list<int> sockets_;
  std::vector<std::thread> connections_;
  std::thread accepting_;
};

}  // namespace tideover::test
