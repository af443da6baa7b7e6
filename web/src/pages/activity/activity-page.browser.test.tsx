import type { TimelineKind } from '@plimsoll/contract/rules/timeline';
import type { TimelineAnswer, TimelineEntry } from '@plimsoll/contract/wire/timeline';
import { beforeEach, describe, expect, it } from 'vitest';
import { paths } from '../../paths.ts';
import { drawPage } from '../../testing/draw-page.tsx';
import { sampleServer } from '../../testing/sample-server.ts';
import { chosenZone } from '../../time/zone.ts';
import { Component } from './activity-page.tsx';

const WEB = '00000000-0000-4000-8000-000000000001';
const ALERT = '00000000-0000-4000-8000-00000000000a';
const NOW = Math.floor(Date.now() / 1000);
const entry = (kind: TimelineKind, minutes: number, given: Partial<TimelineEntry> = {}): TimelineEntry => {
  const timestamp = NOW - minutes * 60 - 20;
  return {
    id: `${kind}${String(minutes)}`,
    kind,
    timestamp,
    first_at: timestamp,
    count: 1,
    severity: 'info',
    type: kind,
    message: `${kind} happened`,
    servers: [{ server_id: WEB, hostname: 'web-01' }],
    servers_total: 1,
    object: null,
    objects_total: 0,
    alert_id: null,
    ended_at: null,
    ...given,
  };
};
const ENTRIES = [
  entry('alert', 5, { severity: 'critical', message: 'CPU 97 %', alert_id: ALERT, type: 'cpu_usage' }),
  entry('oom', 10, { severity: 'critical', message: 'The kernel killed a process: out of memory', servers_total: 2 }),
  entry('kubernetes', 20, {
    severity: 'warning',
    message: 'Back-off restarting failed container',
    type: 'BackOff',
    servers: [],
    servers_total: 0,
    object: { cluster_id: 'c', namespace: 'shop', kind: 'Pod', name: 'cart-0' },
    objects_total: 3,
    count: 40,
    first_at: NOW - 3620,
  }),
  entry('package', 30, { servers_total: 12, count: 12 }),
  entry('process', 40),
];
const KINDS: TimelineAnswer['kinds'] = ENTRIES.map(({ kind }) => ({ kind, count: kind === 'process' ? 812 : 1 }));

/** Answers as the API does: narrows by kind and by words. */
function answer(path: string): TimelineAnswer {
  const query = new URLSearchParams(path.split('?')[1]);
  const kinds = (query.get('kinds') ?? '').split(',');
  const words = query.get('q') ?? '';
  const entries = ENTRIES.filter(({ kind, message }) => kinds.includes(kind) && message.includes(words));
  return { entries, total: entries.length, kinds: KINDS, complete_since: null };
}
const open = (search: string, list: (path: string) => object = answer) =>
  drawPage(
    <Component />,
    {
      'GET /api/servers/list': {
        data: { servers: [sampleServer({ id: WEB, hostname: 'web-01' })], fleet: [], total: 1 },
      },
      'GET /api/data/metrics/timeseries': {
        data: { timeseries: [], aggregated: false, bucket_seconds: 300, from: NOW - 86_400, to: NOW, gaps: [] },
      },
      'GET /api/data/activity/timeline': ({ path }) => ({ data: list(path) }),
    },
    { at: `${paths.activity}${search}` },
  );
const rows = () => [...document.querySelectorAll<HTMLElement>('li[data-severity]')];
const messages = () => rows().map((row) => row.querySelector<HTMLElement>('.message')?.innerText ?? '');

beforeEach(() => chosenZone.set('UTC'));

describe('the Activity page', () => {
  it('is one time line of alerts, Kubernetes and hosts, with bursts as one row and a way to each', async () => {
    const { screen } = await open('');
    await expect.element(screen.getByText('4 entries in this range')).toBeVisible();
    await expect.poll(() => rows().length).toBe(4);
    expect(messages()[0]).toMatch(/CPU 97 %$/);
    const where = rows().map((row) => row.querySelector<HTMLElement>('.where')?.innerText.replaceAll(/\s+/g, ' '));
    expect(where[0]).toBe('web-01 CPU usage open');
    expect(where[1]).toBe('web-01 1 more server oom');
    expect(messages()[2]).toMatch(/Back-off restarting failed container\s*40 times in 40 min$/);
    expect(messages()[3]).toMatch(/12 times$/);
    await expect.element(screen.getByRole('link', { name: 'CPU 97 %' })).toHaveAttribute('href', paths.alert(ALERT));
    await expect
      .element(screen.getByRole('link', { name: 'Pod shop/cart-0' }))
      .toHaveAttribute('href', paths.kubernetesPod('c/shop/cart-0'));
    const server = screen.getByRole('link', { name: 'web-01' }).first().element().getAttribute('href') ?? '';
    expect([server.split('?')[0], new URLSearchParams(server.split('?')[1]).has('at')]).toEqual([
      `/servers/${WEB}`,
      true,
    ]);
    await expect.element(screen.getByText('11 more servers')).toBeVisible();
    await expect.element(screen.getByText('and 2 more objects')).toBeVisible();
    expect(rows()[0]?.querySelector('time')?.getAttribute('title')).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC$/);
  });

  it('shows and hides kinds by chips in the address; runs of processes are hidden and counted', async () => {
    const { screen } = await open('');
    const chip = (name: RegExp) => screen.getByRole('button', { name });
    await expect.element(chip(/^Process runs 812$/)).toHaveAttribute('aria-pressed', 'false');
    await chip(/^Process runs/).click();
    await expect.poll(() => messages().at(-1)).toMatch(/process happened$/);
    await chip(/^Process runs/).click();
    await chip(/^Alerts/).click();
    await expect.poll(() => rows().length).toBe(3);
    expect(new URLSearchParams(window.location.search).get('kinds')).not.toContain('alert');
    await chip(/^Alerts/).click();
    await expect.poll(() => window.location.search).toBe('');
  });

  it('searches, and says when nothing is left', async () => {
    const { screen } = await open('');
    const field = screen.getByRole('searchbox', { name: 'Search text, host, object' });
    await field.fill('out of memory');
    await expect.poll(() => rows().length).toBe(1);
    await field.fill('nowhere');
    await expect.element(screen.getByText('No activity in this time range')).toBeVisible();
  });

  it('says from when on the list is complete', async () => {
    const { screen } = await open('', (path) => ({ ...answer(path), total: 1390, complete_since: NOW - 3600 }));
    await expect.element(screen.getByText('1,390 entries in this range')).toBeVisible();
    await expect.element(screen.getByText('4 of 1,390')).toBeVisible();
    await expect.element(screen.getByText(/^The list begins at /)).toBeVisible();
  });
});
