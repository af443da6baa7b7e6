import type { AlertRuleOnWire, RehearseAnswer } from '@plimsoll/contract/wire/alert-rules';
import { Route, Routes } from 'react-router-dom';
import { describe, expect, it, onTestFinished } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { drawPage } from '../../../testing/draw-page.tsx';
import type { Answers } from '../../../testing/draw-page.tsx';
import { sampleServer } from '../../../testing/sample-server.ts';
import { Component as RulePage } from './rule-page.tsx';
import { Component as RulesPage } from './rules-page.tsx';

const SERVER = '00000000-0000-4000-8000-00000000000a';
const DEFAULT: AlertRuleOnWire = {
  rule_id: 'default-cpu',
  is_default: true,
  metric: 'cpu_usage',
  target: 'all',
  server_id: null,
  tag_key: null,
  tag_value: null,
  mount: null,
  lines: [
    { level: 'warning', threshold: 80 },
    { level: 'critical', threshold: 95 },
  ],
  for_seconds: 300,
  keep_firing_for_seconds: 300,
  hysteresis_points: 5,
  enabled: true,
  text: 'CPU at or above 80 % (warning) or 95 % (critical) for 5 min',
  created_at: null,
  updated_at: null,
};
const OWN: AlertRuleOnWire = {
  ...DEFAULT,
  rule_id: '00000000-0000-4000-8000-000000000001',
  is_default: false,
  target: 'server',
  server_id: SERVER,
  lines: [{ level: 'error', threshold: 70 }],
};
const FROM = Date.parse('2026-11-16T00:00:00Z') / 1000;
const REHEARSED: RehearseAnswer = {
  text: 'In the last 7 days this rule would have fired 3 times and sent 4 messages.',
  fired: 3,
  messages: 4,
  note: null,
  source: 'mixed',
  servers: 2,
  days: 7,
  moments: [
    {
      server_id: SERVER,
      hostname: 'db-01',
      level: 'critical',
      fired_at: '2026-11-20T03:00:00.000Z',
      resolved_at: null,
    },
    {
      server_id: SERVER,
      hostname: 'db-01',
      level: 'warning',
      fired_at: '2026-11-18T03:00:00.000Z',
      resolved_at: '2026-11-18T03:22:00.000Z',
    },
  ],
};
const band = (avg: number) => ({ avg, min: avg - 5, max: avg + 5 });
const point = (index: number) => ({
  timestamp: FROM + index * 3600,
  bands: { cpu: band(40 + (index % 24)) },
});
const SERIES = {
  timeseries: Array.from({ length: 168 }, (_, index) => point(index)),
  bucket_seconds: 3600,
  from: FROM,
  to: FROM + 168 * 3600,
  aggregated: false,
  gaps: [],
};
const answers = (rules: readonly AlertRuleOnWire[], more: Answers = {}): Answers => ({
  'GET /api/alerts/rules': { data: { rules, total: rules.length, defaults: [DEFAULT] } },
  'GET /api/servers/list': {
    data: {
      servers: ['db-01', 'web-01'].map((hostname, index) =>
        sampleServer({ id: index === 0 ? SERVER : '00000000-0000-4000-8000-00000000000b', hostname }),
      ),
    },
  },
  'GET /api/kubernetes/clusters': { data: { clusters: [], total: 0 } },
  'POST /api/alerts/rules/rehearse': { data: REHEARSED },
  'GET /api/data/metrics/timeseries': { data: SERIES },
  'POST /api/alerts/rules': { data: { rule: OWN } },
  [`PUT /api/alerts/rules/${OWN.rule_id}`]: { data: { rule: OWN } },
  [`DELETE /api/alerts/rules/${OWN.rule_id}`]: { data: {} },
  ...more,
});
const pages = (
  <Routes>
    <Route path="/alerts/rules" element={<RulesPage />} />
    <Route path="/alerts/rules/:ruleId" element={<RulePage />} />
  </Routes>
);
const list = (given: Answers, role: 'admin' | 'viewer' = 'admin') =>
  drawPage(pages, given, { at: '/alerts/rules', role });
const editor = (id: string, given: Answers, role: 'admin' | 'viewer' = 'admin') =>
  drawPage(pages, given, { at: `/alerts/rules/${id}`, role });

