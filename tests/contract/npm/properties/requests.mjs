// Arbitraries of whole requests to an operation.
import fc from 'fast-check';
import { member } from './arbitraries.mjs';
import { kBodies, kPaths } from './hints.mjs';
import { bytesOf, mutation } from './mutations.mjs';
import { Live } from './values.mjs';

const some = fc.constantFrom;
const weighted = (...pairs) => fc.oneof(...pairs.map(([weight, arbitrary]) => ({ weight, arbitrary })));
const kOddPath = some('%00', '%20', '%C3%A9', '%F0%9F%98%80', '..', '.', '%2e%2e', 'a%2Fb', '%25', 'x'.repeat(300),
  '%ff', '%zz', '%', 'null', '-1', '0',
  '1e400', "'%20OR%201=1", '%0d%0aX:y', ';a=b', '~', '%7f', 'stl_01M7WPEP1G0000000000000003',
    'stl_01m7wpep1g0000000000000003');
const kOddQuery = some('', '%00', '%20', '%ff', '%zz', '%C3%A9', '-1', '0', '101', '1e3', '1.0', '+1', '01',
  '9999999999999999999999', 'true', 'TRUE', 'null',
  '2026-02-30', '2026-1-1', '9999-12-31', '0001-01-01', 'x'.repeat(300), 'a,b', '[]', '%F0%9F%98%80', '%0a');
const kOddName = some('no_such', 'limit', 'LIMIT', '', '%00', '%ff', 'a[b]', 'x'.repeat(200), 'explain', 'cursor');

function pathOf(operation) {
  const values = {};
  for (const name of operation.path.match(/(?<=\{)[^}]+/g) ?? []) {
    if (!kPaths[name]) throw new Error(`No values of the path parameter ${name}`);
    const good = kPaths[name].map((value) => (value instanceof Live ? value : encodeURIComponent(value)));
    values[name] = weighted([9, good], [1, kOddPath]);
  }
  return fc.record(values, { noNullPrototype: true });
}

function queryOf(operation, resolve) {
  const listed = operation.parameters.filter((parameter) => parameter.in === 'query');
  const values = listed.map(({ name, schema, required }) => {
    const good = member(name, schema, resolve).map((value) =>
      (value instanceof Live ? value : encodeURIComponent(value)));
    const pair = weighted([6, good], [1, kOddQuery]).map((value) => [name, value]);
    return fc.option(pair, { nil: undefined, freq: required ? 12 : 2 });
  });
  const odd = weighted([14, fc.constant([])], [1, fc.tuple(kOddName, kOddQuery).map((pair) => [pair])]);
  return fc.tuple(fc.tuple(...values), odd).map(([known, more]) => [...known.filter((pair) => pair), ...more]);
}

const kToken = weighted([60, fc.constant('admin')], [1, some('none', 'malformed', 'wrong', 'other_scope', 'basic')]);
const kKey = weighted([12, fc.constant(undefined)], [3, fc.nat({ max: 300 }).map((n) => `key-${n}`)],
  [1, some('', ' ', 'k'.repeat(255), 'k'.repeat(256), 'ké', 'a b', '\t')]);
const kAccept = weighted([30, fc.constant(undefined)],
  [4, some('application/json', 'application/problem+json', '*/*', 'application/*', 'text/csv',
  'application/x-ndjson', 'application/yaml', 'application/json;q=0', 'text/html', 'nonsense', '', 'application/pdf',
    'application/edi-x12')]);
const kContentType = weighted([30, fc.constant('application/json')],
  [1, some('application/json; charset=utf-8', 'APPLICATION/JSON', 'text/plain',
  'application/x-www-form-urlencoded', 'application/json; charset=latin1', 'application/xml', 'x', '')]);
const kOddHeader = weighted([20, fc.constant({})], [1,
  some({ 'X-Request-Id': 'mine-1' }, { 'X-Request-Id': 'é\tx' }, { 'X-Request-Id': 'x'.repeat(300) },
  { traceparent: 'nonsense' }, { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
    { 'X-Big': 'x'.repeat(9000) },
  { 'X-Big': 'x'.repeat(17_000) }, { 'If-Match': '"v1"' }, { 'If-Match': '*' }, { 'If-Match': 'nonsense' },
    { Range: 'bytes=0-1' }, { 'Content-Encoding': 'gzip' },
  { 'X-Forwarded-For': '::1' }, { Cookie: 'a=b' })]);
const kPrefer = weighted([8, fc.constant(undefined)],
  [1, some('handling=strict', 'handling=lenient', 'nonsense', '', 'return=minimal')]);

const kHeaders = fc.record({ token: kToken, key: kKey, accept: kAccept, contentType: kContentType, odd: kOddHeader,
  prefer: kPrefer }, { noNullPrototype: true });

function bodyOf(operation, resolve) {
  const same = (one) => one;
  const schema = operation.body?.content['application/json']?.schema;
  if (!schema) return weighted([12, fc.constant(undefined)],
    [1, some('{}', '[]', '{"amount":5}', 'x', '{').map((text) => () => Buffer.from(text))]);
  const any = member('', schema, resolve);
  const good = kBodies[operation.id] ? weighted([2, kBodies[operation.id]], [1, any]) : any;
  const change = weighted([1, fc.constant({ value: same, bytes: same })], [1, mutation(schema, resolve)]);
  return fc.tuple(good, change).map(([value, { value: onValue, bytes }]) => (pools) =>
    bytes(bytesOf(onValue(value), pools)));
}

/** A request to this operation; `send` below makes it concrete. */
export function requestTo(operation, resolve) {
  return fc.record({
    operation: fc.constant(operation), path: pathOf(operation), query: queryOf(operation, resolve), headers: kHeaders,
    body: bodyOf(operation, resolve),
  }, { noNullPrototype: true });
}

const written = (value, pools) => (value instanceof Live ? encodeURIComponent(pools.pick(value)) : value);

/** {operation, method, target, headers, body} with the values of the running service. */
export function concrete({ operation, path, query, headers, body }, { pools, tokens }) {
  const resource = operation.path.replace(/\{([^}]+)\}/g, (_, name) => written(path[name], pools));
  const pairs = query.map(([name, value]) => `${name}=${written(value, pools)}`).join('&');
  const fields = { ...headers.odd };
  const bytes = body?.(pools);
  if (operation.scope !== 'none' && tokens[headers.token]) fields.Authorization = tokens[headers.token];
  if (headers.key !== undefined && operation.method !== 'GET') fields['Idempotency-Key'] = headers.key;
  if (headers.accept !== undefined) fields.Accept = headers.accept;
  if (headers.prefer !== undefined) fields.Prefer = headers.prefer;
  if (bytes && headers.contentType !== '') fields['Content-Type'] = headers.contentType;
  return { operation, method: operation.method, target: resource + (pairs && `?${pairs}`), headers: fields,
    body: bytes };
}
