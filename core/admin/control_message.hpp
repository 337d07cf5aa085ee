// What travels over the control socket: a message is a list of texts, each with its length before it. Both ends are
// this program, of versions that may differ: the first text of a request names the protocol.
#pragma once
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tideover::main {

using ControlMessage = std::vector<std::string>;

inline constexpr const char* kControlProtocol = "tideover-control-1";
inline constexpr std::size_t kMostRequestBytes = 64 << 10;
inline constexpr std::size_t kMostReplyBytes = 64 << 20;

/// False when the other end is gone or does not take it in time.
bool send_message(int socket, const ControlMessage& message, std::chrono::milliseconds time);
/// Nothing when the other end is gone, is too slow, or sends what is no message or longer than `most_bytes`.
std::optional<ControlMessage> receive_message(int socket, std::size_t most_bytes, std::chrono::milliseconds time);

}  // namespace tideover::main
