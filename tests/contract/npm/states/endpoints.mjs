// Webhook endpoints: enabled, failing, disabled for each reason, deleted.
import { eventually } from '../service.mjs';
import { cells } from './endpoints_cells.mjs';

const path = ({ id }, rest = '') => `/v1/webhooks/endpoints/${id}${rest}`;

async function observe(tenant, subject) {
  const { status: code, value } = await tenant.send('GET', path(subject));
  if (code === 404) return 'absent';
  const { status, disabled_reason: reason, failing_since: failing } = value;
  return [status, reason ?? (failing ? 'failing_since' : '-')].join(' ');
}

const attempted = (tenant, { id, event }) => eventually('the first attempt has ended', async () => {
  const { data } = await tenant.get(path({ id }, '/deliveries'));
  return data.some((one) => one.event_id === event && one.attempts > 0 && !one.in_progress);
});

/** An endpoint whose receiver answers with `status`, and one delivery that was attempted: {id, event}. */
async function endpoint(tenant, world, status = 204) {
  const { id } = await tenant.post('/v1/webhooks/endpoints', { url: await world.receiverOf(status) });
  const { event_id: event } = await tenant.post(path({ id }, '/test'));
  await attempted(tenant, { id, event });
  return { id, event };
}

const changed = (change) => async (tenant, world) => {
  const subject = await endpoint(tenant, world);
  await change(tenant, subject);
  return subject;
};

/** Lets further deliveries fail, this time after the first one. */
const failsFor = (duration) => async (tenant, subjects) => {
  await tenant.advance(duration);
  for (const subject of subjects)
    for (let time = 0; time < 2; ++time) await tenant.send('POST', path(subject, '/test'));  // until it is disabled
  for (const subject of subjects)
    await eventually('the endpoint is disabled', async () =>
      (await tenant.get(path(subject))).status === 'disabled');
};

const disable = (tenant, subject) => tenant.patch(path(subject), { status: 'disabled' });

const states = {
  enabled: { text: '`enabled`, the last delivery succeeded', seen: 'enabled -', make: endpoint },
  failing: { text: '`enabled` with `failing_since`: the last delivery failed', seen: 'enabled failing_since',
    make: (tenant, world) => endpoint(tenant, world, 500) },
  'disabled on request': { text: '`disabled`, `disabled_reason: requested`', seen: 'disabled requested',
    make: changed(disable) },
  // First: a later move of the clock would end these endpoints as failing.
  'disabled as gone': { text: '`disabled`, `disabled_reason: gone`', seen: 'disabled gone',
    make: (tenant, world) => endpoint(tenant, world, 410), then: failsFor('PT1M') },
  'disabled as failing': { text: '`disabled`, `disabled_reason: failing`', seen: 'disabled failing',
    make: (tenant, world) => endpoint(tenant, world, 500), then: failsFor('PT4M') },
  deleted: { text: 'Deleted', seen: 'absent',
    make: changed((tenant, subject) => tenant.send('DELETE', path(subject))) },
  foreign: { text: 'Of another tenant', caller: 'foreign', seen: 'absent', make: endpoint },
};

const post = (rest, body) => (tenant, subject) => tenant.send('POST', path(subject, rest), body);
const patch = (body) => (tenant, subject) => tenant.send('PATCH', path(subject), body);

const operations = {
  get: { operation: 'getWebhookEndpoint', label: 'Get', call: (tenant, subject) => tenant.send('GET', path(subject)) },
  describe: { operation: 'updateWebhookEndpoint', label: 'Change the description',
    call: patch({ description: 'New' }) },
  enable: { operation: 'updateWebhookEndpoint', label: 'Enable', call: patch({ status: 'enabled' }) },
  disable: { operation: 'updateWebhookEndpoint', label: 'Disable', call: patch({ status: 'disabled' }) },
  rotate: { operation: 'rotateWebhookSecret', label: 'Rotate the secret', call: post('/rotate-secret', {}) },
  test: { operation: 'testWebhookEndpoint', label: 'Send a test event', call: post('/test') },
  deliveries: { operation: 'listWebhookDeliveries', label: 'List deliveries',
    call: (tenant, subject) => tenant.send('GET', path(subject, '/deliveries')) },
  retry: { operation: 'retryWebhookDelivery', label: 'Retry a delivery',
    call: (tenant, subject) => tenant.send('POST', path(subject, `/deliveries/${subject.event}/retry`)) },
  redeliver: { operation: 'redeliverEvent', label: 'Redeliver the event',
    call: (tenant, { event }) => tenant.send('POST', `/v1/events/${event}/redeliver`) },
  delete: { operation: 'deleteWebhookEndpoint', label: 'Delete',
    call: (tenant, subject) => tenant.send('DELETE', path(subject)) },
};

export const endpoints = {
  title: 'Webhook endpoints', parameter: 'endpoint_id', states, operations, observe, cells,
  values: [
    [['components', 'schemas', 'WebhookEndpoint', 'properties', 'status']],
    [['components', 'schemas', 'WebhookEndpoint', 'properties', 'disabled_reason']],
  ],
  intro: 'Retry and redelivery are of an event that was sent to the endpoint before.',
};
