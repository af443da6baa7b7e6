import type { AlertDetailAnswer } from '@plimsoll/contract/wire/alert-detail';
import type { Alert } from '@plimsoll/contract/wire/alerts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { drawPage } from '../../testing/draw-page.tsx';
import type { Answers } from '../../testing/draw-page.tsx';
import { Component } from './alerts-page.tsx';
import { Component as SilencesPage } from './silences/silences-page.tsx';

const SERVER = '00000000-0000-4000-8000-00000000000a';
const ID = '00000000-0000-4000-8000-0000000000a1';
const OTHER = '00000000-0000-4000-8000-0000000000a2';
const OPENED = Date.parse('2026-11-22T20:50:12Z') / 1000;
const ALERT: Alert = {
  alert_id: ID,
  server_id: SERVER,
  level: 'warning',
  title: 'CPU usage above 80%',
  message: 'CPU 91 %, 11 over for 5 min',
  status: 'active',
  timestamp: OPENED,
  resolved_at: null,
  metric_name: 'cpu_usage',
  current_value: 91.4,
  threshold_value: 80,
  acknowledged_at: null,
  acknowledged_by: null,
  acknowledged_note: null,
  silenced_until: null,
  silence_id: null,
  rule_id: 'default-cpu',
  tags: { hostname: 'build-hel-02' },
};
const SECOND: Alert = {
  ...ALERT,
  alert_id: OTHER,
  level: 'critical',
  message: 'No report for 7 min',
  metric_name: 'offline',
};
const DETAIL: AlertDetailAnswer = {
  alert: ALERT,
  rule: {
    rule_id: 'default-cpu',
    is_default: true,
    exists: true,
    text: 'CPU above 80 % for 5 min; resolves below 75 %',
  },
  chart: {
    server_id: SERVER,
    metric: 'cpu_usage',
    subject: '',
    from: OPENED - 1800,
    to: OPENED + 1800,
    line: 80,
    lines: [
      { level: 'warning', threshold: 80 },
      { level: 'critical', threshold: 95 },
    ],
    opened_at: OPENED,
    resolved_at: null,
  },
  black_box: {
    taken_at: '2026-11-22T20:50:12.000Z',
    processes: {
      sampled_at: '2026-11-22T20:50:12.000Z',
      age_seconds: 0,
      total: 2,
      entries: [
        {
          pid: 48213,
          name: 'rustc',
          command: 'rustc --crate-name plimsoll_index',
          user: 'ci',
          status: 'R',
          cpu_usage: 96.8,
          memory_usage: 4,
          memory_kb: 1000,
        },
      ],
    },
    connections: null,
    events: [],
    pods: null,
  },
  black_box_note: null,
  deliveries: [
    {
      channel_id: SERVER,
      channel_name: 'Telegram',
      type: 'telegram',
      state: 'delivered',
      at: '2026-11-22T22:14:03.000Z',
      error: null,
      attempts: 1,
    },
  ],
  history: [
    {
      at: '2026-11-22T20:50:12.000Z',
      kind: 'opened',
      by: null,
      note: null,
      level: 'warning',
      until: null,
      channel_name: null,
    },
    {
      at: '2026-11-22T21:00:00.000Z',
      kind: 'acknowledged',
      by: 'Mira',
      note: 'deploy',
      level: null,
      until: null,
      channel_name: null,
    },
  ],
};
const SERIES = {
  timeseries: [],
  bucket_seconds: 60,
  from: OPENED - 1800,
  to: OPENED + 1800,
  aggregated: false,
  gaps: [],
};
const OPERATION = '00000000-0000-4000-8000-0000000000ff';
const bulk = (action: string, ids: readonly string[]) => ({
  data: {
    operation_id: OPERATION,
    action,
    outcomes: ids.map((id) => ({ alert_id: id, outcome: 'done' })),
    done: ids.length,
    undo_until: action === 'undo' ? null : '2026-11-23T00:00:00.000Z',
  },
});
const answers = (alerts: readonly Alert[], more: Answers = {}): Answers => ({
  'GET /api/data/notifications': { data: { alerts, total: alerts.length } },
  'GET /api/data/metrics/timeseries': { data: SERIES },
  'GET /api/servers/list': { data: { servers: [] } },
  [`GET /api/alerts/${ID}`]: { data: DETAIL },
  'POST /api/alerts/bulk': ({ body }) => {
    const { action, alert_ids: ids = [ID] } = body as { action: string; alert_ids?: string[] };
    return bulk(action, ids);
  },
  ...more,
});
const open = (given: Answers, at = '/alerts', role: 'admin' | 'viewer' = 'admin') =>
  drawPage(<Component />, given, { at, role });
