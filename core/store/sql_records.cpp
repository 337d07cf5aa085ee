#include "core/store/sql_records.hpp"

namespace tideover::store {

SqlRecords::SqlRecords(sql::Session& session, const RecordServices& services)
    : allocations_(session),
      answers_(session, services.cells),
      audit_(session, services.node),
      claims_(session, services.cells),
      reviews_(session, services.cells),
      settlements_(session, services.cells),
      rail_senders_(session),
      payees_(session, services.cells),
      ledger_(session, services.node),
      deposits_(session, services.cells),
      bank_statements_(session, services.cells),
      remittances_(session, services.cells),
      postings_(session),
      matches_(session),
      alike_(session, services.cells),
      payer_aliases_(session),
      payee_aliases_(session, services.cells),
      reconciliations_(session),
      recourse_(session),
      imports_(session, services.cells),
      pickups_(session, services.cells),
      events_(session, services.encoder, services.cells),
      webhooks_(session, services.cells),
      clients_(session, services.cells),
      tasks_(session),
      nodes_(session),
      rules_(session),
      learning_(session),
      invariants_(session) {}

}  // namespace tideover::store
