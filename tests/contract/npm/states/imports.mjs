// Imports of claims by their progress.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { eventually } from '../service.mjs';
import { cells } from './imports_cells.mjs';

const path = ({ id }, rest = '') => `/v1/imports/claims/${id}${rest}`;
const base64 = (text) => Buffer.from(text).toString('base64');

/** Starts an import of claims; returns its id. */
export async function importOf(tenant, rows, options = {}) {
  const payload = base64(rows.map((row) => JSON.stringify(row)).join('\n'));
  return (await tenant.post('/v1/imports/claims', { format: 'ndjson', payload, ...options })).job_id;
}

/** "status", "canceled" for a job that a client ended; "absent" for another tenant. */
async function observe(tenant, subject) {
  const { status: code, value } = await tenant.send('GET', path(subject));
  if (code === 404) return 'absent';
  return value.canceled_at ? 'canceled' : value.status;
}

const reaches = (tenant, subject, wanted) => eventually(`the import is ${wanted}`, async () =>
  (await observe(tenant, subject)) === wanted && subject);

/** A job of many rows, which keeps the only worker busy. */
async function large(tenant) {
  const rows = Array.from({ length: 4000 }, () => JSON.stringify(tenant.claim()));
  const payload = gzipSync(rows.join('\n')).toString('base64');
  const { job_id: id } = await tenant.post('/v1/imports/claims', { format: 'ndjson', encoding: 'gzip', payload });
  return { id };
}

async function running(tenant) {
  return reaches(tenant, await large(tenant), 'running');
}

async function queued(tenant) {
  const before = await running(tenant);
  return { id: await importOf(tenant, [tenant.claim()]), before };
}

const cancel = (tenant, { id }) => tenant.send('POST', `/v1/imports/claims/${id}/cancel`);

const small = async (tenant, rows = [tenant.claim()]) => ({ id: await importOf(tenant, rows) });

/** A professional claim as X12 837. */
async function x12(tenant) {
  const payload = base64(readFileSync(join(process.env.TIDEOVER_SOURCE_DIR, 'tests/fuzz/corpus/x12_837/professional')));
  const { job_id: id } = await tenant.post('/v1/imports/claims', { format: 'x12_837', payload });
  return reaches(tenant, { id }, 'succeeded');
}

const states = {
  queued: { text: '`queued`', make: queued, alone: true, seen: 'queued',
    drop: async (tenant, subject) => {
      await cancel(tenant, subject.before);
      await cancel(tenant, subject);
    } },
  running: { text: '`running`', make: running, alone: true, seen: 'running', drop: cancel },
  succeeded: { text: '`succeeded`', seen: 'succeeded',
    make: async (tenant) => reaches(tenant, await small(tenant), 'succeeded') },
  'X12 succeeded': { text: '`succeeded`, the file is an X12 837', seen: 'succeeded', make: x12 },
  failed: { text: '`failed`: all rows were rejected', seen: 'failed',
    make: async (tenant) => reaches(tenant, await small(tenant, [tenant.claim({ submitted_amount: -1 })]), 'failed') },
  canceled: { text: '`failed` with `canceled_at`', alone: true, seen: 'canceled',
    make: async (tenant) => {
      const subject = await running(tenant);
      await cancel(tenant, subject);
      return subject;
    } },
  foreign: { text: 'Of another tenant', caller: 'foreign', seen: 'absent', make: (tenant) => small(tenant) },
};

const read = (rest) => (tenant, subject) => tenant.send('GET', path(subject, rest));

const operations = {
  get: { operation: 'getImport', label: 'Get', call: read('') },
  results: { operation: 'listImportResults', label: 'List results', call: read('/results') },
  errors: { operation: 'listImportErrors', label: 'List errors', call: read('/errors') },
  acknowledgment: { operation: 'getImportAcknowledgment', label: 'Get the acknowledgment',
    call: (tenant, subject) =>
      tenant.send('GET', path(subject, '/acknowledgment'), undefined, { Accept: 'application/edi-x12' }) },
  cancel: { operation: 'cancelImport', label: 'Cancel', call: cancel },
};

export const imports = {
  title: 'Imports', parameter: 'job_id', states, operations, observe, cells,
  values: [[['components', 'schemas', 'ImportJob', 'properties', 'status']]],
  atOnce: 1,  // the service has one worker of imports
  intro: 'The acknowledgment is a 999. Only X12 files have one.',
};