const BULK = '/api/alerts/bulk';

describe('rows that act', () => {
  it('acknowledge in one click, and undo takes it back', async () => {
    const { screen, callsTo } = await open(answers([ALERT]));
    await screen.getByRole('button', { name: /^Acknowledge CPU 91 %/ }).click();
    await expect.poll(() => callsTo('POST', BULK)[0]?.body).toEqual({ action: 'acknowledge', alert_ids: [ID] });
    await expect.element(screen.getByText('1 alert acknowledged')).toBeVisible();
    await screen.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => callsTo('POST', BULK)[1]?.body).toEqual({ action: 'undo', operation_id: OPERATION });
  });

  it('snooze in two clicks', async () => {
    const { screen, callsTo } = await open(answers([ALERT]));
    await screen.getByRole('button', { name: /^Snooze CPU 91 %/ }).click();
    await screen.getByRole('menuitem', { name: '1 h' }).click();
    await expect
      .poll(() => callsTo('POST', BULK)[0]?.body)
      .toEqual({ action: 'silence', alert_ids: [ID], duration_seconds: 3600 });
    // A click on the menu must not open the row.
    expect(callsTo('GET', `/api/alerts/${ID}`)).toEqual([]);
  });

  it('act on several ticked alerts at once', async () => {
    const { screen, callsTo } = await open(answers([ALERT, SECOND]));
    await screen.getByRole('checkbox', { name: 'Tick all open alerts' }).click();
    const bar = screen.getByRole('toolbar', { name: 'Ticked alerts' });
    await expect.element(bar.getByText('2 alerts ticked')).toBeVisible();
    await bar.getByRole('button', { name: 'Acknowledge' }).click();
    await expect.poll(() => callsTo('POST', BULK)[0]?.body).toEqual({ action: 'acknowledge', alert_ids: [OTHER, ID] });
    await expect.poll(() => bar.elements()).toEqual([]);
  });

  it('say who acknowledged and until when they are snoozed, and offer neither again', async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const seen = { acknowledged_at: '2026-11-22T21:00:00.000Z', acknowledged_by: 'Mira', silenced_until: until };
    const { screen } = await open(answers([{ ...ALERT, ...seen }]));
    await expect.element(screen.getByText(/^acknowledged by Mira, snoozed until \d\d:\d\d/)).toBeVisible();
    expect(screen.getByRole('button', { name: /^(Acknowledge|Snooze)/ }).elements()).toEqual([]);
  });

  it('show no button that acts to a viewer', async () => {
    const { screen } = await open(answers([ALERT]), `/alerts?alert=${ID}`, 'viewer');
    await expect.element(screen.getByText(DETAIL.rule.text)).toBeVisible();
    expect(screen.getByRole('button', { name: /^(Acknowledge|Snooze)/ }).elements()).toEqual([]);
    expect(screen.getByRole('checkbox').elements()).toEqual([]);
  });

  it('keep the row and say why when the API refuses', async () => {
    const refused = { status: 403, detail: 'This call needs the role "editor"' };
    const { screen } = await open(answers([ALERT], { [`POST ${BULK}`]: refused }));
    await screen.getByRole('button', { name: /^Acknowledge CPU 91 %/ }).click();
    await expect.element(screen.getByText('This call needs the role "editor"')).toBeVisible();
    await expect.element(screen.getByText('CPU 91 %, 11 over for 5 min')).toBeVisible();
  });
});

