// A TLS server on loopback that no authority vouches for, and what a client sent it after the handshake.
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

namespace tideover::test {

class SelfSignedServer {
 public:
  SelfSignedServer() : context_(SSL_CTX_new(TLS_server_method()), SSL_CTX_free) {
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
    const std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(), X509_free);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
    X509_set_pubkey(certificate.get(), key.get());
    X509_sign(certificate.get(), key.get(), EVP_sha256());
    SSL_CTX_use_certificate(context_.get(), certificate.get());
    if (SSL_CTX_use_PrivateKey(context_.get(), key.get()) != 1) throw std::runtime_error("no server certificate");

    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_, generic, size) != 0 || ::listen(listener_, 8) != 0 ||
        ::getsockname(listener_, generic, &size) != 0)
      throw std::runtime_error("no free port");
    port_ = ntohs(address.sin_port);
    serving_ = std::thread([this] { serve_one(); });
  }
  ~SelfSignedServer() {
    finish();
    ::close(listener_);
  }
  SelfSignedServer(const SelfSignedServer&) = delete;
  SelfSignedServer& operator=(const SelfSignedServer&) = delete;

  std::string url() const { return "https://127.0.0.1:" + std::to_string(port_) + "/"; }
  /// Ends the server; what the one client sent in the clear of the tunnel.
  std::string received() {
    finish();
    return received_;
  }

 private:
  void finish() {
    ::shutdown(listener_, SHUT_RDWR);
    if (serving_.joinable()) serving_.join();
  }
  void serve_one() {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    const std::unique_ptr<SSL, decltype(&SSL_free)> tls(SSL_new(context_.get()), SSL_free);
    SSL_set_fd(tls.get(), socket);
    char bytes[4096];
    if (SSL_accept(tls.get()) == 1)
      if (const int got = SSL_read(tls.get(), bytes, sizeof bytes); got > 0)
        received_.assign(bytes, static_cast<std::size_t>(got));
    ::close(socket);
  }

  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::string received_;
  std::thread serving_;
};

}  // namespace tideover::test
