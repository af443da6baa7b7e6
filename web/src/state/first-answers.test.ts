import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { takeFirstAnswer } from './first-answers.ts';

beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(9999));
afterEach(() => vi.restoreAllMocks());
const pageWith = (answer: Promise<Response>, address = '/api/x') =>
  Object.assign(Object.create(globalThis) as typeof globalThis, {
    firstCalls: { token: 'of-ada', answers: new Map([[address, answer]]) },
  });
const take = (page: typeof globalThis, address = '/api/x', token: string | null = 'of-ada') =>
  takeFirstAnswer(address, token, page);

it('gives each answer once', async () => {
  const answer = new Response();
  const page = pageWith(Promise.resolve(answer));
  expect([await take(page, '/api/y'), await take(page)]).toEqual([undefined, answer]);
  expect(await take(page)).toBeUndefined();
});

it('gives the answer of a list that began some seconds earlier, and not of one with another range', async () => {
  const answer = new Response();
  const page = () => pageWith(Promise.resolve(answer), '/api/x?limit=9&start_date=86400&folded=false');
  expect(await take(page(), '/api/x?limit=9&start_date=86403&folded=false')).toBe(answer);
  for (const other of ['limit=9&start_date=86411', 'limit=9', 'limit=8&start_date=86400', 'limit=9&start_date=0'])
    expect(await take(page(), `/api/x?${other}&folded=false`)).toBeUndefined();
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
