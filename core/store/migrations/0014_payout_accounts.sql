-- Where a tenant's money goes when a request names no account; the token is sealed.
CREATE TABLE IF NOT EXISTS payout_accounts (
  tenant {ascii:32} NOT NULL PRIMARY KEY,
  payout_account_token {blob} NOT NULL
) {table};
