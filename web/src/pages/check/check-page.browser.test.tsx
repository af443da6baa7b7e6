import type { CheckAnswer, CheckDetail, CheckSeriesAnswer } from '@plimsoll/contract/wire/checks/checks';
import type { Cluster, ClustersAnswer } from '@plimsoll/contract/wire/kubernetes';
import type { ServersAnswer } from '@plimsoll/contract/wire/servers';
import axe from 'axe-core';
import { Route, Routes } from 'react-router-dom';
import { expect, it } from 'vitest';
import { drawPage, type Answers } from '../../testing/draw-page.tsx';
import { everyAnswer } from '../../testing/every-answer.ts';
import { Component } from './check-page.tsx';

const PAGE = (
  <Routes>
    <Route path="/servers/checks/:checkId" element={<Component />} />
  </Routes>
);
const ID = '00000000-0000-4000-8000-000000000001';
const NOW = Date.now();
const filled = (everyAnswer(`/api/checks/${ID}`, NOW) as CheckAnswer).check;
const series = everyAnswer(`/api/checks/${ID}/series`, NOW) as CheckSeriesAnswer;
const detail = (change: Partial<CheckDetail>): CheckDetail => ({
  ...filled,
  name: 'shop HTTPS',
  kind: 'http',
  target: 'GET https://shop.example.net/health',
  status: 'up',
  heartbeat: null,
  last_call: null,
  votes: [
    {
      server_id: null,
      name: 'Plimsoll',
      region: null,
      vote: 'up',
      reason: null,
      voted_at: new Date(NOW).toISOString(),
      total_ms: 142,
      bars: ['up', 'down', 'up'],
    },
    {
      server_id: ID,
      name: 'edge-gru-01',
      region: null,
      vote: 'none',
      reason: 'silent',
      voted_at: null,
      total_ms: 90,
      bars: ['up', null, null],
    },
  ],
  needed: 2,
  bar_seconds: 300,
  slow_line_ms: null,
  ...change,
});
const draw = (check: CheckDetail, more: Answers = {}, role: 'admin' | 'editor' | 'viewer' = 'admin') =>
  drawPage(
    PAGE,
    {
      [`GET /api/checks/${ID}`]: { data: { check } },
      [`GET /api/checks/${ID}/series`]: { data: series },
      'GET /api/servers/list': { data: fleet },
      ...more,
    },
    { at: `/servers/checks/${ID}`, role },
  );

const someServers = everyAnswer('/api/servers/list', NOW) as ServersAnswer;
const [one] = someServers.servers;
const fleet = {
  ...someServers,
  servers: [
    { ...one, id: ID, display_name: 'edge-gru-01', tags: { env: 'prod' } },
    { ...one, id: '00000000-0000-4000-8000-000000000002', display_name: 'edge-fra-01', tags: { env: 'test' } },
  ],
};
const PROBE = {
  kind: 'http',
  timeout_ms: 10_000,
  ip_version: 'any',
  url: 'https://shop.example.net/health',
  method: 'GET',
  statuses: [[200, 299]],
  expect: null,
  follow_redirects: true,
  ignore_certificate: false,
};
const STORED: Partial<CheckDetail> = {
  probe: PROBE,
  is_enabled: true,
  header_names: [],
  has_body: false,
  runs_on: { api: true, server_ids: [], tag: null },
  shares_secrets: false,
  needed_setting: null,
  retries: 1,
  interval_seconds: 60,
  server_id: null,
};
const SENT = {
  name: 'shop HTTPS',
  is_enabled: true,
  probe: PROBE,
  places: { api: true, server_ids: [], tag: null },
  shares_secrets: false,
  needed: null,
  retries: 1,
  interval_seconds: 60,
  server_id: null,
};
const PUT = { [`PUT /api/checks/${ID}`]: { data: { check: filled } } };

it('shows the votes: a place that is silent has none, and no response time', async () => {
  const { screen } = await draw(detail({}));
  await expect.element(screen.getByRole('heading', { name: 'shop HTTPS', level: 1 })).toBeVisible();
  const votes = screen.getByRole('list', { name: 'Votes' }).getByRole('listitem');
  await expect.element(screen.getByText(/; 1 place votes up, 1 has no vote\.$/)).toBeVisible();
  await expect.element(votes.nth(0)).toMatchTextContent(/votes up/);
  await expect.element(votes.nth(1)).toMatchTextContent(/never voted, sends no results/);
  await expect.element(screen.getByText('down needs 2 votes')).toBeVisible();
  await expect.element(screen.getByText('down needs 2; last 15 min')).toBeVisible();
  const bars = votes.nth(0).getByRole('img', { name: '1 of 3 known stretches of 5 min failed, of the last 3' });
  await expect.element(bars).toBeVisible();
});

