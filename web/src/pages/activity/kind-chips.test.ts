import { DEFAULT_TIMELINE_KINDS, TIMELINE_KINDS } from '@plimsoll/contract/rules/timeline';
import { expect, it } from 'vitest';
import { readKinds, toggledKinds } from './kind-chips.tsx';

it('shows everything but the runs of processes until someone chooses', () => {
  expect(readKinds('')).toEqual(DEFAULT_TIMELINE_KINDS);
  expect(readKinds('nonsense')).toEqual(DEFAULT_TIMELINE_KINDS);
  expect(readKinds('process,alert')).toEqual(['alert', 'process']);
});

it('adds and removes a kind, leaves the default unsaid, and keeps the last one', () => {
  expect(readKinds(toggledKinds(DEFAULT_TIMELINE_KINDS, 'process'))).toEqual(TIMELINE_KINDS);
  expect(toggledKinds(TIMELINE_KINDS, 'process')).toBe('');
  expect(toggledKinds(['alert', 'oom'], 'oom')).toBe('alert');
  expect(toggledKinds(['alert'], 'alert')).toBe('alert');
});
