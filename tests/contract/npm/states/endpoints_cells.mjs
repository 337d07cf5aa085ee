// What the service answers in each state: see table.mjs.
export const cells = {
  enabled: {
    get: '200', describe: '200', enable: '200', disable: '200 → disabled on request', rotate: '200', test: '200',
    deliveries: '200', retry: '200', redeliver: '200', delete: '200 → deleted',
  },
  failing: {
    get: '200', describe: '200', enable: '200', disable: '200 → disabled on request', rotate: '200', test: '200',
    deliveries: '200', retry: '200', redeliver: '200', delete: '200 → deleted',
  },
  'disabled on request': {
    get: '200', describe: '200', enable: '200 → enabled', disable: '200', rotate: '200', test: '409 invalid_state',
    deliveries: '200', retry: '409 invalid_state', redeliver: '200', delete: '200 → deleted',
  },
  'disabled as failing': {
    get: '200', describe: '200', enable: '200 → enabled', disable: '200', rotate: '200', test: '409 invalid_state',
    deliveries: '200', retry: '409 invalid_state', redeliver: '200', delete: '200 → deleted',
  },
  'disabled as gone': {
    get: '200', describe: '200', enable: '200 → enabled', disable: '200', rotate: '200', test: '409 invalid_state',
    deliveries: '200', retry: '409 invalid_state', redeliver: '200', delete: '200 → deleted',
  },
  deleted: {
    get: '404 not_found', describe: '404 not_found', enable: '404 not_found', disable: '404 not_found',
    rotate: '404 not_found', test: '404 not_found', deliveries: '404 not_found', retry: '404 not_found',
    redeliver: '200', delete: '404 not_found',
  },
  foreign: {
    get: '404 not_found', describe: '404 not_found', enable: '404 not_found', disable: '404 not_found',
    rotate: '404 not_found', test: '404 not_found', deliveries: '404 not_found', retry: '404 not_found',
    redeliver: '404 not_found', delete: '404 not_found',
  },
};
