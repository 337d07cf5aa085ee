// Arbitraries of values that a schema of the contract allows.
import fc from 'fast-check';
import { kHints } from './hints.mjs';

/** Characters that are one code point each, so that lengths are those that the schema counts. */
const kCharacters = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) },
  { weight: 1, arbitrary: fc.constantFrom('é', 'ß', '中', 'א', '😀', '\u00a0', '\u2028', '\u202e', '\u0301') });
const kAnyDate = fc.date({ min: new Date('1890-01-01'), max: new Date('2110-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

function text(schema, resolve) {
  if (schema.format === 'date') return kAnyDate;
  if (schema.format === 'date-time') return kAnyDate.map((day) => `${day}T12:30:00Z`);
  if (schema.format === 'uri') return kHints.url;
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern));
  const { minLength = 0, maxLength = 60 } = schema;
  const short = fc.string({ unit: kCharacters, minLength, maxLength: Math.min(maxLength, 60) });
  return fc.oneof({ weight: 9, arbitrary: short }, { weight: 1, arbitrary: fc.constant('m'.repeat(maxLength)) });
}

function number(schema) {
  const least = schema.minimum ?? (schema.exclusiveMinimum === undefined ? -1e6 : schema.exclusiveMinimum + 0.01);
  const most = schema.maximum ?? 1e6;
  if (schema.type === 'integer') return fc.integer({ min: Math.ceil(least),
    max: Math.min(Math.floor(most), 2 ** 31 - 1) });
  const whole = fc.integer({ min: Math.ceil(least * 100), max: Math.floor(most * 100) }).map((cents) => cents / 100);
  return fc.oneof({ weight: 8, arbitrary: whole }, { weight: 1, arbitrary: fc.constantFrom(least, most) });
}

function object(schema, resolve) {
  const properties = Object.entries(schema.properties ?? {});
  const known = fc.record(
    Object.fromEntries(properties.map(([name, one]) => [name, member(name, one, resolve)])),
    { requiredKeys: schema.required ?? [], noNullPrototype: true });
  if (properties.length > 0 || typeof schema.additionalProperties !== 'object') return known;
  const others = member('', schema.additionalProperties, resolve);
  return fc.dictionary(fc.constantFrom('claim_identifier', 'cpt', 'file.dates', 'x'), others, { maxKeys: 2 });
}

function ofType(type, schema, resolve) {
  switch (type) {
    case 'null': return fc.constant(null);
    case 'boolean': return fc.boolean();
    case 'string': return text(schema, resolve);
    case 'integer': case 'number': return number({ ...schema, type });
    case 'array': return fc.array(valid(schema.items, resolve),
      { minLength: schema.minItems ?? 0, maxLength: Math.min(schema.maxItems ?? 3, 3) });
    case 'object': return object(schema, resolve);
    default: throw new Error(`No arbitrary of type ${type}`);
  }
}

/** Values that fit `schema`; `resolve` follows a reference. */
export function valid(schema, resolve) {
  const node = resolve(schema);
  if ('const' in node) return fc.constant(node.const);
  if (node.enum) return fc.constantFrom(...node.enum);
  const choices = node.oneOf ?? node.anyOf;
  if (choices) return fc.oneof(...choices.map((choice) => valid(choice, resolve)));
  if (node.allOf) throw new Error('No arbitrary of allOf');
  const types = [node.type].flat();
  return fc.oneof(...types.map((type) => ({ weight: type === 'null' ? 1 : 5,
    arbitrary: ofType(type, node, resolve) })));
}

/** The same for a member or parameter of this name: mostly a value that means something to the service. */
export function member(name, schema, resolve) {
  const any = valid(schema, resolve);
  const hint = kHints[name];
  return hint ? fc.oneof({ weight: 9, arbitrary: hint }, { weight: 1, arbitrary: any }) : any;
}
