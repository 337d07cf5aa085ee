// One fault in a valid body: at a member that the schema names, or in the text of the body.
import fc from 'fast-check';
import { Raw, toJson } from './values.mjs';

const some = fc.constantFrom;
const raw = (...texts) => some(...texts.map((text) => new Raw(text)));
const nested = (depth, open, close) => new Raw(open.repeat(depth) + close.repeat(depth));
const kDeep = fc.constantFrom(10, 40, 500, 20_000).chain((depth) =>
  some(nested(depth, '[', ']'), nested(depth, '{"a":', '}').text.replace(':}', ':1}')))
  .map((value) => (value instanceof Raw ? value : new Raw(value)));
const kNumbers = raw('1e400', '-1e400', '1e-400', '-0', '-0.0', '0.001', '1e2', '1E+2', '12345678901234567890',
  '9007199254740993',
  '99999999.991', '0.1e1', '1.', '.5', '+1', '01', '0x10', 'NaN', 'Infinity', '-', '1e', '1_000', `1${'0'.repeat(400)}`,
    `0.${'0'.repeat(400)}1`);
const kTexts = some('', ' ', '\u0000', 'a\u0000b', '\u0001', '\u001f', '\u007f', '\u0085', 'Ünïcödé', '中文', '😀',
  '\u202eabc', 'e\u0301', '\ufeff',
  '\r\nX: y', "'; DROP TABLE claims; --", '%s%n', '../../etc', '{{7*7}}', '2026-02-30', '0000-00-00', '2026-13-01',
    '+10000-01-01');
const kBadText = raw('"\\ud800"', '"\\udc00x"', '"\\x"', '"\\u12"', '"\n"', '"\t"', "'a'", '"a');
const kOtherTypes = some(true, false, 0, 1, -1, 1.5, 'x', [], {}, [null], { a: 1 }, ['x', 1]);
const kHuge = some(100, 1000, 70_000).map((length) => 'h'.repeat(length));

/** Every member that a schema names: {path, schema, required}. */
export function sites(schema, resolve, path = []) {
  const node = resolve(schema);
  if (node.oneOf) return node.oneOf.flatMap((choice) => sites(choice, resolve, path));
  if (node.items) return [{ path: [...path, 0], schema: resolve(node.items) },
    ...sites(node.items, resolve, [...path, 0])];
  return Object.entries(node.properties ?? {}).flatMap(([name, one]) => [
    { path: [...path, name], schema: resolve(one), required: (node.required ?? []).includes(name) },
    ...sites(one, resolve, [...path, name]),
  ]);
}

function beyond({ minimum, maximum, exclusiveMinimum, maxLength, minLength, maxItems, enum: listed }) {
  const values = [];
  if (minimum !== undefined) values.push(minimum - 1, minimum - 0.01);
  if (exclusiveMinimum !== undefined) values.push(exclusiveMinimum);
  if (maximum !== undefined) values.push(maximum + 0.01, maximum * 10);
  if (maxLength !== undefined) values.push('m'.repeat(maxLength + 1), '中'.repeat(maxLength + 1));
  if (minLength) values.push('m'.repeat(minLength - 1));
  if (maxItems !== undefined) values.push(Array(maxItems + 1).fill(null), Array(maxItems + 1).fill({}));
  if (listed) values.push('no_such_value', String(listed[0]).toUpperCase() + ' ');
  return values;
}

function faultAt({ path, schema, required }) {
  const values = [
    { weight: 3, arbitrary: kOtherTypes }, { weight: 2, arbitrary: kNumbers }, { weight: 2, arbitrary: kTexts },
    { weight: 1, arbitrary: kBadText }, { weight: 1, arbitrary: kDeep }, { weight: 1, arbitrary: kHuge },
    { weight: 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
      { weight: 1, arbitrary: fc.jsonValue() },
  ];
  const outside = beyond(schema);
  if (outside.length > 0) values.push({ weight: 4, arbitrary: some(...outside) });
  const set = fc.oneof(...values).map((value) => (body) => changed(body, path, value));
  const remove = fc.constant((body) => changed(body, path, undefined));
  return required ? fc.oneof({ weight: 4, arbitrary: set }, { weight: 1, arbitrary: remove }) : set;
}

/** A copy of `body` with `value` at `path`; undefined removes the member. */
function changed(body, path, value) {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const copy = typeof name === 'number' ? (Array.isArray(body) ? [...body] : []) : isMap(body) ? { ...body } : {};
  const inner = changed(copy[name], rest, value);
  if (inner === undefined) delete copy[name];
  else copy[name] = inner;
  return copy;
}

const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value) &&
  !(value instanceof Raw);

const kExtra = fc.tuple(
  some('extra', 'patient_name', 'ssn', '', ' ', '__proto__', 'constructor', 'Ünïcödé', '\u0000', 'a.b', 'a[0]',
    'x'.repeat(300)),
  fc.oneof(fc.jsonValue(), kNumbers, kDeep),
).map(([name, value]) => (body) => ({ ...body, [name]: value }));

const kWholeBody = fc.oneof(
  raw('', ' ', 'null', 'true', '1', '"text"', '[]', '[{}]', '{', '}', '{"a"', '{"a":1,}', '{"a":1 "b":2}', "{'a':1}",
    '{}{}', '{} x', '/**/{}',
    '\ufeff{}', '{"a":1,"a":2}', '\u0000'),
  kDeep, fc.json().map((text) => new Raw(text)),
).map((value) => () => value);

/** Faults in the text of a body: bytes that are lost, doubled or no UTF-8. */
const kBytes = fc.oneof(
  fc.nat().map((n) => (bytes) => bytes.subarray(0, n % (bytes.length + 1))),
  fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })).map(([n, byte]) => (bytes) => {
    const copy = Buffer.from(bytes);
    if (copy.length > 0) copy[n % copy.length] = byte;
    return copy;
  }),
  some(Buffer.from([0xff]), Buffer.from([0xc3]), Buffer.from('x'), Buffer.alloc(64, 0x20))
    .map((more) => (bytes) => Buffer.concat([bytes, more])));

/** Duplicate members: JSON allows them, and what they mean is left open. */
const kTwice = some('"status":"paid"', '"amount":1', '"payer_id":"x"', '"decision":"approve"', '"url":"x"',
  '"__proto__":{}')
  .map((pair) => (body) => new Raw(`{${pair},${pair},"rest":${isMap(body) ? '1' : '2'}}`));

/** Changes of a body: {value: body => body, bytes: bytes => bytes}. */
export function mutation(schema, resolve) {
  const same = (one) => one;
  const places = sites(schema, resolve).map(faultAt);
  const values = fc.oneof(
    { weight: 12, arbitrary: places.length > 0 ? fc.oneof(...places) : kExtra }, { weight: 2, arbitrary: kExtra },
    { weight: 1, arbitrary: kWholeBody }, { weight: 1, arbitrary: kTwice });
  return fc.oneof(
    { weight: 12, arbitrary: values.map((value) => ({ value, bytes: same })) },
    { weight: 1, arbitrary: kBytes.map((bytes) => ({ value: same, bytes })) });
}

export const bytesOf = (value, pools) => Buffer.from(toJson(value, pools), 'utf8');
