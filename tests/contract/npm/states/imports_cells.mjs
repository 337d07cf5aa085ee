// What the service answers in each state: see table.mjs.
export const cells = {
  queued: {
    get: '200', results: '200', errors: '200', acknowledgment: '404 not_found', cancel: '200 → canceled',
  },
  running: {
    get: '200', results: '200', errors: '200', acknowledgment: '404 not_found', cancel: '200 → canceled',
  },
  succeeded: {
    get: '200', results: '200', errors: '200', acknowledgment: '404 not_found', cancel: '409 invalid_state',
  },
  'X12 succeeded': {
    get: '200', results: '200', errors: '200', acknowledgment: '200', cancel: '409 invalid_state',
  },
  failed: {
    get: '200', results: '200', errors: '200', acknowledgment: '404 not_found', cancel: '409 invalid_state',
  },
  canceled: {
    get: '200', results: '200', errors: '200', acknowledgment: '404 not_found', cancel: '200',
  },
  foreign: {
    get: '404 not_found', results: '404 not_found', errors: '404 not_found', acknowledgment: '404 not_found',
    cancel: '404 not_found',
  },
};
