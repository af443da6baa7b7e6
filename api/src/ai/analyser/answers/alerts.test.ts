import { expect, it } from 'vitest';
import type { Understood } from '../asked.ts';
import { alerts, changes, checks, silences } from './alerts.ts';
import { kubernetesEvents } from './capacity.ts';

const NOW = Date.UTC(2026, 10, 30, 8) / 1000;
const ASKED: Understood = {
  subject: 'changes',
  tool: '',
  input: {},
  figures: [],
  terms: new Set(),
  isCount: false,
  limit: 10,
  threshold: null,
  period: null,
  program: null,
  names: [],
};

it('names the object of a change, unless its row names it as the host', () => {
  const change = { at: '2026-11-30T07:41:58.000Z', by: null, hostname: null, cluster: null, namespace: null };
  const rows = [
    { ...change, kind: 'maintenance', name: 'Patch night', title: 'is new' },
    { ...change, kind: 'Deployment', namespace: 'shop', name: 'cart', cluster: 'prod', title: 'image 1 → 2' },
    { ...change, kind: 'ports', name: 'web-1', hostname: 'web-1', title: '81/tcp opened' },
  ];
  const text = changes({ total: 3, changes: rows }, ASKED, NOW);
  expect(text.split('\n').slice(4)).toEqual([
    '| 07:41 UTC | N/A | maintenance Patch night: is new | not known |',
    '| 07:41 UTC | prod | Deployment shop/cart: image 1 → 2 | not known |',
    '| 07:41 UTC | web-1 | 81/tcp opened | not known |',
  ]);
});

it('gives the time at which a Kubernetes event was last seen', () => {
  const event = {
    kind: 'Pod',
    name: 'cart-1',
    reason: 'BackOff',
    message: 'x',
    count: 3,
    last_at: '2026-11-30T07:58:49.003Z',
  };
  expect(kubernetesEvents({ total: 1, events: [event] }, ASKED, NOW)).toContain(
    '| 07:58 UTC | Pod cart-1 | BackOff | x | 3 |',
  );
});

it('names silences that lie ahead beside those that hold now', () => {
  const planned = [
    { text: 'server web-1', starts_at: '2026-12-01T04:00:00.000Z', ends_at: '2026-12-01T06:00:00.000Z' },
  ];
  const text = (planned_total: number) => silences({ total: 0, silences: [], planned_total, planned }, ASKED, NOW);
  expect(text(1)).toBe(
    '**No silence is active.** 1 is planned: server web-1 from 2026-12-01 04:00 UTC to 2026-12-01 06:00 UTC.',
  );
  expect(text(7)).toContain('7 are planned: ');
  expect(silences({ total: 0, planned_total: 0, planned: [] }, ASKED, NOW)).toBe('**No silence is active.**');
});

const CHECK = { name: 'shop', target: 'https://shop.example.org', since: '2026-11-30T07:30:00.000Z', total_ms: null };

it('says why a check is down, with the status that came', () => {
  const down = { ...CHECK, status: 'down', reason: 'status_unexpected', http_status: 502 };
  expect(checks({ total: 1, checks: [down] }, ASKED, NOW)).toContain(
    '| down, status unexpected, HTTP 502 | 07:30 UTC, for 30 min |',
  );
});

it('has no empty table where no check has a response time', () => {
  const asked = { ...ASKED, input: { by: 'slowest', search: 'shop' } };
  expect(checks({ total: 1, checks: [] }, asked, NOW)).toBe(
    '**No check with “shop” in name or target has a response time now.**',
  );
});

it('says who acknowledged an alert, and that a list of the oldest ends with them', () => {
  const alert = {
    level: 'error',
    hostname: 'web-1',
    title: 'Disk',
    since: '2026-11-30T07:30:00.000Z',
    resolved_at: null,
  };
  const rows = [{ ...alert, acknowledged_by: 'mira', acknowledged_at: '2026-11-30T07:40:00.000Z' }];
  const asked = { ...ASKED, input: { acknowledged: true, order: 'oldest' } };
  const text = alerts({ total: 2, looked_at: 2, of: 2, alerts: rows }, asked, NOW);
  expect(text).toContain('**2 acknowledged alerts are active.**');
  expect(text).toContain('| error | web-1 | Disk | 07:30 UTC, for 30 min | mira, 07:40 UTC |');
  expect(text).toContain('The oldest 1 of 2.');
  expect(alerts({ total: 0, looked_at: 9, of: 12, alerts: [] }, asked, NOW)).toBe(
    '**No acknowledged alert is active.** Of the newest 9 of 12.',
  );
});
