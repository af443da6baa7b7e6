import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { takeFirstAnswer } from './first-answers.ts';

beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(9999));
afterEach(() => vi.restoreAllMocks());
const pageWith = (answer: Promise<Response>) =>
  Object.assign(Object.create(globalThis) as typeof globalThis, {
    firstCalls: { token: 'of-ada', answers: new Map([['/api/x', answer]]) },
  });
const take = (page: typeof globalThis, address = '/api/x', token: string | null = 'of-ada') =>
  takeFirstAnswer(address, token, page);

it('gives each answer once', async () => {
  const answer = new Response();
  const page = pageWith(Promise.resolve(answer));
  expect([await take(page, '/api/y'), await take(page)]).toEqual([undefined, answer]);
  expect(await take(page)).toBeUndefined();
});

it('gives no answer that is as old as the page', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(10_000);
  expect(await take(pageWith(Promise.resolve(new Response())))).toBeUndefined();
});

it('gives no answer to another session, and none to a reader who signed out', async () => {
  const page = pageWith(Promise.resolve(new Response()));
  expect([await take(page, '/api/x', 'of-bob'), await take(page, '/api/x', null)]).toEqual([undefined, undefined]);
});

it.each([
  ['an error', () => Promise.resolve(new Response(null, { status: 401 }))],
  ['a call that failed', () => Promise.reject(new TypeError('no network'))],
])('gives no answer of %s, so that the call is sent again', async (_, send) => {
  expect(await take(pageWith(send()))).toBeUndefined();
});
