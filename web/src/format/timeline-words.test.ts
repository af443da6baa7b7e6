import type { TimelineEntry } from '@plimsoll/contract/wire/timeline';
import { expect, it } from 'vitest';
import { alertText, burstText } from './timeline-words.ts';

const entry = (given: Partial<TimelineEntry>): TimelineEntry => ({
  id: 'x',
  kind: 'service',
  timestamp: 10_000,
  first_at: 10_000,
  count: 1,
  severity: 'info',
  type: 'service_restart',
  message: 'nginx restarted',
  servers: [],
  servers_total: 0,
  object: null,
  objects_total: 0,
  alert_id: null,
  ended_at: null,
  ...given,
});
it('says how often and in which time', () => {
  expect(burstText(entry({}))).toBeNull();
  expect(burstText(entry({ count: 12, first_at: 7600 }))).toBe('12 times in 40 min');
  expect(burstText(entry({ count: 2 }))).toBe('2 times');
});

it('says whether an alert is open', () => {
  expect(alertText(entry({}))).toBeNull();
  expect(alertText(entry({ alert_id: 'a' }))).toBe('open');
  expect(alertText(entry({ alert_id: 'a', ended_at: 10_720 }))).toBe('ended after 12 min');
});
