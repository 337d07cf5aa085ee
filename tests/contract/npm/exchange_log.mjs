// Records responses for contract_exchanges, as tests/support/service/exchange_log does for tests in C++.
import { appendFileSync } from 'node:fs';

const file = process.env.TIDEOVER_TEST_EXCHANGES;

/** Appends a line of JSON {request, head, body}; without the variable TIDEOVER_TEST_EXCHANGES it does nothing. */
export function logExchange({ method, target }, { status, headers, body }) {
  if (!file) return;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`;
  appendFileSync(file, `${JSON.stringify({ request: `${method} ${target}`, head, body })}\n`);
}
