import type { ReaderState } from '@plimsoll/contract/rules/kubernetes-limits';
import { expect, it } from 'vitest';
import { fails } from './collector-status.ts';
import { withCustomResourcesOff } from './custom-resource-readers.ts';

const NAMES = ['alertrules.plimsoll.dev', 'notificationchannels.plimsoll.dev', 'silences.plimsoll.dev'];
const reader = (name: string, state: ReaderState) => ({ name, state, detail: 'x', since: 0, needs: 'list,watch x' });
const failing = (...states: ReaderState[]) =>
  withCustomResourcesOff([
    reader('pods', 'forbidden'),
    ...states.map((state, index) => reader(NAMES[index] ?? '', state)),
  ])
    .filter(fails)
    .map(({ name }) => name);

it('is no failure that the chart installs no custom resources', () => {
  expect(failing('absent', 'absent', 'absent')).toEqual(['pods']);
  expect(failing('forbidden', 'forbidden', 'forbidden')).toEqual(['pods']);
  expect(failing('absent', 'forbidden', 'absent')).toEqual(['pods']);
});

it('is a failure that only some of them are missing, or that the API server fails', () => {
  expect(failing('absent', 'ok', 'ok')).toEqual(['pods', 'alertrules.plimsoll.dev']);
  expect(failing('ok', 'forbidden', 'ok')).toEqual(['pods', 'notificationchannels.plimsoll.dev']);
  expect(failing('unreachable', 'unreachable', 'unreachable')).toEqual(['pods', ...NAMES]);
  // A collector that does not send all three is older than one of them.
  expect(failing('absent')).toEqual(['pods', 'alertrules.plimsoll.dev']);
});
