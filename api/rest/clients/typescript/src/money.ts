/**
 * Exact cents. The API sends amounts as decimal numbers, such as 790.1. JavaScript reads them as binary fractions, and
 * sums of these drift. `bigint` cannot be mixed with `number` by accident.
 */
export type Cents = bigint;

const DECIMAL = /^(-?)(\d+)(?:\.(\d{1,2}))?$/;

/** `790.1` or `"790.10"` -> `79010n`. Throws RangeError if the amount has a fraction of a cent. */
export function toCents(amount: number | string): Cents {
  // The text of a number is the shortest decimal that reads back as this number: the digits that the API sent.
  const match = DECIMAL.exec(String(amount));
  if (!match) throw new RangeError(`Not an amount with at most two decimals: ${amount}`);
  const [, sign, whole = '', fraction = ''] = match;
  const cents = BigInt(whole + fraction.padEnd(2, '0'));
  return sign ? -cents : cents;
}

/** `79010n` -> `790.1`, for a request. Throws RangeError if no number has exactly this value. */
export function toAmount(cents: Cents): number {
  const amount = Number(formatCents(cents));
  if (!DECIMAL.test(String(amount)) || toCents(amount) !== cents) throw new RangeError(`Not exact: ${cents} cents`);
  return amount;
}

/** `79010n` -> `"790.10"`. */
export function formatCents(cents: Cents): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
