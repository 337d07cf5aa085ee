// Why a stored value cannot be decrypted.
#pragma once

namespace tideover::domain {

enum class DecryptionFault {
  key_missing,  // the key is not in the key ring of this node yet
  damaged,      // the value was changed, or moved there from another cell
};

}  // namespace tideover::domain
