// Amounts are exact cents in both directions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCents, toAmount, toCents } from './dist/index.js';

test('amounts become cents without binary fractions', () => {
  const cases = [[0, 0n], [790, 79000n], [790.1, 79010n], [0.07, 7n], [1.15, 115n], [-12.8, -1280n], ['4.35', 435n]];
  for (const [amount, cents] of cases) assert.equal(toCents(amount), cents, `${amount}`);
});

test('cents that sum up stay exact where numbers drift', () => {
  const amounts = [0.1, 0.2, 0.3, 0.4, 0.7];
  assert.notEqual(0.1 + 0.2, 0.3);
  assert.equal(amounts.map((amount) => toCents(amount)).reduce((a, b) => a + b), 170n);
});

test('every amount up to a million dollars, and the largest, returns unchanged', () => {
  for (let cents = 0n; cents < 100_000_000n; cents += 997n) assert.equal(toCents(toAmount(cents)), cents);
  assert.equal(toCents(toAmount(9_999_999_999_999n)), 9_999_999_999_999n);
  assert.equal(toAmount(79010n), 790.1);
});

test('a value that is not exact is refused', () => {
  for (const amount of [0.001, 1e-7, 1e21, NaN, Infinity, '1.', '.5', '', '1,00', ' 1', '1e2'])
    assert.throws(() => toCents(amount), RangeError, `${amount}`);
  assert.throws(() => toAmount(12_345_678_901_234_567_890n), RangeError);
});

test('cents are printed with two decimals', () => {
  assert.deepEqual([0n, 5n, -5n, 79010n, -128000n].map(formatCents), ['0.00', '0.05', '-0.05', '790.10', '-1280.00']);
});
