// Checks that each list with pages takes `order`, `created_from` and `created_to`, or is an exception with its reason
// (core/docs/contract.md#lists-and-metadata). Exits with 1 for any other list, and for an exception that is none.
import { readFileSync } from 'node:fs';
import { parseYaml } from '@redocly/openapi-core';

const kBounds = ['order', 'created_from', 'created_to'];
const byKey = ['listPayers', 'listReasonCodes', 'listFundingRails', 'listRoles', 'listPayees', 'listLedgerBalances',
  'getOutstanding', 'listPeriods', 'getChangelog'];
const inOrderOfWriting = ['listEvents', 'listAuditRows', 'listJournal', 'listLedgerEntries', 'getPayeeStatement'];
/** The parameters that a list has of kBounds. */
const exceptions = new Map([
  ...[...byKey, ...inOrderOfWriting, 'getBankReconciliation', 'getPayout'].map((id) => [id, []]),
  ...['listClaimStatusHistory', 'listBankStatements', 'listPickupFiles', 'listWebhookDeliveries', 'listRuleBundles']
    .map((id) => [id, ['order']]),
]);

const document = parseYaml(readFileSync(process.argv[2], 'utf8'));
const at = (value) => (value?.$ref ? at(value.$ref.slice(2).split('/').reduce((node, key) => node[key], document)) : value);
const members = (schema) => Object.assign({}, at(schema)?.properties, ...(at(schema)?.allOf ?? []).map(members));

const problems = [];
const known = new Set();
for (const [path, item] of Object.entries(document.paths)) {
  const { operationId: id, parameters = [], responses } = item.get ?? {};
  const body = members(at(responses?.['200'])?.content?.['application/json']?.schema);
  if (!body.next_cursor) continue;
  known.add(id);
  const names = parameters.map((parameter) => at(parameter).name);
  const has = kBounds.filter((name) => names.includes(name)).join(' ');
  const expected = (exceptions.get(id) ?? kBounds).join(' ');
  if (has !== expected) problems.push(`${path}: ${id} has the parameters "${has}", not "${expected}"`);
}
for (const id of exceptions.keys()) if (!known.has(id)) problems.push(`${id} is no list with pages`);
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