const [CLUSTER] = (everyAnswer('/api/kubernetes/clusters', NOW) as ClustersAnswer).clusters as [Cluster];
const CLUSTERS = {
  'GET /api/kubernetes/clusters': {
    data: { clusters: [CLUSTER, { ...CLUSTER, cluster_id: 'uid-1', name: 'prod-eu' }], total: 2 },
  },
};

it('links what serves the target, with the cluster where there are two', async () => {
  const served = (name: string) => ({ cluster_id: 'uid-1', namespace: 'shop', kind: 'Deployment', name });
  const { screen } = await draw(detail({ workloads: [served('web'), served('web-canary')] }), CLUSTERS);
  await expect
    .element(screen.getByText(/^Served by/))
    .toMatchTextContent('Served by shop/web, shop/web-canary in prod-eu: one incident while one of them is broken.');
  await expect
    .element(screen.getByRole('link', { name: 'shop/web-canary' }))
    .toHaveAttribute('href', '/kubernetes/workloads/uid-1/shop/Deployment/web-canary');
});

it('draws the line of slow answers where a rule has one, and marks what is past it', async () => {
  const [point] = series.points;
  const at = (minute: number, p95: number) => ({
    ...point,
    time: new Date(NOW - 3_600_000 + minute * 60_000).toISOString(),
    total_ms: p95,
    p95_ms: p95,
  });
  const points = [at(0, 100), at(1, 900), at(2, 950), at(3, 100)];
  const answers = { [`GET /api/checks/${ID}/series`]: { data: { ...series, step_seconds: 60, points } } };
  const { screen } = await draw(detail({ slow_line_ms: 800 }), answers);
  await expect.element(screen.getByText('line 800 ms')).toBeVisible();
  await expect.poll(() => screen.container.querySelectorAll('rect.slow')).toHaveLength(1);
  await expect.element(screen.getByText('line 800', { exact: true })).toBeVisible();
});

it('without such a rule draws no line', async () => {
  const { screen } = await draw(detail({}));
  await expect.element(screen.getByRole('heading', { name: 'Response by phase' })).toBeVisible();
  expect(screen.container.querySelector('path.line')).toBeNull();
});

it('says that an unknown figure is not available, with its reason', async () => {
  const { screen } = await draw(detail({ total_ms: null, certificate: null, certificate_days: null, status: 'down' }));
  await expect.element(screen.getByText('No place has a good answer now')).toBeVisible();
  await expect.element(screen.getByText('No certificate was seen')).toBeVisible();
});

it('of a heartbeat shows its next call and its last output', async () => {
  const heartbeat = { schedule: { kind: 'interval', seconds: 3600 }, grace_seconds: 600 } as const;
  const call = {
    at: new Date(NOW).toISOString(),
    kind: 'ok',
    exit_code: 0,
    output: 'saved 81f2c',
    duration_seconds: 23,
  } as const;
  const { screen } = await draw(detail({ kind: 'heartbeat', heartbeat, last_call: call, votes: [] }));
  await expect.element(screen.getByText('saved 81f2c')).toBeVisible();
  await expect.element(screen.getByText('grace 10 min')).toBeVisible();
});

it('of a heartbeat that was never called says so', async () => {
  const heartbeat = { schedule: { kind: 'interval', seconds: 3600 }, grace_seconds: 600 } as const;
  const { screen } = await draw(
    detail({ kind: 'heartbeat', heartbeat, last_call: null, status: 'unknown', votes: [] }),
  );
  await expect.poll(() => screen.getByText('No call yet').elements()).toHaveLength(2);
});

it('leads back from a check that is not there', async () => {
  const { screen } = await drawPage(
    PAGE,
    { [`GET /api/checks/${ID}`]: { status: 404, detail: 'Check not found' } },
    { at: `/servers/checks/${ID}` },
  );
  await expect.element(screen.getByRole('heading', { name: 'Check not found' })).toBeVisible();
  await expect.element(screen.getByRole('link', { name: 'Back to Checks' })).toBeVisible();
});

