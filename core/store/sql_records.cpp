#include "core/store/sql_records.hpp"

namespace tideover::store {

SqlRecords::SqlRecords(sql::Session& session, const RecordServices& services)
    : answers_(session),
      audit_(session, services.node),
      claims_(session),
      reviews_(session),
      settlements_(session),
      rail_senders_(session),
      ledger_(session, services.node),
      deposits_(session),
      remittances_(session),
      reconciliations_(session),
      imports_(session),
      events_(session, services.encoder),
      webhooks_(session),
      clients_(session),
      tasks_(session),
      nodes_(session) {}

}  // namespace tideover::store
