import { expect, it } from 'vitest';
import { onceAVisit } from './create-once.ts';
import { sessionToken } from '../state/session-token.ts';

const counted = () => {
  let made = 0;
  return onceAVisit(() => Promise.resolve((made += 1)));
};

it('makes one a visit, and one for each session', async () => {
  const token = counted();
  sessionToken.set('a');
  expect([await token.get(), await token.get()]).toEqual([1, 1]);
  sessionToken.set('b');
  expect(await token.get()).toBe(2);
  sessionToken.set(null);
});

it('makes another once it was forgotten', async () => {
  const token = counted();
  expect(await token.get()).toBe(1);
  token.forget();
  expect(await token.get()).toBe(2);
});

it('does not keep a failure', async () => {
  const answers = [Promise.reject(new Error('down')), Promise.resolve('made')];
  const token = onceAVisit(() => answers.shift() ?? Promise.resolve('again'));
  await expect(token.get()).rejects.toThrow('down');
  expect(await token.get()).toBe('made');
});
