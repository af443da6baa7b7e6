import { EVENT_TYPES, LEADING_EVENT_TYPES } from '@plimsoll/contract/rules/limits';
import type { ActivityEvent } from '@plimsoll/contract/wire/activity';
import { beforeEach, describe, expect, it } from 'vitest';
import { paths } from '../../paths.ts';
import { drawPage } from '../../testing/draw-page.tsx';
import { sampleServer } from '../../testing/sample-server.ts';
import { chosenZone } from '../../time/zone.ts';
import { Component } from './activity-page.tsx';

const WEB = '00000000-0000-4000-8000-000000000001';
const SEVERITIES = ['info', 'warning', 'error', 'critical'] as const;
const NOW = Math.floor(Date.now() / 1000);
const LEADING: readonly string[] = LEADING_EVENT_TYPES;
/** One of each kind, five minutes apart, as the API orders them: what leads, then the others, each newest first. */
const LISTED = [
  ...EVENT_TYPES.filter((type) => LEADING.includes(type)),
  ...EVENT_TYPES.filter((type) => !LEADING.includes(type)),
];
const EVENTS = LISTED.map((type): ActivityEvent => {
  const index = EVENT_TYPES.indexOf(type);
  return {
    id: `${WEB}:${type}`,
    server_id: WEB,
    hostname: 'web-01',
    event_type: type,
    service_name: null,
    process_name: null,
    message: `${type} happened`,
    severity: SEVERITIES[index % SEVERITIES.length] ?? 'info',
    timestamp: NOW - (index + 1) * 300 - 20,
  };
});
const RUNS: readonly string[] = ['process_start', 'process_stop'];

/** Answers as the API does: folds runs of processes when asked, narrows by kind and severity. */
function answer(path: string) {
  const query = new URLSearchParams(path.split('?')[1]);
  const given = (name: string) => query.get(name) ?? '';
  const narrowed = EVENTS.filter(
    (event) => ['', event.event_type].includes(given('event_type')) && ['', event.severity].includes(given('severity')),
  );
  const isFolded = given('process_runs') === 'folded';
  const events = narrowed.filter((event) => !isFolded || !RUNS.includes(event.event_type));
  return { events, total: events.length, folded: narrowed.length - events.length };
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
      'GET /api/data/activity': ({ path }) => ({ data: list(path) }),
    },
    { at: `${paths.activity}${search}` },
  );
type Screen = Awaited<ReturnType<typeof open>>['screen'];
async function choose(screen: Screen, name: RegExp, option: string) {
  await screen.getByRole('combobox', { name }).click();
  await screen.getByRole('option', { name: option, exact: true }).click();
}
const rows = () => [...document.querySelectorAll('li[data-severity]')];
const texts = (selector: string) => rows().map((row) => row.querySelector<HTMLElement>(selector)?.innerText);

beforeEach(() => chosenZone.set('UTC'));

describe('the Activity page', () => {
  it('lists crashes, updates and changes first, with the moment behind each age', async () => {
    const { screen } = await open(`?server=${WEB}&processes=shown`);
    await expect.element(screen.getByText(`${String(EVENTS.length)} events in this range`)).toBeVisible();
    await expect.poll(() => texts('.message')).toEqual(LISTED.map((type) => `${type} happened`));
    expect(texts('code')).toEqual(LISTED);
    await expect.element(screen.getByText('Crashes, updates and config changes')).toBeVisible();
    expect(texts('time')).toEqual(EVENTS.map(({ timestamp }) => `${String(Math.round((NOW - timestamp - 20) / 60))}m`));
    const moment = rows()[0]?.querySelector('time');
    expect(moment?.getAttribute('title')).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC$/);
    expect(Date.parse(moment?.getAttribute('datetime') ?? '') / 1000).toBe(EVENTS[0]?.timestamp);
    expect(rows().map((row) => row.getAttribute('data-severity'))).toEqual(EVENTS.map(({ severity }) => severity));
  });

  it('narrows by kind and severity in the address, and says when nothing is left', async () => {
    const { screen } = await open(`?server=${WEB}&processes=shown`);
    await choose(screen, /Type/, 'process_crash');
    expect(window.location.search).toBe(`?server=${WEB}&processes=shown&type=process_crash`);
    await expect.poll(() => texts('.message')).toEqual(['process_crash happened']);
    await expect.element(screen.getByText('1 event in this range')).toBeVisible();
    await choose(screen, /Severity/, 'Critical');
    await expect.element(screen.getByText('No activity in this time range')).toBeVisible();
    await choose(screen, /Type/, 'All');
    await expect.poll(() => texts('.message')).toEqual(['update_installed happened', 'process_start happened']);
  });

  it('folds starts and stops of processes until someone asks for them', async () => {
    const { screen } = await open('');
    await expect.element(screen.getByText(`${String(EVENTS.length - RUNS.length)} events in this range`)).toBeVisible();
    await expect.element(screen.getByText('2 starts and stops of short-lived processes')).toBeVisible();
    await screen.getByRole('button', { name: 'Show', exact: true }).click();
    expect(window.location.search).toBe('?processes=shown');
    await expect.poll(() => rows().length).toBe(EVENTS.length);
  });

  it('says how many it does not list', async () => {
    const { screen } = await open('?processes=shown', () => ({ events: EVENTS, total: 1390, folded: 0 }));
    await expect.element(screen.getByText('1,390 events in this range')).toBeVisible();
    await expect.element(screen.getByText(`${String(EVENTS.length)} of 1,390`)).toBeVisible();
  });
});
