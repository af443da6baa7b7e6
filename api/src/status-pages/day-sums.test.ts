import { expect, it } from 'vitest';
import { criticalStretches, merged, sumDay, type DayAlert, type DayFacts } from './day-sums.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const day = Date.UTC(2026, 10, 27);
const full = new Map(Array.from({ length: 24 }, (_, hour) => [hour, 60]));
const facts = (more: Partial<DayFacts> = {}): DayFacts => ({
  day,
  until: day + 2 * DAY,
  intervalSeconds: 60,
  createdAt: day - DAY,
  uninstalledAt: null,
  samples: full,
  alerts: [],
  ...more,
});
const alert = (from: number, to: number | null, more: Partial<DayAlert> = {}): DayAlert => ({
  isOffline: false,
  level: 'critical',
  openedAt: day + from,
  resolvedAt: to === null ? null : day + to,
  levels: [],
  ...more,
});
const without = (...hours: number[]) => new Map([...full].filter(([hour]) => !hours.includes(hour)));

it('a day with every report is good; a missing report or two of an hour are no gap', () => {
  expect(sumDay(facts())).toEqual({ goodSeconds: 86_400, downSeconds: 0, unknownSeconds: 0 });
  expect(sumDay(facts({ samples: new Map([...full, [3, 58]]) }))?.unknownSeconds).toBe(0);
});

it('hours without reports and without an alert are unknown, and never good', () => {
  expect(sumDay(facts({ samples: without(4, 5) }))).toEqual({
    goodSeconds: 22 * 3600,
    downSeconds: 0,
    unknownSeconds: 7200,
  });
  expect(sumDay(facts({ samples: new Map([...full, [3, 30]]) }))?.unknownSeconds).toBe(1800);
});

it('the time of an offline alert is down, and the rest of the silence unknown', () => {
  const offline = alert(4 * HOUR + 3 * MINUTE, 6 * HOUR, { isOffline: true });
  expect(sumDay(facts({ samples: without(4, 5), alerts: [offline] }))).toEqual({
    goodSeconds: 22 * 3600,
    downSeconds: 117 * 60,
    unknownSeconds: 180,
  });
});

it('a critical alert takes from the good time although the server reports', () => {
  const sum = sumDay(
    facts({ alerts: [alert(HOUR, HOUR + 20 * MINUTE), alert(HOUR + 10 * MINUTE, HOUR + 30 * MINUTE)] }),
  );
  expect(sum).toEqual({ goodSeconds: 86_400 - 1800, downSeconds: 1800, unknownSeconds: 0 });
  // Reports are missing in the same hour: their time is not good because of the alert.
  const holes = facts({ samples: new Map([...full, [1, 40]]), alerts: [alert(HOUR, HOUR + 20 * MINUTE)] });
  expect(sumDay(holes)).toEqual({ goodSeconds: 86_400 - 2400, downSeconds: 1200, unknownSeconds: 1200 });
});

it('warnings do not count, and only the critical part of an alert that changed its level', () => {
  expect(sumDay(facts({ alerts: [alert(0, HOUR, { level: 'warning' })] }))?.downSeconds).toBe(0);
  const levels = [
    { at: day + HOUR, from: 'warning', to: 'critical' },
    { at: day + 2 * HOUR, from: 'critical', to: 'warning' },
  ] as const;
  const moved = alert(0, 3 * HOUR, { level: 'warning', levels });
  expect(criticalStretches(moved)).toEqual([{ from: day + HOUR, to: day + 2 * HOUR }]);
  expect(sumDay(facts({ alerts: [moved] }))?.downSeconds).toBe(3600);
});

it('an open alert counts to the end of what is judged', () => {
  const today = facts({ until: day + 12 * HOUR, alerts: [alert(10 * HOUR, null)] });
  expect(sumDay(today)).toEqual({ goodSeconds: 10 * 3600, downSeconds: 7200, unknownSeconds: 0 });
});

it('time before the enrolment and after the end counts only with samples', () => {
  const born = facts({ createdAt: day + 20 * HOUR, samples: new Map([...full].filter(([hour]) => hour >= 20)) });
  expect(sumDay(born)).toEqual({ goodSeconds: 4 * 3600, downSeconds: 0, unknownSeconds: 0 });
  expect(sumDay(facts({ createdAt: day + DAY, samples: new Map() }))).toBeNull();
  expect(sumDay(facts({ uninstalledAt: day - HOUR, samples: new Map() }))).toBeNull();
  expect(sumDay(facts({ until: day, samples: new Map() }))).toBeNull();
});

it('overlaps are counted once', () => {
  expect(
    merged([
      { from: 5, to: 9 },
      { from: 1, to: 3 },
      { from: 3, to: 6 },
      { from: 20, to: 21 },
    ]),
  ).toEqual([
    { from: 1, to: 9 },
    { from: 20, to: 21 },
  ]);
});
