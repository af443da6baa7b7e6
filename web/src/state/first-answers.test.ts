import { afterEach, expect, it, vi } from 'vitest';
import { takeFirstAnswer } from './first-answers.ts';

afterEach(() => vi.restoreAllMocks());
const pageWith = (answer: Promise<Response>) =>
  Object.assign(Object.create(globalThis) as typeof globalThis, { firstCalls: new Map([['/api/x', answer]]) });

it('gives each answer once', () => {
  vi.spyOn(performance, 'now').mockReturnValue(9999);
  const answer = Promise.resolve(new Response());
  const page = pageWith(answer);
  expect([takeFirstAnswer('/api/y', page), takeFirstAnswer('/api/x', page)]).toEqual([undefined, answer]);
  expect(takeFirstAnswer('/api/x', page)).toBeUndefined();
});

it('gives no answer that is as old as the page', () => {
  vi.spyOn(performance, 'now').mockReturnValue(10_000);
  expect(takeFirstAnswer('/api/x', pageWith(Promise.resolve(new Response())))).toBeUndefined();
});
