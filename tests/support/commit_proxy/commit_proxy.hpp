// A TCP proxy in front of a MariaDB server that knows one thing of the protocol: when a client says COMMIT. There it
// does to the connection what a bad network does. Thread-safe; ends its connections when it ends.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace tideover::tests {

class CommitProxy {
 public:
  enum class Fault {
    lose_commit,  // the server never gets it; both sides see the connection end
    lose_answer,  // the server commits, the client never hears of it
    hold_commit   // the server gets it only at release(); until then both sides wait
  };

  CommitProxy(std::string host, std::uint16_t port);
  CommitProxy(const CommitProxy&) = delete;
  CommitProxy& operator=(const CommitProxy&) = delete;
  ~CommitProxy();

  std::uint16_t port() const { return port_; }

  /// The next COMMIT suffers it, the others pass.
  void arm(Fault fault);
  /// Whether the armed fault has struck.
  bool has_struck();
  /// Lets a held COMMIT go on, and waits for what the server says to it.
  std::string release();

 private:
  void accept_all();
  void carry(int client);
  /// False when the connection is to end.
  bool pass_on(int server, const std::string& bytes);
  bool take_fault(Fault& fault);

  const std::string host_;
  const std::uint16_t server_port_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<bool> stopping_ = false;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool armed_ = false;
  bool struck_ = false;
  bool released_ = false;
  bool answered_ = false;
  Fault fault_ = Fault::lose_commit;
  std::string answer_;
  std::vector<std::thread> carriers_;
  std::thread acceptor_;
};

}  // namespace tideover::tests
