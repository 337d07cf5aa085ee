// Requests that provoke the refusals that an operation documents: no token, a token without the scope, a path that
// names nothing, another media type, too large a body, a key that was used for another body.
const kTooLarge = 34 * 1024 * 1024;

const target = ({ path }) => path.replace(/\{period\}/, '2020-01').replace(/\{payee_npi\}/, '1234567893')
  .replace(/\{[^}]+\}/g, 'nothing_here');

/** Requests of an operation; `token` permits everything, `other` has another scope. */
export function* refusals(operation, { token, other }) {
  const { method } = operation;
  const body = operation.body ? Buffer.from('{}') : undefined;
  const request = (headers, changes = {}) => ({
    method, target: target(operation), body, ...changes,
    headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers },
  });
  yield request({ Authorization: token });
  yield request({ Authorization: token }, { target: `${target(operation)}?no_such_parameter=1` });
  if (operation.scope !== 'none') yield request({});
  if (!['none', 'any'].includes(operation.scope)) yield request({ Authorization: other });
  if (operation.statuses.includes('415')) yield request({ Authorization: token, 'Content-Type': 'text/plain' });
  if (operation.statuses.includes('413'))
    yield request({ Authorization: token }, { body: Buffer.alloc(kTooLarge, 0x20) });
}
