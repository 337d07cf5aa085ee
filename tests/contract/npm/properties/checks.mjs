// What must hold for every response.

/** Server errors that the contract promises: 503 when the simulated bank keeps its answer to itself (`tok_timeout`). */
const kPromised = [
  { operations: ['confirmSettlement', 'payResidual', 'payPractice'], status: 503,
    errors: ['rail_outcome_unknown', 'rail_unavailable'] },
];

const violation = (rule, detail) => ({ rule, detail });

function promised({ operation }, { status }, error) {
  return kPromised.some((one) => one.operations.includes(operation.id) && one.status === status &&
    one.errors.includes(error));
}

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Names in `details.fields` and `details.missing`. */
export function namedFields(body) {
  const { fields = {}, missing = [] } = body?.details ?? {};
  return [...Object.keys(fields), ...missing];
}

/** ["lines", "0", "units"] as `lines[0].units`, the form of `details.fields`. */
const written = (path) => path.length === 0 ? 'body'
  : path.reduce((text, part) => (/^\d+$/.test(part) ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`), '');
const pattern = (path) => written(path).replace(/\[\d+\]/g, '[]');
/** `details.fields` may name the member, one around it or one in it. */
const isNamed = (name, named) =>
  named.some((one) => one === name || [`${name}.`, `${name}[`].some((start) => one.startsWith(start)) ||
    [`${one}.`, `${one}[`].some((start) => name.startsWith(start)));

const kDeepest = 100;  // no schema is deeper, and some bodies nest further than this program could follow

/** A member that is null counts as absent, by the first page of the contract. */
function withoutNulls(value, depth = 0) {
  if (typeof value !== 'object' || value === null || depth > kDeepest) return value;
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, depth + 1));
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member, depth + 1)]));
}

function* rejections(request, answer, body, faults) {
  if (answer.status !== 400) return;
  const named = namedFields(body);
  if (named.length === 0) yield violation('names no field', body?.error);
  if (body?.error !== 'validation_error') return;
  for (const { path, message } of faults)
    if (!isNamed(written(path), named)) yield violation('does not name the fault', `${pattern(path)}: ${message}`);
}

/** Violations in an answer: [{rule, detail}]. The rule and the detail together name a kind of fault. */
export function check(contract, request, answer) {
  const { operation } = request;
  const found = [];
  const body = parsed(answer.body);
  if (answer.status >= 500 && !promised(request, answer, body?.error)) found.push(violation('server error',
    `${answer.status} ${body?.error}`));
  for (const fault of contract.responseFaults(operation, answer)) found.push(violation('response',
    `${answer.status}: ${fault}`));
  const value = operation.body && request.body && parsed(request.body.toString('utf8'));
  const faults = value === undefined ? [] : contract.requestFaults(operation, withoutNulls(value));
  found.push(...rejections(request, answer, body, faults));
  if (answer.status < 300 && isJson(request)) for (const { path, message } of faults) found.push(violation('accepts',
    `${pattern(path)}: ${message}`));
  return found;
}

const isJson = ({ headers }) => (headers['Content-Type'] ?? '').toLowerCase().startsWith('application/json');
