#include "core/events/sender.hpp"

#include "core/events/webhook_url.hpp"

#include <curl/curl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

namespace tideover::events {
namespace {

constexpr std::size_t kMaxBytesRead = std::size_t{64} * 1024;  // head and body of an answer together
constexpr int kConnectTimeoutMs = 5000;
constexpr long kIdleConnections = 256;

struct EasyCleanup {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct ListCleanup {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

/// libcurl reports an invalid option only by its return value; a refused option is a programming error.
template <class Value>
void set(CURL* easy, CURLoption option, Value value) {
  if (const CURLcode code = curl_easy_setopt(easy, option, value); code != CURLE_OK)
    throw std::runtime_error(std::string("libcurl refused an option of a webhook request: ") +
                             curl_easy_strerror(code));
}

}  // namespace

class Sender::Library {
 public:
  Library() {
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw std::runtime_error("libcurl cannot start");
  }
  ~Library() { curl_global_cleanup(); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

struct Sender::MultiHandle {
  MultiHandle() : curl(curl_multi_init()) {
    if (!curl) throw std::runtime_error("libcurl cannot start");
    curl_multi_setopt(curl, CURLMOPT_MAXCONNECTS, kIdleConnections);
  }
  ~MultiHandle() { curl_multi_cleanup(curl); }
  MultiHandle(const MultiHandle&) = delete;
  MultiHandle& operator=(const MultiHandle&) = delete;
  CURLM* curl;
};

struct Sender::Transfer {
  Transfer(std::uint64_t ticket_of, Message&& message_of, const EgressPolicy& policy_of, CURLM* multi_of)
      : ticket(ticket_of), message(std::move(message_of)), policy(policy_of), multi(multi_of), easy(curl_easy_init()) {
    if (!easy) throw std::runtime_error("libcurl cannot create a request");
  }
  ~Transfer() { curl_multi_remove_handle(multi, easy.get()); }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  void prepare(int timeout_ms);
  Answer answer(CURLcode code) const;

  static curl_socket_t open_socket(void* self, curlsocktype purpose, curl_sockaddr* address);
  static std::size_t read_head(char* line, std::size_t, std::size_t size, void* self);
  static std::size_t read_body(char* bytes, std::size_t, std::size_t size, void* self);
  std::size_t count(std::size_t size);

  std::uint64_t ticket;
  Message message;
  const EgressPolicy& policy;
  CURLM* multi;
  std::unique_ptr<CURL, EasyCleanup> easy;
  std::unique_ptr<curl_slist, ListCleanup> headers;
  std::array<char, CURL_ERROR_SIZE> detail{};
  std::size_t bytes_read = 0;
  bool head_complete = false;
  std::string refused_address;
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
};

void Sender::Transfer::prepare(int timeout_ms) {
  for (const auto& header : message.headers) {
    curl_slist* longer = curl_slist_append(headers.get(), header.c_str());
    if (!longer) throw std::bad_alloc();
    (void)headers.release();
    headers.reset(longer);
  }
  CURL* curl = easy.get();
  set(curl, CURLOPT_PRIVATE, static_cast<void*>(this));
  set(curl, CURLOPT_URL, message.url.c_str());
  set(curl, CURLOPT_PROTOCOLS_STR, policy.allow_loopback_http ? "https,http" : "https");
  set(curl, CURLOPT_FOLLOWLOCATION, 0L);
  set(curl, CURLOPT_PROXY, "");  // also ignores proxies from the environment
  set(curl, CURLOPT_OPENSOCKETFUNCTION, &Transfer::open_socket);
  set(curl, CURLOPT_OPENSOCKETDATA, static_cast<void*>(this));

  set(curl, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  set(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(message.body.size()));
  set(curl, CURLOPT_POSTFIELDS, message.body.c_str());
  set(curl, CURLOPT_HTTPHEADER, headers.get());
  set(curl, CURLOPT_HEADERFUNCTION, &Transfer::read_head);
  set(curl, CURLOPT_HEADERDATA, static_cast<void*>(this));
  set(curl, CURLOPT_WRITEFUNCTION, &Transfer::read_body);
  set(curl, CURLOPT_WRITEDATA, static_cast<void*>(this));
  set(curl, CURLOPT_ERRORBUFFER, detail.data());

  set(curl, CURLOPT_NOSIGNAL, 1L);
  set(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(timeout_ms));
  set(curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(std::min(timeout_ms, kConnectTimeoutMs)));
  // A name server that does not answer must not block this thread when the attempt has ended: the resolver's thread is
  // left to end by itself.
  set(curl, CURLOPT_QUICK_EXIT, 1L);
}

curl_socket_t Sender::Transfer::open_socket(void* self, curlsocktype purpose, curl_sockaddr* address) {
  auto& transfer = *static_cast<Transfer*>(self);
  // One refused address refuses the host: a name that points both outside and inside is not valid for a receiver.
  if (purpose != CURLSOCKTYPE_IPCXN || !transfer.refused_address.empty()) return CURL_SOCKET_BAD;
  if (!may_connect(transfer.policy, destination_of(transfer.message.url), address->addr)) {
    transfer.refused_address = address_text(address->addr);
    return CURL_SOCKET_BAD;
  }
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/// Number of bytes for libcurl; fewer than received end the transfer.
std::size_t Sender::Transfer::count(std::size_t size) {
  bytes_read += size;
  return bytes_read > kMaxBytesRead ? 0 : size;
}

std::size_t Sender::Transfer::read_head(char* line, std::size_t, std::size_t size, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  const std::string_view text(line, size);
  if (text == "\r\n" || text == "\n") {
    long status = 0;
    curl_easy_getinfo(transfer.easy.get(), CURLINFO_RESPONSE_CODE, &status);
    transfer.head_complete = status >= 200;  // a 1xx head is followed by another head
  }
  return transfer.count(size);
}

std::size_t Sender::Transfer::read_body(char*, std::size_t, std::size_t size, void* self) {
  return static_cast<Transfer*>(self)->count(size);
}

Sender::Answer Sender::Transfer::answer(CURLcode code) const {
  Answer answer;
  answer.ticket = ticket;
  answer.took_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began).count();
  if (head_complete) {
    // The status is known; an error in the rest of the answer does not matter.
    long status = 0;
    curl_off_t retry_after_s = 0;
    curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(easy.get(), CURLINFO_RETRY_AFTER, &retry_after_s);
    answer.status = static_cast<int>(status);
    answer.retry_after_s = retry_after_s;
  } else if (!refused_address.empty()) {
    answer.problem = "the host resolves to " + refused_address + ", which is not allowed for webhooks";
  } else if (bytes_read > kMaxBytesRead) {
    answer.problem = "the response head is longer than 64 KiB";
  } else {
    answer.problem = detail[0] != '\0' ? detail.data() : curl_easy_strerror(code);
  }
  return answer;
}

Sender::Sender(EgressPolicy policy, int timeout_ms)
    : policy_(std::move(policy)),
      timeout_ms_(timeout_ms),
      library_(std::make_unique<Library>()),
      multi_(std::make_unique<MultiHandle>()) {}

Sender::~Sender() = default;

void Sender::start(std::uint64_t ticket, Message message) {
  auto transfer = std::make_unique<Transfer>(ticket, std::move(message), policy_, multi_->curl);
  transfer->prepare(timeout_ms_);
  if (const CURLMcode code = curl_multi_add_handle(multi_->curl, transfer->easy.get()); code != CURLM_OK)
    throw std::runtime_error(std::string("libcurl refused a request: ") + curl_multi_strerror(code));
  transfers_.emplace(ticket, std::move(transfer));
}

std::vector<Sender::Answer> Sender::wait(std::chrono::milliseconds timeout) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  std::vector<Answer> answers;
  while (true) {
    collect(answers);
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    if (woken_.exchange(false) || !answers.empty() || left <= 0) return answers;
    curl_multi_poll(multi_->curl, nullptr, 0, static_cast<int>(left), nullptr);
  }
}

void Sender::collect(std::vector<Answer>& answers) {
  int running = 0;
  curl_multi_perform(multi_->curl, &running);
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_->curl, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    Transfer* transfer = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    answers.push_back(transfer->answer(message->data.result));
    transfers_.erase(transfer->ticket);
  }
}

void Sender::wake() {
  woken_ = true;
  curl_multi_wakeup(multi_->curl);
}

}  // namespace tideover::events
