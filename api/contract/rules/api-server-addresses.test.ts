import { expect, test } from 'vitest';
import { joinAddresses, MOST_ADDRESSES } from './api-server-addresses.ts';

test('the newest addresses come first, each once, and the oldest ones go', () => {
  expect(joinAddresses(['a', 'b'], ['c', 'a'])).toEqual(['c', 'a', 'b']);
  const known = Array.from({ length: MOST_ADDRESSES }, (_, index) => `k${String(index)}`);
  expect(joinAddresses(known, ['new'])).toEqual(['new', ...known.slice(0, MOST_ADDRESSES - 1)]);
});
