import { expect, test } from 'vitest';
import { silencePeriod, type AskedPeriod } from './silence-period.ts';

const NOW = 1_000_000_000_000;
const MINUTE = 60_000;
const DAY = 86_400_000;
const asked = (parts: Partial<AskedPeriod>): AskedPeriod => ({
  startsAt: undefined,
  endsAt: undefined,
  durationSeconds: undefined,
  ...parts,
});

test.each([
  ['an end alone starts now', { endsAt: NOW + MINUTE }, null, { startsAt: NOW, endsAt: NOW + MINUTE }],
  ['a length counts from now', { durationSeconds: 3600 }, null, { startsAt: NOW, endsAt: NOW + 60 * MINUTE }],
  [
    'a length counts from the start',
    { startsAt: NOW + DAY, durationSeconds: 60 },
    null,
    { startsAt: NOW + DAY, endsAt: NOW + DAY + MINUTE },
  ],
  [
    'an edit keeps the start, and a length counts from now',
    { durationSeconds: 60 },
    NOW - DAY,
    { startsAt: NOW - DAY, endsAt: NOW + MINUTE },
  ],
  ['exactly 90 days', { endsAt: NOW + 90 * DAY }, null, { startsAt: NOW, endsAt: NOW + 90 * DAY }],
  [
    'an old silence is extended by 90 days from now',
    { endsAt: NOW + 90 * DAY },
    NOW - 50 * DAY,
    { startsAt: NOW - 50 * DAY, endsAt: NOW + 90 * DAY },
  ],
  [
    'a clock that is a little behind',
    { startsAt: NOW - MINUTE, endsAt: NOW + MINUTE },
    null,
    { startsAt: NOW - MINUTE, endsAt: NOW + MINUTE },
  ],
] as const)('%s', (_name, parts, stored, period) => {
  expect(silencePeriod(asked(parts), NOW, stored)).toEqual(period);
});

test.each([
  ['starts_at: must be at most 90 days ahead', { startsAt: NOW + 91 * DAY, durationSeconds: 60 }],
  ['starts_at: must not be in the past', { startsAt: NOW - DAY, endsAt: NOW + MINUTE }],
  ['ends_at: must be after starts_at', { startsAt: NOW + DAY, endsAt: NOW + DAY }],
  ['ends_at: must be in the future', { startsAt: NOW - MINUTE, endsAt: NOW }],
  ['ends_at: must be at most 90 days after the start', { endsAt: NOW + 90 * DAY + 1 }],
])('%s', (problem, parts) => {
  expect(() => silencePeriod(asked(parts), NOW)).toThrow(problem);
});