it('pauses and resumes a check with everything else as it is stored', async () => {
  const { screen, callsTo } = await draw(detail(STORED), PUT);
  await screen.getByRole('button', { name: 'Pause' }).click();
  await expect.poll(() => callsTo('PUT', `/api/checks/${ID}`)).toHaveLength(1);
  expect(callsTo('PUT', `/api/checks/${ID}`)[0]?.body).toEqual({ ...SENT, is_enabled: false });

  const paused = await draw(detail({ ...STORED, is_enabled: false, status: 'paused' }), PUT);
  await paused.screen.getByRole('button', { name: 'Resume' }).last().click();
  await expect.poll(() => paused.callsTo('PUT', `/api/checks/${ID}`)).toHaveLength(1);
  expect(paused.callsTo('PUT', `/api/checks/${ID}`)[0]?.body).toEqual(SENT);
});

it('edits a check: times, answer, places and how many of them must fail', async () => {
  const { screen, callsTo } = await draw(detail(STORED), PUT);
  await screen.getByRole('button', { name: 'Edit' }).click();
  await screen.getByLabelText('Interval').fill('5 min');
  await screen.getByLabelText('Timeout, seconds').fill('2.5');
  await screen.getByLabelText('Retries').fill('0');
  await screen.getByLabelText('Good statuses').fill('200-299, 401');
  await screen.getByLabelText('Good answer').selectOptions('text');
  await screen.getByLabelText('Text', { exact: true }).fill('all good');
  await screen.getByRole('checkbox', { name: 'edge-fra-01' }).click();
  await screen.getByLabelText('Every server with the tag (optional)').fill('env');
  await screen.getByLabelText('Value of the tag (optional)').fill('prod');
  await screen.getByLabelText('Down when, of 3 places').selectOptions('3');
  const { violations } = await axe.run(document.querySelector('[role="dialog"]') ?? document, {
    resultTypes: ['violations'],
  });
  expect(violations.map(({ id }) => id)).toEqual([]);
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => callsTo('PUT', `/api/checks/${ID}`)).toHaveLength(1);
  expect(callsTo('PUT', `/api/checks/${ID}`)[0]?.body).toEqual({
    ...SENT,
    probe: {
      ...PROBE,
      timeout_ms: 2500,
      statuses: [
        [200, 299],
        [401, 401],
      ],
      expect: { kind: 'text', text: 'all good', isPresent: true },
    },
    places: {
      api: true,
      server_ids: ['00000000-0000-4000-8000-000000000002'],
      tag: { key: 'env', value: 'prod' },
    },
    needed: 3,
    retries: 0,
    interval_seconds: 300,
  });
  await expect.poll(() => screen.getByRole('dialog').query()).toBeNull();
});

it('marks what is wrong, and what the API refuses, beside its field', async () => {
  const { screen, callsTo } = await draw(detail(STORED), {
    [`PUT /api/checks/${ID}`]: { status: 400, detail: 'probe.url: 10.0.0.1 may not be reached', field: 'probe.url' },
  });
  await screen.getByRole('button', { name: 'Edit' }).click();
  await screen.getByLabelText('Interval').fill('5 s');
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.element(screen.getByText(/Must be 20 s – 1 d/)).toBeVisible();
  expect(callsTo('PUT', `/api/checks/${ID}`)).toEqual([]);
  await screen.getByLabelText('Interval').fill('20 s');
  await screen.getByLabelText('Address').fill('https://10.0.0.1/');
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.element(screen.getByText('10.0.0.1 may not be reached')).toBeVisible();
});

it('requires a word before servers hold the headers of a check', async () => {
  const { screen, callsTo } = await draw(detail({ ...STORED, header_names: ['authorization'] }), PUT);
  await screen.getByRole('button', { name: 'Edit' }).click();
  const shares = screen.getByRole('checkbox', { name: /may hold the headers/ });
  await expect.element(screen.getByRole('checkbox', { name: 'edge-gru-01' })).toBeVisible();
  expect(shares.query()).toBeNull();
  await screen.getByRole('checkbox', { name: 'edge-gru-01' }).click();
  await shares.click();
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => callsTo('PUT', `/api/checks/${ID}`)).toHaveLength(1);
  expect(callsTo('PUT', `/api/checks/${ID}`)[0]?.body).toMatchObject({ shares_secrets: true });
});