describe('an opened row', () => {
  it('shows the rule with links, frozen processes, messages and who did what', async () => {
    const { screen } = await open(answers([ALERT]), `/alerts?alert=${ID}`);
    await expect.element(screen.getByText('CPU above 80 % for 5 min; resolves below 75 %')).toBeVisible();
    await expect
      .element(screen.getByRole('link', { name: 'Edit rule' }))
      .toHaveAttribute('href', '/alerts/rules/default-cpu');
    await expect
      .element(screen.getByRole('link', { name: 'Move the line for this server' }))
      .toHaveAttribute('href', `/alerts/rules/new?metric=cpu_usage&server=${SERVER}`);
    const processes = screen.getByRole('region', { name: 'Top processes' });
    await expect.element(processes.getByText('rustc', { exact: true })).toBeVisible();
    await expect.element(processes.getByText('and 1 more')).toBeVisible();
    const messages = screen.getByRole('region', { name: 'Messages' });
    await expect.element(messages.getByRole('img', { name: 'delivered' })).toBeVisible();
    await expect.element(screen.getByText('Acknowledged by Mira: deploy')).toBeVisible();
  });

  it('acknowledges with a note', async () => {
    const { screen, callsTo } = await open(answers([ALERT]), `/alerts?alert=${ID}`);
    await screen.getByLabelText('Note (optional)').fill('known build');
    await screen.getByRole('button', { name: 'Acknowledge', exact: true }).click();
    await expect
      .poll(() => callsTo('POST', BULK)[0]?.body)
      .toEqual({ action: 'acknowledge', alert_ids: [ID], note: 'known build' });
  });

  it('says what failed and keeps the facts of the row', async () => {
    const failed = { status: 500, detail: 'Request failed' };
    const { screen } = await open(answers([ALERT], { [`GET /api/alerts/${ID}`]: failed }), `/alerts?alert=${ID}`);
    await expect.element(screen.getByRole('alert').getByText('Request failed')).toBeVisible();
    await expect.element(screen.getByText('CPU usage above 80%')).toBeVisible();
  });

  it('fits a phone, with the buttons in reach', async () => {
    await page.viewport(390, 900);
    onTestFinished(() => page.viewport(1280, 800));
    const { screen } = await open(answers([ALERT]), `/alerts?alert=${ID}`);
    await expect.element(screen.getByText('Acknowledged by Mira: deploy')).toBeVisible();
    const button = screen.getByRole('button', { name: /^Acknowledge CPU 91 %/ });
    expect(button.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(40);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });
});

describe('silences', () => {
  const SILENCE = {
    silence_id: OPERATION,
    text: 'server web-1, metric disk_usage',
    starts_at: '2026-11-22T20:00:00.000Z',
    ends_at: '2026-11-24T08:00:00.000Z',
    status: 'active',
    comment: 'deploy',
    created_by: 'Mira',
  };
  const given = (silences: readonly object[], more: Answers = {}): Answers => ({
    'GET /api/alerts/silences': { data: { silences, total: silences.length } },
    'GET /api/servers/list': { data: { servers: [{ id: SERVER, hostname: 'db-01', display_name: null }] } },
    'GET /api/kubernetes/clusters': { data: { clusters: [], total: 0 } },
    'GET /api/alerts/rules': { data: { rules: [], defaults: [], total: 0 } },
    ...more,
  });

  it('say what they are for when there is none', async () => {
    const { screen } = await drawPage(<SilencesPage />, given([]));
    await expect.element(screen.getByText('No silences')).toBeVisible();
  });

  it('show what they match, until when and by whom, and end', async () => {
    const { screen, callsTo } = await drawPage(
      <SilencesPage />,
      given([SILENCE, { ...SILENCE, silence_id: ID, status: 'expired' }], {
        [`DELETE /api/alerts/silences/${OPERATION}`]: { data: {} },
      }),
    );
    await expect.element(screen.getByText(/, by Mira: deploy$/).first()).toBeVisible();
    await screen.getByRole('button', { name: 'End now' }).click();
    await expect.poll(() => callsTo('DELETE', `/api/alerts/silences/${OPERATION}`).length).toBe(1);
  });

  it('are added for a server and a tag until an end', async () => {
    const { screen, callsTo } = await drawPage(
      <SilencesPage />,
      given([], { 'POST /api/alerts/silences': { data: { silence: SILENCE } } }),
    );
    await screen.getByRole('button', { name: 'Add silence' }).click();
    await expect.element(screen.getByRole('button', { name: 'Silence', exact: true })).toBeDisabled();
    await screen.getByLabelText('Server').selectOptions(SERVER);
    await screen.getByLabelText('Tag').fill('env=prod');
    await screen.getByRole('button', { name: 'Silence', exact: true }).click();
    await expect
      .poll(() => callsTo('POST', '/api/alerts/silences')[0]?.body)
      .toMatchObject({ server_id: SERVER, tag_key: 'env', tag_value: 'prod', comment: '' });
  });
});
