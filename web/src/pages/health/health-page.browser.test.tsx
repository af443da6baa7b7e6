import type { InstallationHealth } from '@plimsoll/contract/wire/installation-health';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { drawPage } from '../../testing/draw-page.tsx';
import { Component as ProfilePage } from '../profile/profile-page.tsx';
import { Component } from './health-page.tsx';

const PATH = '/api/health/installation';
const CALL = `GET ${PATH}`;
const ago = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();

const unknownGrowth = 'The growth needs the sizes of one day.';
const EMPTY: InstallationHealth = {
  as_of: ago(0),
  api_version: '0.2.0',
  findings: [],
  ingest: {
    window_seconds: 300,
    reports_accepted: 0,
    reports_per_minute: 0,
    lag_p50_seconds: null,
    lag_highest_seconds: null,
    lag_unknown_reason: 'No report arrived in the last 5 minutes.',
    last_report_at: null,
    servers_reporting: 0,
    servers_silent: 0,
    servers_installing: 0,
    clusters_reporting: 0,
    clusters_silent: 0,
  },
  rollups: {
    levels: [
      {
        bucket_seconds: 300,
        complete_to: null,
        behind_seconds: null,
        unknown_reason: 'The rollup job has not run yet.',
      },
    ],
    buckets_set_aside: [],
  },
  database: {
    location: 'external',
    postgres_version: '18.1',
    size_bytes: 3 * 2 ** 20,
    largest_tables: [],
    growth_bytes_per_day: null,
    growth_unknown_reason: unknownGrowth,
    growth_measured_from: null,
    free_bytes: null,
    free_unknown_reason: 'PostgreSQL does not report the free space of its filesystem.',
    days_until_full: null,
    days_until_full_unknown_reason: 'PostgreSQL does not report the free space of its filesystem.',
  },
  jobs: [],
  replicas: [],
  notifications: {
    messages_waiting: 0,
    oldest_message_age_seconds: null,
    overdue_seconds: 0,
    channels_total: 0,
    channels: [],
  },
  agents: [],
};
const FULL: InstallationHealth = {
  ...EMPTY,
  findings: ['job_failing', 'agents_outdated'],
  ingest: {
    ...EMPTY.ingest,
    reports_accepted: 71,
    reports_per_minute: 14.2,
    lag_p50_seconds: 1.42,
    lag_highest_seconds: 3900,
    lag_unknown_reason: null,
    last_report_at: ago(4),
    servers_reporting: 14,
    servers_silent: 2,
    servers_installing: 1,
  },
  rollups: {
    levels: [
      { bucket_seconds: 300, complete_to: ago(30), behind_seconds: 0, unknown_reason: null },
      { bucket_seconds: 3600, complete_to: ago(9000), behind_seconds: 5400, unknown_reason: null },
    ],
    buckets_set_aside: [{ level: 'fleet-5m', buckets: 3 }],
  },
  series_store: {
    shipped_to: ago(7200),
    behind_seconds: 7200,
    verified_to: ago(10_800),
    hours_incomplete: 2,
    deletions_waiting: 0,
    last_error: '401 Unauthorized',
    last_failure_at: ago(15),
  },
  database: {
    ...EMPTY.database,
    location: 'embedded',
    size_bytes: 2 * 2 ** 30,
    largest_tables: [{ name: 'host_sample', size_bytes: 2 ** 30 }],
    growth_bytes_per_day: 12 * 2 ** 20,
    growth_unknown_reason: null,
    growth_measured_from: ago(3.5 * 86_400),
    free_bytes: 4 * 2 ** 30,
    free_unknown_reason: null,
    days_until_full: 341.3,
    days_until_full_unknown_reason: null,
  },
  jobs: [
    { name: 'rollup', last_success_at: ago(600), last_failure_at: ago(20), last_error: '22003', replicas_failing: 1 },
    { name: 'prune', last_success_at: ago(60), last_failure_at: null, last_error: null, replicas_failing: 0 },
  ],
  replicas: [
    { started_at: ago(7200), last_seen_at: ago(10), version: '0.2.0', is_running: true },
    { started_at: ago(90_000), last_seen_at: ago(7300), version: null, is_running: false },
  ],
  notifications: {
    messages_waiting: 2,
    oldest_message_age_seconds: 400,
    overdue_seconds: 0,
    channels_total: 2,
    channels: [
      {
        type: 'webhook',
        name: 'Ops\u202e hook',
        messages_waiting: 2,
        last_outcome: 'refused',
        last_delivery_at: ago(90),
      },
      { type: 'telegram', name: null, messages_waiting: 0, last_outcome: null, last_delivery_at: null },
    ],
  },
  agents: [
    { kind: 'host_agent', version: '0.1.9', agents: 3, is_outdated: true },
    { kind: 'node_agent', version: null, agents: 1, is_outdated: false },
  ],
};
const AT = '/profile/health';
const draw = (data: InstallationHealth) => drawPage(<Component />, { [CALL]: { data } }, { at: AT });
/** The text of a panel, by its title. */
const textOf = (title: string): string => {
  const panels = [...document.querySelectorAll('section')];
  return panels.find((panel) => panel.querySelector('h2')?.textContent === title)?.textContent ?? '';
};

