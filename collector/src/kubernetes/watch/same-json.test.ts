import { expect, test } from 'vitest';
import { isSameJson } from './same-json.ts';

const pod = () => ({ name: 'a', ready: true, labels: { app: 'web' }, containers: [{ name: 'c', exit: null }] });

test('equal trees are the same, in whatever order their keys are', () => {
  expect(isSameJson(pod(), pod())).toBe(true);
  expect(isSameJson({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
  expect(isSameJson([], [])).toBe(true);
});

test.each([
  [pod(), { ...pod(), name: 'b' }],
  [pod(), { ...pod(), labels: { app: 'api' } }],
  [pod(), { ...pod(), labels: { application: 'web' } }],
  [pod(), { ...pod(), containers: [] }],
  [pod(), { ...pod(), containers: [{ name: 'c', exit: { code: 1 } }] }],
  [{ a: null }, { a: {} }],
  [{ 0: 1 }, [1]],
  [{ a: undefined }, { b: undefined }],
  [1, '1'],
])('%j and %j are not', (a, b) => {
  expect(isSameJson(a, b)).toBe(false);
});
