import { expect, it } from 'vitest';
import { createOnce } from './create-once.ts';
import { sessionToken } from '../state/session-token.ts';

const counted = () => {
  let created = 0;
  return createOnce(() => Promise.resolve((created += 1)));
};

it('creates one object for each session', async () => {
  const token = counted();
  sessionToken.set('a');
  expect([await token.get(), await token.get()]).toEqual([1, 1]);
  sessionToken.set('b');
  expect(await token.get()).toBe(2);
  sessionToken.set(null);
});

it('creates another after clear', async () => {
  const token = counted();
  expect(await token.get()).toBe(1);
  token.clear();
  expect(await token.get()).toBe(2);
});

it('does not cache a failure', async () => {
  const answers = [Promise.reject(new Error('down')), Promise.resolve('created')];
  const token = createOnce(() => answers.shift() ?? Promise.resolve('again'));
  await expect(token.get()).rejects.toThrow('down');
  expect(await token.get()).toBe('created');
});
