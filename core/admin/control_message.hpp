// Messages on the control socket: a list of texts, each preceded by its length. Both ends are this program, possibly in
// different versions: the first text of a request names the protocol.
#pragma once
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tideover::admin {

using ControlMessage = std::vector<std::string>;

inline constexpr const char* kControlProtocol = "tideover-control-1";
inline constexpr std::size_t kMostRequestBytes = 64 << 10;
inline constexpr std::size_t kMostReplyBytes = 64 << 20;

/// False when the peer has gone or does not read in time.
bool send_message(int socket, const ControlMessage& message, std::chrono::milliseconds time);
/// Nothing when the peer has gone, is too slow, or sends an invalid message or one longer than `most_bytes`.
std::optional<ControlMessage> receive_message(int socket, std::size_t most_bytes, std::chrono::milliseconds time);

}  // namespace tideover::admin