test('every figure has its unit, its age and its source', async () => {
  const { screen } = await draw(FULL);
  await expect.element(screen.getByText(/^2 things need attention/)).toBeVisible();
  const all = () => document.body.textContent;
  for (const words of ['14.2/ min', '1.4s', 'highest 1.1 h, sample to arrival', '2 silent, 1 never reported'])
    await expect.poll(all).toContain(words);
  for (const words of [
    '2GB',
    'grows 12 MB a day, over 3 d',
    '4GB',
    'full in about 341 days',
    'oldest 6 min, 2 channels',
  ])
    expect(all()).toContain(words);
  expect(textOf('Needs attention')).toContain('A background job fails');
  expect(textOf('Needs attention')).toContain('Some agents are older than this API');
  expect(textOf('Background jobs')).toMatch(/1 failing.*rollup10 min ago22003 \d+ s ago.*prune1 min agonone/);
  expect(textOf('API replicas')).toMatch(
    /1 running.*0\.2\.02 h ago\d+ s ago.*N\/A, not stored25 h agostopped, 2 h ago/,
  );
  expect(textOf('Rollups')).toMatch(/5 minup to date.*1 h1 h behind.*3 of level fleet-5m/);
  expect(textOf('Time-series store')).toMatch(/samples2\.0h.*up to3 h ago.*hours2.*wait0.*401 Unauthorized \d+ s ago/);
  expect(textOf('Largest tables')).toMatch(/PostgreSQL 18\.1.*host_sample1GB50\.0%/);
  expect(textOf('Channels')).toMatch(/Webhook2refused 1 min ago.*Another organisation Telegram0none/);
  expect(textOf('Channels')).not.toContain('\u202e');
  expect(textOf('Agents')).toMatch(/Host agentolder than the API 0\.1\.93Node agent N\/A, no report yet1/);
});

test('an unknown figure is N/A with its reason, never 0', async () => {
  const { screen } = await draw(EMPTY);
  await expect.element(screen.getByText(/^Nothing needs attention/)).toBeVisible();
  await expect.element(screen.getByText('No report arrived in the last 5 minutes.')).toBeVisible();
  expect(textOf('Needs attention')).toBe('');
  for (const words of [`growth N/A: ${unknownGrowth}`, 'PostgreSQL does not report the free space of its filesystem.'])
    await expect.element(screen.getByText(words)).toBeVisible();
  expect(textOf('Time-series store')).toBe('');
  expect(textOf('Rollups')).toContain('N/A, The rollup job has not run yet.');
  for (const empty of ['No job has run yet', 'No replica has stored its time', 'No channels', 'No agents'])
    await expect.element(screen.getByText(empty)).toBeVisible();
});

test('someone else than the operator reads who may open it', async () => {
  const answers = { [CALL]: { status: 403, detail: 'This call is for the operator of this installation' } };
  const { screen } = await drawPage(<Component />, answers, { at: AT, isOperator: false });
  await expect.element(screen.getByText('This page is for the operator')).toBeVisible();
  expect(document.body.textContent).not.toContain('Retry');
});

test.each([true, false])('the profile leads here if the account is the operator: %s', async (isOperator) => {
  const { screen } = await drawPage(<ProfilePage />, {}, { at: '/profile', isOperator });
  await expect.element(screen.getByRole('link', { name: 'Status pages' })).toBeVisible();
  const links = screen.getByRole('link', { name: 'Installation health' }).elements();
  expect(links.map((link) => link.getAttribute('href'))).toEqual(isOperator ? [AT] : []);
});

test('a failed call has its reason and a retry, and the page then shows the figures', async () => {
  let fails = true;
  const answer = () => (fails ? { status: 500, detail: 'The database does not answer' } : { data: FULL });
  const { screen } = await drawPage(<Component />, { [CALL]: answer }, { at: AT });
  await expect.element(screen.getByText('The database does not answer')).toBeVisible();
  fails = false;
  await screen.getByRole('button', { name: 'Retry' }).click();
  await expect.element(screen.getByText(/^2 things need attention/)).toBeVisible();
});

test('nothing scrolls sideways on a phone', async () => {
  await page.viewport(390, 844);
  const { screen } = await draw(FULL);
  await expect.element(screen.getByText(/^2 things need attention/)).toBeVisible();
  const { scrollWidth, clientWidth } = document.documentElement;
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
  for (const table of document.querySelectorAll('table'))
    expect(table.scrollWidth).toBeLessThanOrEqual(table.parentElement?.clientWidth ?? 0);
  await page.viewport(1280, 800);
});
