// The control of P1 and P2: stock Poco HTTPServer, a thread per connection, reads the body and answers fixed 350 bytes.
// Prints its port and serves until its standard input ends.
#include <Poco/Net/HTTPRequestHandler.h>
#include <Poco/Net/HTTPRequestHandlerFactory.h>
#include <Poco/Net/HTTPServer.h>
#include <Poco/Net/HTTPServerRequest.h>
#include <Poco/Net/HTTPServerResponse.h>
#include <Poco/Net/ServerSocket.h>
#include <Poco/NullStream.h>
#include <Poco/StreamCopier.h>
#include <Poco/ThreadPool.h>

#include <iostream>
#include <limits>

namespace {

class FixedAnswer : public Poco::Net::HTTPRequestHandler {
 public:
  void handleRequest(Poco::Net::HTTPServerRequest& request, Poco::Net::HTTPServerResponse& response) override {
    std::string body;
    Poco::StreamCopier::copyToString(request.stream(), body);
    static const std::string kAnswer(350, 'x');
    response.setContentType("application/json");
    response.sendBuffer(kAnswer.data(), kAnswer.size());
  }
};

class Factory : public Poco::Net::HTTPRequestHandlerFactory {
 public:
  Poco::Net::HTTPRequestHandler* createRequestHandler(const Poco::Net::HTTPServerRequest&) override {
    return new FixedAnswer;
  }
};

}  // namespace

int main() {
  constexpr int kThreads = 300;
  Poco::Net::ServerSocket socket(Poco::Net::SocketAddress("127.0.0.1", 0));
  Poco::ThreadPool threads(2, kThreads);
  Poco::Net::HTTPServerParams::Ptr parameters(new Poco::Net::HTTPServerParams);
  parameters->setMaxThreads(kThreads);
  parameters->setMaxQueued(kThreads);
  parameters->setMaxKeepAliveRequests(0);
  Poco::Net::HTTPServer server(new Factory, threads, socket, parameters);
  server.start();
  std::cout << socket.address().port() << std::endl;
  std::cin.ignore(std::numeric_limits<std::streamsize>::max());
  server.stop();
}
