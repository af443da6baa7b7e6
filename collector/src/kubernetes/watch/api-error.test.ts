import type { ReaderState } from '@plimsoll/contract/rules/kubernetes-limits';
import { expect, it } from 'vitest';
import { ApiError, readerStateOf, reasonOf } from './api-error.ts';

it.each<[number, ReaderState, string]>([
  [0, 'unreachable', 'its own words'],
  [401, 'forbidden', 'the API server does not accept our service account token'],
  [403, 'forbidden', 'forbidden: needs nodes/stats get'],
  [404, 'absent', 'not served by this cluster: its own words'],
  [410, 'unreachable', 'its own words'],
  [429, 'down', 'its own words'],
  [500, 'down', 'its own words'],
  [503, 'down', 'its own words'],
])('status %d: the reader is %s, because %s', (status, state, reason) => {
  const error = new ApiError(status, 'its own words');
  expect([readerStateOf(error), reasonOf(error, 'get nodes/stats')]).toEqual([state, reason]);
});

it('a refusal without a known need is told in the server’s words', () => {
  expect(reasonOf(new ApiError(403, 'pods is forbidden'), null)).toBe('pods is forbidden');
});

it.each([
  ['list,watch pods', 'forbidden: needs pods list,watch'],
  ['list,watch replicasets.apps', 'forbidden: needs replicasets.apps list,watch'],
  ['list nodes,pods.metrics.k8s.io', 'forbidden: needs nodes,pods.metrics.k8s.io list'],
])('"%s" becomes "%s", as a role writes it', (needs, reason) => {
  expect(reasonOf(new ApiError(403, 'x'), needs)).toBe(reason);
});

it('anything else thrown is a server out of reach, in its words', () => {
  expect([readerStateOf(new Error('x')), reasonOf('x', null)]).toEqual(['unreachable', 'x']);
});
