// What the service answers in each state: see table.mjs.
export const cells = {
  offered: {
    get: '200', reconciliation: '200', confirm: '200 → funded', repeat: '200 → funded', change: '200',
    cancel: '200 → canceled', payout: '409 invalid_state', denial: '200', payment: '200', review: '200 → superseded',
  },
  'in review': {
    get: '200', reconciliation: '200', confirm: '409 manual_review_pending', repeat: '409 manual_review_pending',
    change: '200', cancel: '200 → canceled', payout: '409 invalid_state', denial: '200', payment: '200',
    review: '200 → superseded',
  },
  approved: {
    get: '200', reconciliation: '200', confirm: '200 → funded', repeat: '200 → funded', change: '200',
    cancel: '200 → canceled', payout: '409 invalid_state', denial: '200', payment: '200', review: '200',
  },
  declined: {
    get: '200', reconciliation: '200', confirm: '409 invalid_state', repeat: '409 invalid_state',
    change: '409 invalid_state', cancel: '409 invalid_state', payout: '409 invalid_state', denial: '200',
    payment: '200', review: '200',
  },
  'being sent': {
    get: '200', reconciliation: '200', confirm: '409 idempotency_in_progress', repeat: '409 idempotency_in_progress',
    change: '409 invalid_state', cancel: '409 invalid_state', payout: '409 invalid_state', denial: '200',
    payment: '200', review: '200',
  },
  unknown: {
    get: '200', reconciliation: '200', confirm: '503 rail_outcome_unknown', repeat: '503 rail_outcome_unknown',
    change: '409 invalid_state', cancel: '409 invalid_state', payout: '409 invalid_state', denial: '200',
    payment: '200', review: '200',
  },
  rejected: {
    get: '200', reconciliation: '200', confirm: '409 rail_rejected', repeat: '409 rail_rejected', change: '200',
    cancel: '200 → canceled', payout: '409 invalid_state', denial: '200', payment: '200', review: '200 → superseded',
  },
  submitted: {
    get: '200', reconciliation: '200', confirm: '409 settlement_already_funded', repeat: '200',
    change: '409 invalid_state', cancel: '409 invalid_state', payout: '409 invalid_state', denial: '200 → denied',
    payment: '200 → settled', review: '200',
  },
  funded: {
    get: '200', reconciliation: '200', confirm: '409 settlement_already_funded', repeat: '200',
    change: '409 invalid_state', cancel: '409 invalid_state', payout: '409 invalid_state', denial: '200 → denied',
    payment: '200 → settled', review: '200',
  },
  partial: {
    get: '200', reconciliation: '200', confirm: '409 settlement_already_funded', repeat: '200',
    change: '409 invalid_state', cancel: '409 invalid_state', payout: '409 invalid_state', denial: '200',
    payment: '200', review: '200',
  },
  settled: {
    get: '200', reconciliation: '200', confirm: '409 settlement_already_funded', repeat: '200',
    change: '409 invalid_state', cancel: '409 invalid_state', payout: '200 → paid out', denial: '200', payment: '200',
    review: '200',
  },
  'settled short': {
    get: '200', reconciliation: '200', confirm: '409 settlement_already_funded', repeat: '200',
    change: '409 invalid_state', cancel: '409 invalid_state', payout: '409 invalid_state', denial: '200',
    payment: '200', review: '200',
  },
  'settled over': {
    get: '200', reconciliation: '200', confirm: '409 settlement_already_funded', repeat: '200',
    change: '409 invalid_state', cancel: '409 invalid_state', payout: '200 → over, paid out', denial: '200',
    payment: '200', review: '200',
  },
  denied: {
    get: '200', reconciliation: '200', confirm: '409 settlement_already_funded', repeat: '200',
    change: '409 invalid_state', cancel: '409 invalid_state', payout: '409 invalid_state', denial: '200',
    payment: '200 → settled', review: '200',
  },
  reversed: {
    get: '200', reconciliation: '200', confirm: '409 settlement_already_funded', repeat: '200',
    change: '409 invalid_state', cancel: '409 invalid_state', payout: '409 invalid_state', denial: '200',
    payment: '200', review: '200',
  },
  'written off': {
    get: '200', reconciliation: '200', confirm: '409 settlement_already_funded', repeat: '200',
    change: '409 invalid_state', cancel: '409 invalid_state', payout: '409 invalid_state', denial: '200',
    payment: '200 → settled', review: '200',
  },
  'payout submitted': {
    get: '200', reconciliation: '200', confirm: '409 settlement_already_funded', repeat: '200',
    change: '409 invalid_state', cancel: '409 invalid_state', payout: '409 invalid_state', denial: '200',
    payment: '200', review: '200',
  },
  'payout unknown': {
    get: '200', reconciliation: '200', confirm: '409 settlement_already_funded', repeat: '200',
    change: '409 invalid_state', cancel: '409 invalid_state', payout: '503 rail_outcome_unknown', denial: '200',
    payment: '200', review: '200',
  },
  'payout returned': {
    get: '200', reconciliation: '200', confirm: '409 settlement_already_funded', repeat: '200',
    change: '409 invalid_state', cancel: '409 invalid_state', payout: '200 → payout submitted', denial: '200',
    payment: '200', review: '200',
  },
  'over, paid out': {
    get: '200', reconciliation: '200', confirm: '409 settlement_already_funded', repeat: '200',
    change: '409 invalid_state', cancel: '409 invalid_state', payout: '409 invalid_state', denial: '200',
    payment: '200', review: '200',
  },
  'paid out': {
    get: '200', reconciliation: '200', confirm: '409 settlement_already_funded', repeat: '200',
    change: '409 invalid_state', cancel: '409 invalid_state', payout: '409 invalid_state', denial: '200',
    payment: '200', review: '200',
  },
  returned: {
    get: '200', reconciliation: '200', confirm: '409 invalid_state', repeat: '409 invalid_state',
    change: '409 invalid_state', cancel: '409 invalid_state', payout: '409 invalid_state', denial: '200',
    payment: '200', review: '200',
  },
  canceled: {
    get: '200', reconciliation: '200', confirm: '409 invalid_state', repeat: '409 invalid_state',
    change: '409 invalid_state', cancel: '409 invalid_state', payout: '409 invalid_state', denial: '200',
    payment: '200', review: '200',
  },
  expired: {
    get: '200', reconciliation: '200', confirm: '409 invalid_state', repeat: '409 invalid_state',
    change: '409 invalid_state', cancel: '409 invalid_state', payout: '409 invalid_state', denial: '200',
    payment: '200', review: '200',
  },
  superseded: {
    get: '200', reconciliation: '200', confirm: '409 invalid_state', repeat: '409 invalid_state',
    change: '409 invalid_state', cancel: '409 invalid_state', payout: '409 invalid_state', denial: '200',
    payment: '200', review: '200',
  },
  foreign: {
    get: '404 settlement_not_found', reconciliation: '404 settlement_not_found', confirm: '404 settlement_not_found',
    repeat: '404 settlement_not_found', change: '404 settlement_not_found', cancel: '404 settlement_not_found',
    payout: '404 settlement_not_found', denial: '404 settlement_not_found', payment: '404 settlement_not_found',
    review: '200',
  },
};