it('edits the schedule of a heartbeat', async () => {
  const heartbeat = { schedule: { kind: 'interval', seconds: 3600 }, grace_seconds: 600 } as const;
  const { screen, callsTo } = await draw(detail({ ...STORED, kind: 'heartbeat', probe: null, heartbeat }), PUT);
  await screen.getByRole('button', { name: 'Edit' }).click();
  await expect.element(screen.getByLabelText('Interval')).toHaveValue('1 h');
  await screen.getByLabelText('Interval').fill('2 h');
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => callsTo('PUT', `/api/checks/${ID}`)).toHaveLength(1);
  expect(callsTo('PUT', `/api/checks/${ID}`)[0]?.body).toEqual({
    name: 'shop HTTPS',
    is_enabled: true,
    heartbeat: { schedule: { kind: 'interval', seconds: 7200 }, grace_seconds: 600 },
    server_id: null,
  });
  await expect.poll(() => screen.getByRole('dialog').query()).toBeNull();
});

const BUTTONS = ['Pause', 'Edit', 'Delete'] as const;
const ON_SERVERS = { ...STORED, runs_on: { api: true, server_ids: [ID], tag: null } };
it.each([
  ['viewer', STORED, []],
  ['editor', STORED, BUTTONS],
  // The API refuses an editor every change of a check that makes servers connect, but not its deletion.
  ['editor', ON_SERVERS, ['Delete']],
  ['admin', ON_SERVERS, BUTTONS],
] as const)('offers the role %s only what the API accepts (%#)', async (role, stored, offered) => {
  const { screen } = await draw(detail(stored), {}, role);
  await expect.element(screen.getByRole('heading', { level: 1 })).toBeVisible();
  await expect
    .poll(() => BUTTONS.filter((name) => screen.getByRole('button', { name, exact: true }).query() !== null))
    .toEqual([...offered]);
});

it('offers an editor no places of a check', async () => {
  const { screen } = await draw(detail(STORED), {}, 'editor');
  await screen.getByRole('button', { name: 'Edit' }).click();
  await expect.element(screen.getByText(/An admin can run it from servers too/)).toBeVisible();
  const names = screen
    .getByRole('checkbox')
    .elements()
    .map((box) => box.closest('label')?.textContent ?? '');
  expect(names).toEqual([expect.stringMatching(/^Follow redirects/), expect.stringMatching(/^Ignore the certificate/)]);
});

it('shows stored headers by name only, replaces them, and leaves a stored body alone', async () => {
  const check = detail({ ...STORED, header_names: ['authorization'], has_body: true });
  const { screen, callsTo } = await draw(check, PUT);
  await screen.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = screen.getByRole('dialog');
  await expect.element(dialog.getByText('Headers: authorization. Stored encrypted, not shown.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Replace headers' }).click();
  await dialog.getByLabelText('Headers').fill('accept');
  await dialog.getByLabelText('Method').selectOptions('POST');
  await dialog.getByLabelText('IP version').selectOptions('4');
  await dialog.getByRole('checkbox', { name: 'Follow redirects' }).click();
  await dialog.getByRole('checkbox', { name: 'Ignore the certificate' }).click();
  await expect.element(dialog.getByText(/^Any certificate is good/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog.getByText(/^Write one a line/)).toBeVisible();
  expect(callsTo('PUT', `/api/checks/${ID}`)).toEqual([]);
  await dialog.getByLabelText('Headers').fill('Accept: text/plain');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => callsTo('PUT', `/api/checks/${ID}`)).toHaveLength(1);
  expect(callsTo('PUT', `/api/checks/${ID}`)[0]?.body).toMatchObject({
    probe: {
      ...PROBE,
      method: 'POST',
      ip_version: '4',
      follow_redirects: false,
      ignore_certificate: true,
      headers: { accept: 'text/plain' },
    },
  });
  expect(callsTo('PUT', `/api/checks/${ID}`)[0]?.body).not.toHaveProperty('probe.body');
});

it('shows 90 days when they are chosen, and what a point is made of', async () => {
  const hourly = { ...series, source: '1h', step_seconds: 32_400 };
  const { screen, callsTo } = await draw(detail({}), { [`GET /api/checks/${ID}/series`]: { data: hourly } });
  await expect.element(screen.getByText('a point is 9 h, of hourly means')).toBeVisible();
  await screen.getByRole('button', { name: '90d' }).click();
  await expect
    .poll(() => callsTo('GET', `/api/checks/${ID}/series`).map(({ path }) => path))
    .toContain(`/api/checks/${ID}/series?hours=2160`);
});
