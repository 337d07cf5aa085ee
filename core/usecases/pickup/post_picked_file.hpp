// Recognizes a file of a watched folder and posts it as a request of the API would. The content is the idempotency key,
// so that a file is posted once even if the process ends behind the posting.
//
// Threads: thread-safe.
#pragma once
#include "core/domain/operations/pickup_file.hpp"
#include "core/ports/plugins/deposit_format.hpp"
#include "core/usecases/imports/start_import.hpp"
#include "core/usecases/reconciliation/post_deposit_file.hpp"
#include "core/usecases/reconciliation/post_remittance.hpp"

namespace tideover::usecases {

struct PickedFile {
  domain::PickupKind kind = domain::PickupKind::automatic;
  std::string format;  // empty: the first format of the kind that accepts the file
  std::string_view bytes;
  std::string sha256;
};

class PostPickedFile {
 public:
  /// The formats that recognize files; the use cases have the same.
  struct Formats {
    ports::RemittanceFormats& remittances;
    ports::DepositFormats& deposits;
    ports::ImportFormats& imports;
  };
  PostPickedFile(ports::Store& store, Formats formats, PostRemittance& remittances, PostDepositFile& deposits,
                 StartImport& imports)
      : store_(store), formats_(formats), remittances_(remittances), deposits_(deposits), imports_(imports) {}

  /// `context` without an idempotency key. The refusal of a reader has the text that the API would answer.
  domain::Result<domain::PickupResult> operator()(RequestContext context, const PickedFile& file);
  /// What this content created; nullopt when it is not posted.
  domain::Result<std::optional<domain::PickupResult>> posted(const domain::TenantId& tenant, const std::string& sha256);

 private:
  struct Choice {
    domain::PickupKind kind;
    std::string format;
  };
  domain::Result<Choice> choose(const PickedFile& file);
  domain::Status recognize(const Choice& choice, std::string_view bytes);
  domain::Status recognize_claims(ports::ImportFormat& format, std::string_view bytes);
  std::vector<Choice> candidates(const PickedFile& file) const;
  domain::Result<StoredResponse> post(const RequestContext& context, const Choice& choice, const PickedFile& file);

  ports::Store& store_;
  Formats formats_;
  PostRemittance& remittances_;
  PostDepositFile& deposits_;
  StartImport& imports_;
};

/// True when the file is at fault. Other errors are the service's, and a later attempt may succeed.
bool is_fault_of_file(const domain::Error& error);

}  // namespace tideover::usecases
