// A table of states and operations: each cell says what an operation answers in a state, and which state follows.
//
// A cell is "STATUS", "STATUS error" or "STATUS → state". Without an arrow the object stays in its state. An operation
// whose result is no status gives a text of its own.

/**
 * object: {
 *   title, intro, parameter    heading and text of the page; the parameter of paths that names the object
 *   states                     name: {text, make(tenant, world), ...}, see below
 *   operations                 name: {operation, label, call(tenant, subject)}; `operation` is the operationId
 *   observe(tenant, subject)   what distinguishes states, as a text
 *   cells                      state: {operation: expected}
 *   values                     [place, except]: each value of the enum at this place of openapi.yaml, except some, is a
 *                              word of what `observe` returns in a state
 *   dash, implied              for the page: the cell that is shown as a dash; whether an arrow to the state that has
 *                              the name of the operation is left out
 *   atOnce                     states that are tested at the same time
 * }
 * A state has: text (for the page), seen (what `observe` returns in it), make(tenant, world) (creates an object and
 * returns what the operations need), and optionally:
 *   service, tenant            of the objects, where it is not the usual one and a new tenant
 *   caller                     foreign or colleague: a client of another tenant calls, or another client of the tenant
 *   then(tenant, subjects)     after all objects of the state were made
 *   finish(subjects)           after all operations
 *   alone                      the objects are made one after the other, each just before its operation;
 *   drop(tenant, subject)      ends such an object
 *   shared                     there is only one object; operations that change its state come last
 */
export function problemsOf(object, contract) {
  const problems = [];
  const { states, operations, cells } = object;
  for (const { id, path } of contract.operations)
    if (path.includes(`{${object.parameter}}`) && !Object.values(operations).some(({ operation }) => operation === id))
      problems.push(`${object.title}: the operation ${id} has no column`);
  for (const { operation } of Object.values(operations))
    if (!contract.operations.some(({ id }) => id === operation))
      problems.push(`${object.title}: openapi.yaml has no operation ${operation}`);
  for (const state of Object.keys(states))
    for (const operation of Object.keys(operations))
      if (typeof cells[state]?.[operation] !== 'string')
        problems.push(`${object.title}: no entry for "${operation}" in the state "${state}"`);
  const words = new Set(Object.values(states).flatMap(({ seen }) => seen.split(' ')));
  for (const [place, except = []] of object.values)
    for (const value of contract.at(place).enum)
      if (!words.has(value) && !except.includes(value))
        problems.push(`${object.title}: no state has the value "${value}" of ${place.join('.')}`);
  for (const [state, row] of Object.entries(cells))
    for (const operation of Object.keys(row))
      if (!states[state] || !operations[operation])
        problems.push(`${object.title}: the entry "${state}" × "${operation}" has no such state or operation`);
  return problems;
}

/** Every cell of a state as the service answers it: {operation: cell}. */
export async function observedIn(object, name, world) {
  const state = object.states[name];
  const maker = await world.tenant(state.service, state.tenant);
  const named = state.caller === 'colleague' ? maker.name : undefined;
  const caller = state.caller ? await world.tenant(state.service, named) : maker;
  const operations = Object.entries(object.operations);
  const row = {};
  const fill = async ([key, operation], subject) => {
    row[key] = await cellOf(object, name, operation, caller, subject);
  };
  if (state.alone) {
    for (const operation of operations) {
      const subject = await state.make(maker, world);
      await fill(operation, subject);
      await state.drop?.(maker, subject);
    }
  } else if (state.shared) {
    const subject = await state.make(maker, world);
    const changes = ([key]) => (object.cells[name]?.[key] ?? '').includes('→');
    for (const operation of [...operations].sort((a, b) => changes(a) - changes(b))) await fill(operation, subject);
  } else {
    const subjects = await Promise.all(operations.map(() => state.make(maker, world)));
    await state.then?.(maker, subjects);
    await Promise.all(operations.map((operation, at) => fill(operation, subjects[at])));
    await state.finish?.(subjects);
  }
  return row;
}

async function cellOf(object, name, operation, tenant, subject) {
  const before = await object.observe(tenant, subject);
  const { seen } = object.states[name];
  if (before !== seen) throw new Error(`${object.title}: "${name}" is "${before}", not "${seen}"`);
  const { status, value, text } = await operation.call(tenant, subject);
  const after = await object.observe(tenant, subject);
  const answer = text ?? (status < 400 ? `${status}` : `${status} ${value?.error}`);
  return after === before ? answer : `${answer} → ${nameOf(object, after)}`;
}

const nameOf = (object, seen) =>
  Object.entries(object.states).find(([, state]) => state.seen === seen)?.[0] ?? `? ${seen}`;