describe('the rules', () => {
  it('say that they load', async () => {
    const { screen } = await list({ 'GET /api/alerts/rules': 'pending' });
    await expect.element(screen.getByText('Loading rules…')).toBeVisible();
  });

  it('show an error with a button that retries', async () => {
    const { screen } = await list(answers([], { 'GET /api/alerts/rules': { status: 500, detail: 'Request failed' } }));
    await expect.element(screen.getByRole('alert').getByText('Request failed')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Retry' })).toBeVisible();
  });

  it('say what holds while there is none of the account', async () => {
    const { screen } = await list(answers([]));
    await expect.element(screen.getByText(/^No rule of your own/)).toBeVisible();
    await expect.element(screen.getByRole('listitem', { name: 'CPU usage, all servers' })).toBeVisible();
  });

  it('count those of custom resources apart, and show fifty at a time', async () => {
    const object = { kind: 'AlertRule', namespace: 'shop', name: 'cpu', cluster_id: 'c', cluster_name: 'prod' };
    const rules = Array.from({ length: 60 }, (_, index) => ({
      ...OWN,
      rule_id: OWN.rule_id.slice(0, -2) + String(10 + index),
      target: 'tag' as const,
      server_id: null,
      tag_key: 'team',
      tag_value: String(index),
      object: index < 2 ? (object as AlertRuleOnWire['object']) : null,
    }));
    const { screen } = await list(answers(rules));
    await expect
      .element(screen.getByText('58 rules of your own, 2 of custom resources, 1 default rule.'))
      .toBeVisible();
    const ownRows = () => screen.getByRole('listitem', { name: /team/ }).elements().length;
    expect(ownRows()).toBe(50);
    await screen.getByRole('button', { name: 'Next page' }).click();
    expect(ownRows()).toBe(10);
    await expect.element(screen.getByText('51–60 of 60')).toBeVisible();
  });

  it('show metric, target, lines and time, and which are defaults', async () => {
    const { screen } = await list(answers([OWN]));
    const own = screen.getByRole('listitem', { name: 'CPU usage, db-01' });
    await expect.element(own.getByText('70 %')).toBeVisible();
    await expect.element(own.getByText('5 min')).toBeVisible();
    const fallback = screen.getByRole('listitem', { name: 'CPU usage, all servers' });
    await expect.element(fallback.getByText('Default')).toBeVisible();
    await expect.element(fallback.getByText('80 / 95 %')).toBeVisible();
    await expect.element(screen.getByText('1 rule of your own, 1 default rule.')).toBeVisible();
    await expect
      .element(screen.getByRole('link', { name: 'Prometheus YAML' }))
      .toHaveAttribute('href', '/api/alerts/rules/export');
  });

  it('show a rule of a custom resource as managed and read-only, with the name of its object', async () => {
    const object = {
      cluster_id: 'uid-of-kube-system',
      cluster_name: 'prod',
      kind: 'AlertRule' as const,
      namespace: 'shop',
      name: 'cpu-of-db',
    };
    const { screen } = await list(answers([{ ...OWN, object }]));
    const own = screen.getByRole('listitem', { name: 'CPU usage, db-01' });
    await expect.element(own.getByText('Read-only')).toBeVisible();
    await expect.element(own.getByText('AlertRule shop/cpu-of-db')).toBeVisible();
    await expect.element(own.getByText(/of cluster prod/)).toBeVisible();
    expect(own.getByRole('switch').elements()).toEqual([]);
    expect(own.getByRole('button', { name: /^Delete/ }).elements()).toEqual([]);
    await own.getByRole('link').click();
    await expect.element(screen.getByRole('heading', { name: 'Managed rule' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Save' }).elements()).toEqual([]);
    await page.viewport(390, 800);
    onTestFinished(() => page.viewport(1280, 800));
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });

  it('mark a default that a rule for everything replaces', async () => {
    const { screen } = await list(answers([{ ...OWN, target: 'all', server_id: null }]));
    await expect.element(screen.getByText('replaced by your rule')).toBeVisible();
  });

  it('switch a rule off in one click and take it back', async () => {
    const { screen, callsTo } = await list(answers([OWN]));
    await screen.getByRole('switch', { name: 'CPU usage, db-01 on' }).click();
    const put = () => callsTo('PUT', `/api/alerts/rules/${OWN.rule_id}`).map(({ body }) => body);
    await expect.poll(() => put()[0]).toMatchObject({ enabled: false, server_id: SERVER, lines: OWN.lines });
    await screen.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => put()[1]).toMatchObject({ enabled: true });
  });

  it('switch a default off by a rule in its place', async () => {
    const { screen, callsTo } = await list(answers([]));
    await screen.getByRole('switch', { name: 'CPU usage, all servers on' }).click();
    await expect
      .poll(() => callsTo('POST', '/api/alerts/rules')[0]?.body)
      .toMatchObject({ target: 'all', enabled: false });
  });

  it('delete a rule and make it again on Undo', async () => {
    const { screen, callsTo } = await list(answers([OWN]));
    await screen.getByRole('button', { name: 'Delete CPU usage, db-01' }).click();
    await expect.poll(() => callsTo('DELETE', `/api/alerts/rules/${OWN.rule_id}`).length).toBe(1);
    await expect.element(screen.getByText('CPU usage rule deleted')).toBeVisible();
    await screen.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(() => callsTo('POST', '/api/alerts/rules')[0]?.body)
      .toMatchObject({ metric: 'cpu_usage', target: 'server', server_id: SERVER, lines: OWN.lines });
  });

  it('copy a rule to chosen servers', async () => {
    const { screen, callsTo } = await list(answers([OWN]));
    await screen.getByRole('button', { name: 'Copy CPU usage, db-01 to servers' }).click();
    await screen.getByRole('checkbox', { name: 'web-01' }).click();
    expect(screen.getByRole('checkbox', { name: 'db-01' }).elements()).toEqual([]);
    await screen.getByRole('button', { name: 'Copy to 1 server' }).click();
    await expect
      .poll(() => callsTo('POST', '/api/alerts/rules')[0]?.body)
      .toMatchObject({ target: 'server', server_id: '00000000-0000-4000-8000-00000000000b', for_seconds: 300 });
    await expect.element(screen.getByText('Rule copied to 1 server')).toBeVisible();
  });

  it('have no buttons that change things for a viewer', async () => {
    const { screen } = await list(answers([OWN]), 'viewer');
    await expect.element(screen.getByRole('listitem', { name: 'CPU usage, db-01' })).toBeVisible();
    expect(screen.getByRole('switch').elements()).toEqual([]);
    const names = screen
      .getByRole('button')
      .elements()
      .map((each) => each.getAttribute('aria-label'));
    expect(names).toEqual(['Export alert rules']);
    expect(screen.getByRole('link', { name: 'Add rule' }).elements()).toEqual([]);
  });

  it('fit a phone', async () => {
    await page.viewport(390, 800);
    onTestFinished(() => page.viewport(1280, 800));
    const { screen } = await list(answers([OWN]));
    await expect.element(screen.getByRole('listitem', { name: 'CPU usage, db-01' })).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
    // The frame of the panel would cut what is wider.
    const add = screen.getByRole('link', { name: 'Add rule' }).element().getBoundingClientRect();
    expect(add.right).toBeLessThanOrEqual(390 - 16);
  });
});

describe('the editor', () => {
  it('rehearses what the form says and draws the moments on the stored history', async () => {
    const { screen, callsTo } = await editor(OWN.rule_id, answers([OWN]));
    await expect.element(screen.getByText(REHEARSED.text)).toBeVisible();
    await expect.element(screen.getByText(/minima and maxima of 5 minutes/)).toBeVisible();
    await expect.element(screen.getByText('would still fire')).toBeVisible();
    await expect.element(screen.getByText('for 22 min')).toBeVisible();
    await expect
      .poll(() => callsTo('GET', '/api/data/metrics/timeseries').at(-1)?.path)
      .toBe(`/api/data/metrics/timeseries?hours=168&server_id=${SERVER}`);
    const marks = () => [...screen.container.querySelectorAll('g > title')].map(({ textContent }) => textContent);
    await expect.poll(marks).toContain('Critical from 20 Nov 03:00, would still fire');
    await screen.getByLabelText('At or above (%)').fill('60');
    await expect
      .poll(() => callsTo('POST', '/api/alerts/rules/rehearse').at(-1)?.body)
      .toMatchObject({ days: 7, lines: [{ level: 'error', threshold: 60 }] });
    expect(callsTo('PUT', `/api/alerts/rules/${OWN.rule_id}`)).toEqual([]);
  });

  it('shows a moment on the chart and in the list, from either and by keyboard', async () => {
    const many = Array.from({ length: 9 }, (_, index) => ({
      ...(REHEARSED.moments[1] as RehearseAnswer['moments'][number]),
      fired_at: `2026-11-${String(21 - (index % 4))}T${String(index).padStart(2, '0')}:00:00.000Z`,
    }));
    const last = { ...many[8], hostname: 'web-01', server_id: SERVER.replace(/a$/, 'b') } as (typeof many)[number];
    const answer = { ...REHEARSED, moments: [...many.slice(0, 8), last] };
    const { screen } = await editor(
      OWN.rule_id,
      answers([OWN], { 'POST /api/alerts/rules/rehearse': { data: answer } }),
    );
    const marks = screen.getByRole('group', { name: 'Events and alerts' }).getByRole('button');
    await expect.poll(() => marks.elements().length).toBeGreaterThan(2);
    (marks.elements()[0] as SVGElement).focus();
    await userEvent.keyboard('{ArrowRight}{Enter}');
    const focused = document.activeElement?.getAttribute('aria-label') ?? '';
    expect(focused).toMatch(/^Warning from/);
    await expect.element(screen.getByText(`db-01: ${focused}.`)).toBeVisible();
    await expect.poll(() => screen.container.querySelectorAll('.moment').length).toBe(1);
    await expect
      .poll(
        () =>
          screen
            .getByRole('button', { name: /Show on the chart/ })
            .elements()
            .filter((row) => row.ariaCurrent !== null).length,
      )
      .toBe(1);
    await screen.getByRole('button', { name: 'Next page' }).click();
    await screen.getByRole('button', { name: /^web-01: Warning from/ }).click();
    await expect.element(screen.getByLabelText('Server on the chart')).toHaveValue(last.server_id);
    await expect.element(screen.getByText(/^web-01: Warning from .*\.$/)).toBeVisible();
  });

  it('says why a rehearsal has no figures', async () => {
    const none = {
      ...REHEARSED,
      text: 'There is no stored history.',
      fired: null,
      source: null,
      note: 'No history of inodes is stored.',
      moments: [],
    };
    const { screen } = await editor(OWN.rule_id, answers([OWN], { 'POST /api/alerts/rules/rehearse': { data: none } }));
    await expect.element(screen.getByText('No history of inodes is stored.')).toBeVisible();
  });

  it('moves a line and goes back to the list', async () => {
    const { screen, callsTo } = await editor(OWN.rule_id, answers([OWN]));
    await screen.getByLabelText('At or above (%)').fill('65');
    await screen.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => callsTo('PUT', `/api/alerts/rules/${OWN.rule_id}`)[0]?.body)
      .toMatchObject({ lines: [{ level: 'error', threshold: 65 }] });
    await expect.element(screen.getByRole('heading', { name: 'Alert rules' })).toBeVisible();
  });

  it('saves a default rule as one of the account', async () => {
    const { screen, callsTo } = await editor('default-cpu', answers([]));
    await expect.element(screen.getByText(/^This starts as the default rule/)).toBeVisible();
    await screen.getByRole('group', { name: 'Line 1' }).getByLabelText('At or above (%)').fill('75');
    await screen.getByLabelText('Applies to').selectOptions('tag');
    await screen.getByRole('button', { name: 'Save' }).click();
    await expect.element(screen.getByText('Must not be empty. Fill it in.')).toBeVisible();
    await screen.getByLabelText('Tag', { exact: true }).fill('env');
    await screen.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => callsTo('POST', '/api/alerts/rules')[0]?.body)
      .toMatchObject({ target: 'tag', tag_key: 'env', lines: [{ threshold: 75 }, { threshold: 95 }] });
  });

  it('starts for the server and the metric that a link names', async () => {
    const { screen } = await editor(`new?metric=cpu_usage&server=${SERVER}`, answers([]));
    await expect.element(screen.getByLabelText('Applies to')).toHaveValue('server');
    await expect.element(screen.getByLabelText('Server', { exact: true })).toHaveValue(SERVER);
  });

  it('says for a metric that is worse when lower that it fires at or below its line', async () => {
    const forecast = { ...OWN, metric: 'disk_forecast' as const, lines: [{ level: 'warning' as const, threshold: 4 }] };
    const { screen } = await editor(OWN.rule_id, answers([forecast]));
    await expect.element(screen.getByLabelText('At or below (days)')).toHaveValue('4');
    await expect.element(screen.getByLabelText('Clear above the line by (days)')).toBeVisible();
  });

  it('names a wrong value at once, keeps it, and rehearses nothing wrong', async () => {
    const { screen } = await editor(OWN.rule_id, answers([OWN]));
    await screen.getByLabelText('At or above (%)').fill('300');
    await expect.element(screen.getByText('Must be a number from 1 to 100. Type another one.')).toBeVisible();
    await expect.element(screen.getByText(/^Correct the marked fields to see/)).toBeVisible();
    await screen.getByLabelText('For', { exact: true }).fill('soon');
    await expect.element(screen.getByText(/Write it like 5 min or 90 s/)).toBeVisible();
    await expect.element(screen.getByLabelText('At or above (%)')).toHaveValue('300');
  });

  it('puts the refusal of the API beside its field', async () => {
    const refused = { status: 400, detail: 'lines[0].threshold: must be 1–100 %', field: 'lines[0].threshold' };
    const { screen } = await editor(OWN.rule_id, answers([OWN], { [`PUT /api/alerts/rules/${OWN.rule_id}`]: refused }));
    await screen.getByRole('button', { name: 'Save' }).click();
    await expect.element(screen.getByLabelText('At or above (%)')).toHaveAttribute('aria-invalid', 'true');
  });

  it('says that a rule is gone', async () => {
    const { screen } = await editor('00000000-0000-4000-8000-0000000000ff', answers([]));
    await expect.element(screen.getByText('Rule not found')).toBeVisible();
  });

  it('lets a viewer read and rehearse, not save', async () => {
    const { screen } = await editor(OWN.rule_id, answers([OWN]), 'viewer');
    await expect.element(screen.getByText(REHEARSED.text)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Save' }).elements()).toEqual([]);
  });
});
