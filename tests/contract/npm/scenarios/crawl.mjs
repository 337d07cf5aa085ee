// Reads every object that the session met, by every operation that reads one, and every list.

/** Names of path parameters by the prefix of their ids. */
const kPrefixes = {
  rev: 'review_id', stl: 'settlement_id', clm: 'claim_id', imp: 'job_id', dep: 'deposit_id', bst: 'statement_id',
  rmt: 'remittance_id', tsk: 'task_id', evt: 'event_id', pkf: 'file_id', whe: 'endpoint_id', cli: 'client_id',
  auth: 'authorization_id', trf: 'transfer_id', sec: 'secret_id', pal: 'alias_id', yal: 'alias_id',
};
/** Members whose values are path parameters. */
const kMembers = ['payee_npi', 'payer_id', 'rule_id', 'claim_identifier', 'trace_number'];
const kMostOfEach = 60;

/** Ids and names in responses, by the path parameter or member that takes them: {name: Set}. */
export function poolsOf(bodies) {
  const pools = {};
  const add = (name, value) => (pools[name] ??= new Set()).add(value);
  const learn = (value, name) => {
    if (value !== null && typeof value === 'object')
      for (const [member, part] of Object.entries(value)) learn(part, Array.isArray(value) ? name : member);
    if (typeof value !== 'string') return;
    const prefix = kPrefixes[value.match(/^([a-z]{3,4})_[0-9A-HJKMNP-TV-Z]{26}$/)?.[1]];
    if (prefix) add(prefix, value);
    if (kMembers.includes(name)) add(name, value);
  };
  bodies.forEach((body) => learn(body));
  return pools;
}

const parameter = (path) => path.match(/\{([^}]+)\}/g)?.map((text) => text.slice(1, -1)) ?? [];

const kMostPages = 20;

/** `contract` names the operations. Reads lists first, because they name more objects. */
export async function crawl(session, contract) {
  const reads = contract.operations.filter(({ method, scope }) => method === 'GET' && scope !== 'none');
  const queries = ({ parameters }) =>
    [...(parameters.some(({ name }) => name === 'explain') ? ['explain=true'] : []),
      parameters.some(({ name }) => name === 'limit') ? 'limit=100' : ''];
  for (const operation of reads.filter(({ path }) => parameter(path).length === 0))
    for (const query of queries(operation)) await read(session, operation, operation.path, query);
  const pools = poolsOf(session.bodies);
  for (const operation of reads.filter(({ path }) => parameter(path).length === 1)) {
    const [name] = parameter(operation.path);
    const values = [...(pools[name] ?? [])].slice(-kMostOfEach);
    for (const value of values)
      for (const query of queries(operation))
        await read(session, operation, operation.path.replace(`{${name}}`, encodeURIComponent(value)), query);
  }
}

/**
 * All pages, each again by its tag if the operation has tags. Refusals are part of what the service documents: an id of
 * a payout, say, may be that of an advance.
 */
async function read(session, operation, path, query) {
  const required = operation.parameters.filter(({ required: is, in: where }) => is && where === 'query');
  const today = new Date().toISOString().slice(0, 10);
  const more = required.map(({ name }) => `${name}=${name === 'payee_npi' ? '1999999984' : today}`);
  const target = (cursor) => {
    const parts = [...(query ? [query] : []), ...more, ...(cursor ? [`cursor=${encodeURIComponent(cursor)}`] : [])];
    return parts.length > 0 ? `${path}?${parts.join('&')}` : path;
  };
  let cursor;
  for (let page = 0; page === 0 || (cursor && page < kMostPages); ++page) {
    const { status, headers, body } = await session.exchange('GET', target(cursor));
    const isJson = status === 200 && /^application\/json/.test(headers['content-type']);
    const found = isJson ? JSON.parse(body) : {};
    if (isJson) session.bodies.push(found);
    if (operation.statuses.includes('304') && headers.etag)
      await session.exchange('GET', target(cursor), undefined, { headers: { 'If-None-Match': headers.etag } });
    cursor = found.next_cursor;
  }
}
