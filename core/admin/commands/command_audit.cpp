// tideover audit verify|public-key|restored
#include "core/admin/admin_verbs.hpp"
#include "core/admin/commands/verification_text.hpp"
#include "core/crypto/primitives/encoding.hpp"
#include "core/node/start.hpp"
#include "core/ports/clock.hpp"
#include "core/store/integrity/checkpoint_file.hpp"
#include "core/usecases/audit/note_checkpoint.hpp"
#include "core/usecases/audit/verify_audit.hpp"

namespace tideover::admin {
namespace {

AdminReply verify(AdminContext& context, const AdminRequest& request) {
  const auto checkpoints = node::open_checkpoints(context.settings, context.keys);
  return reply_of("audit", usecases::VerifyAudit(context.store, *checkpoints)(request.progress), context.clock.now());
}

AdminReply public_key(AdminContext& context, const AdminRequest&) {
  return {0, crypto::hex_encode(node::open_checkpoints(context.settings, context.keys)->key().public_key()) + "\n", ""};
}

AdminReply restored(AdminContext& context, const AdminRequest&) {
  const auto checkpoints = node::open_checkpoints(context.settings, context.keys);
  usecases::NoteCheckpoint note(context.store, *checkpoints, context.clock, {});
  if (const auto noted = note.now(ports::Checkpoint::Kind::restored); !noted)
    throw node::StartError(noted.error().message);
  return {0, "Recorded: the chains continue from the restored state. Earlier checkpoints are void.\n", ""};
}

}  // namespace

std::vector<AdminVerb> audit_verbs() {
  return {
      taking_long({"verify", "Verify the hash chains of the audit trail", {}, verify}),
      {"public-key", "Print the Ed25519 public key of the checkpoints, in hex", {}, public_key},
      {"restored",
       "After a restore: record that the chains continue from the restored state, which makes older checkpoints void",
       {},
       restored},
  };
}

}  // namespace tideover::admin
