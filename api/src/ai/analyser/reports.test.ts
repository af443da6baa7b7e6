import { describe, expect, it } from 'vitest';
import { escaped, REPORTS } from './reports.ts';

const server = (hostname: string, more: Record<string, unknown>) => ({
  hostname,
  status: 'active',
  last_report_age_seconds: 20,
  headroom: null,
  ...more,
});
const headroom = (resource: string, value: number) => ({ resource, value, line: 80, points: 80 - value });
const NOW = Date.UTC(2026, 10, 24, 17) / 1000;
const rowsOf = (servers: unknown[]): string[] => {
  const text = REPORTS.headroom.write([{ total: servers.length, summary: { online: 2, over_line: 1 }, servers }], NOW);
  return text.split('\n').filter((line) => line.startsWith('|'));
};

describe('the table of headroom', () => {
  it('says headroom in words and names resources as the screens do', () => {
    const rows = rowsOf([
      server('api-1', { headroom: headroom('memory', 84) }),
      server('web-1', { headroom: headroom('cpu', 37) }),
      server('db-1', { headroom: headroom('io_wait', 80) }),
      server('new-1', {}),
    ]);
    expect(rows).toEqual([
      '| server | nearest its line | value of line | headroom |',
      '|---|---|---|---|',
      '| api-1 | Memory | 84 % of 80 % | 4 over |',
      '| web-1 | CPU | 37 % of 80 % | 43 below |',
      '| db-1 | IO wait | 80 % of 80 % | at the line |',
      '| new-1 | N/A | N/A | N/A |',
    ]);
  });

  it('puts silent servers last, without headroom, with the age of their last report', () => {
    const rows = rowsOf([
      server('edge-1', { status: 'offline', last_report_age_seconds: 2460, headroom: headroom('memory', 98) }),
      server('old-1', { status: 'uninstalled', last_report_age_seconds: 11 * 86_400 + 3600 }),
      server('born-1', { status: 'installing', last_report_age_seconds: null }),
      server('web-1', { headroom: headroom('cpu', 37) }),
    ]);
    expect(rows.slice(2)).toEqual([
      '| web-1 | CPU | 37 % of 80 % | 43 below |',
      '| edge-1 | offline, last report 41 min ago | N/A | N/A |',
      '| old-1 | uninstalled, last report 11 d 1 h ago | N/A | N/A |',
      '| born-1 | installing, no report yet | N/A | N/A |',
    ]);
  });

  it('shows a silent server beside a full table of others', () => {
    const busy = Array.from({ length: 19 }, (_, n) => server(`web-${String(n)}`, { headroom: headroom('cpu', 50) }));
    const rows = rowsOf([...busy, server('edge-1', { status: 'offline', last_report_age_seconds: 200 })]);
    expect([rows.length, rows.at(-1)]).toEqual([13, '| edge-1 | offline, last report 3 min ago | N/A | N/A |']);
  });
});

it('lists the gravest alerts first, and of one level the newest', () => {
  const alert = (level: string, title: string) => ({ level, title, hostname: 'web-1', message: 'x', since: null });
  const alerts = [alert('warning', 'new'), alert('critical', 'down'), alert('warning', 'old'), alert('error', 'loop')];
  const text = REPORTS.active_alerts.write([{ total: 4, alerts }], NOW);
  expect([...text.matchAll(/web-1 \| (\w+)/g)].map(([, title]) => title)).toEqual(['down', 'loop', 'new', 'old']);
});

it('gives the day of an alert that did not open today', () => {
  const alert = { level: 'error', title: 'x', hostname: 'web-1', message: 'x' };
  const alerts = ['2026-11-24T16:26:08.000Z', '2026-11-22T03:12:00.000Z'].map((since) => ({ ...alert, since }));
  const text = REPORTS.active_alerts.write([{ total: 2, alerts }], NOW);
  expect(text).toContain('| 16:26 UTC |');
  expect(text).toContain('| 2026-11-22 03:12 UTC |');
});

it('gives the unit with each figure: on a phone a row stands without the head of its table', () => {
  const figure = { figure: 'cpu', statistics: { min: 1, mean: 2.25, p95: 3, max: 4, trend_per_hour: -0.5 } };
  const text = REPORTS.statistics.write([figure, {}, {}, { total: 1 }], NOW);
  expect(text).toContain('| CPU | 1 % | 2.3 % | 3 % | 4 % | -0.5 points | N/A |');
});

it('escapes what could act as markdown and leaves round brackets alone', () => {
  expect(escaped('python3 (pid 7)')).toBe('python3 (pid 7)');
  expect(escaped('![x](/a) <b> # *y*')).toBe(String.raw`\!\[x\](/a) \<b\> \# \*y\*`);
});
