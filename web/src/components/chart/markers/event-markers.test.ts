import type { ActivityEvent } from '@plimsoll/contract/wire/activity';
import { beforeAll, expect, it } from 'vitest';
import { EARLIER, eventMarkers } from './event-markers.ts';
import { chosenZone } from '../../../time/zone.ts';

const event = { id: 'a', timestamp: 3720, message: 'nginx stopped\u202e' } as ActivityEvent;

beforeAll(() => chosenZone.set('UTC'));

it('marks each event with its time and its words', () => {
  expect(eventMarkers([event], 1, 0)).toEqual([
    { id: 'a', from: 3720, to: null, tone: 'event', words: '1 Jan 01:02 nginx stopped\\u202E' },
  ]);
});

it('names an event of today by its time alone', () => {
  const today = { ...event, timestamp: Math.floor(Date.now() / 86_400_000) * 86_400 + 3720 };
  expect(eventMarkers([today], 1, 0)[0]?.words).toMatch(/^01:02 nginx/);
});

it('counts those before the oldest one that was asked for, where the range begins', () => {
  expect(eventMarkers([event], 42, 100)[1]).toEqual({
    id: EARLIER,
    from: 100,
    to: 3720,
    tone: 'event',
    words: '41 earlier events',
    count: 41,
  });
  expect(eventMarkers([], 0, 100)).toEqual([]);
});

it('takes no leading event for the oldest of those by time', () => {
  const crash = { id: 'b', timestamp: 120, message: 'crashed' } as ActivityEvent;
  expect(eventMarkers([crash, event], 42, 100, [event])[2]).toMatchObject({ id: EARLIER, to: 3720, count: 40 });
});
