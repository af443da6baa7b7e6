import type { TimelineEntry } from '@plimsoll/contract/wire/timeline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chosenZone } from '../../time/zone.ts';
import { timelineMarks } from './timeline-marks.ts';
import { timelineTable } from './timeline-table.ts';

const FIRST = Date.UTC(2026, 10, 20, 3, 0) / 1000;
const LAST = FIRST + 2400;
const entry = (given: Partial<TimelineEntry>): TimelineEntry => ({
  id: 'e1',
  kind: 'service',
  timestamp: LAST,
  first_at: FIRST,
  count: 1,
  severity: 'info',
  type: 'service_restarted',
  message: 'nginx restarted',
  servers: [],
  servers_total: 1,
  object: null,
  objects_total: 0,
  alert_id: null,
  ended_at: null,
  ...given,
});
const mark = (given: Partial<TimelineEntry>) => timelineMarks([entry(given)])[0];

beforeAll(() => chosenZone.set('UTC'));
afterAll(() => chosenZone.set(null));

describe('an entry below the chart', () => {
  it('is a moment where it began, so that a burst does not stand at its end', () => {
    expect(mark({ count: 12 })).toMatchObject({ from: FIRST, to: null, tone: 'event', count: 12 });
    expect(mark({})).not.toHaveProperty('count');
  });

  it('that is an alert lasts from when it fired until its end', () => {
    const alert = { kind: 'alert', alert_id: 'a', severity: 'critical', count: 3 } as const;
    expect(mark({ ...alert, ended_at: LAST + 60 })).toMatchObject({ from: LAST, to: LAST + 60, tone: 'over' });
    expect(mark({ ...alert, ended_at: null })).toMatchObject({ from: LAST, to: null });
    // Three alerts of one kind have one mark each on their own charts.
    expect(mark(alert)).not.toHaveProperty('count');
  });

  it('has the tone of its level only as an alert', () => {
    const tones = (['critical', 'error', 'warning', 'info'] as const).map(
      (severity) => mark({ kind: 'alert', severity })?.tone,
    );
    expect(tones).toEqual(['over', 'over', 'near', 'info']);
    expect(mark({ kind: 'crash', severity: 'critical' })?.tone).toBe('event');
  });

  it('of a cluster stands for the first of its events, which are counted for hours', () => {
    expect(mark({ kind: 'kubernetes', count: 900 })).toMatchObject({ from: FIRST });
    expect(mark({ kind: 'kubernetes', count: 900 })).not.toHaveProperty('count');
  });

  it('says when it last happened, and shows characters that hide others', () => {
    expect(mark({ message: 'nginx\u202E' })?.words).toBe('20 Nov 03:40 nginx\\u202E');
  });
});

describe('the export of the time line', () => {
  const cells = (given: Partial<TimelineEntry>) => {
    const { columns, rows } = timelineTable([entry(given)]);
    return Object.fromEntries(columns.map((column, index) => [column, rows[0]?.[index]]));
  };

  it('has the last time before the first, in UTC', () => {
    expect(cells({ count: 12 })).toMatchObject({
      time: '2026-11-20T03:40:00.000Z',
      first: '2026-11-20T03:00:00.000Z',
      count: 12,
    });
  });

  it('names hosts, or the object of a cluster', () => {
    const servers = ['web-01', 'web-02'].map((hostname) => ({ server_id: hostname, hostname }));
    expect(cells({ servers })).toMatchObject({ hosts: 'web-01 web-02', namespace: '', object: '' });
    const object = { cluster_id: 'c', namespace: 'shop', kind: 'Pod', name: 'api-1' };
    expect(cells({ object })).toMatchObject({ hosts: '', namespace: 'shop', object: 'Pod/api-1' });
  });
});
