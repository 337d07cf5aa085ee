// What the service answers in each state: see table.mjs.
export const cells = {
  unknown: {
    settle: '200 → settled', return: '409 invalid_state', reject: '200 → rejected', get: '404 not_found',
    advice: '404 not_found',
  },
  rejected: {
    settle: '409 invalid_state', return: '409 invalid_state', reject: '409 invalid_state', get: '404 not_found',
    advice: '404 not_found',
  },
  submitted: {
    settle: '200 → settled', return: '200 → returned', reject: '409 invalid_state', get: '404 not_found',
    advice: '404 not_found',
  },
  settled: {
    settle: '409 invalid_state', return: '409 invalid_state', reject: '409 invalid_state', get: '404 not_found',
    advice: '404 not_found',
  },
  'settled over ACH': {
    settle: '409 invalid_state', return: '200 → returned', reject: '409 invalid_state', get: '404 not_found',
    advice: '404 not_found',
  },
  returned: {
    settle: '409 invalid_state', return: '409 invalid_state', reject: '409 invalid_state', get: '404 not_found',
    advice: '404 not_found',
  },
  'payout unknown': {
    settle: '200 → payout settled', return: '409 invalid_state', reject: '200 → payout rejected', get: '404 not_found',
    advice: '404 not_found',
  },
  'payout rejected': {
    settle: '409 invalid_state', return: '409 invalid_state', reject: '409 invalid_state', get: '404 not_found',
    advice: '404 not_found',
  },
  'payout submitted': {
    settle: '200 → payout settled', return: '200 → payout returned', reject: '409 invalid_state', get: '404 not_found',
    advice: '404 not_found',
  },
  'payout settled': {
    settle: '409 invalid_state', return: '409 invalid_state', reject: '409 invalid_state', get: '404 not_found',
    advice: '404 not_found',
  },
  'payout settled over ACH': {
    settle: '409 invalid_state', return: '200 → payout returned', reject: '409 invalid_state', get: '404 not_found',
    advice: '404 not_found',
  },
  'payout returned': {
    settle: '409 invalid_state', return: '409 invalid_state', reject: '409 invalid_state', get: '404 not_found',
    advice: '404 not_found',
  },
  'practice payout unknown': {
    settle: '200 → practice payout settled', return: '409 invalid_state', reject: '200 → practice payout rejected',
    get: '200', advice: '409 invalid_state',
  },
  'practice payout rejected': {
    settle: '409 invalid_state', return: '409 invalid_state', reject: '409 invalid_state', get: '200',
    advice: '409 invalid_state',
  },
  'practice payout submitted': {
    settle: '200 → practice payout settled', return: '200 → practice payout returned', reject: '409 invalid_state',
    get: '200', advice: '200',
  },
  'practice payout settled': {
    settle: '409 invalid_state', return: '409 invalid_state', reject: '409 invalid_state', get: '200', advice: '200',
  },
  'practice payout settled over ACH': {
    settle: '409 invalid_state', return: '200 → practice payout returned', reject: '409 invalid_state', get: '200',
    advice: '200',
  },
  'practice payout returned': {
    settle: '409 invalid_state', return: '409 invalid_state', reject: '409 invalid_state', get: '200', advice: '200',
  },
  foreign: {
    settle: '404 not_found', return: '404 not_found', reject: '404 not_found', get: '404 not_found',
    advice: '404 not_found',
  },
};
