import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { explanationOf } from '../../components/explain-button.tsx';
import { drawPage } from '../../testing/draw-page.tsx';
import {
  ALERT_DETAIL,
  ALERT_ID,
  ALERT_SERVER,
  alertAnswers,
  OTHER_ID,
  SECOND_ALERT,
} from '../../testing/sample-alert.ts';
import { SAMPLE_ANSWER } from '../../testing/sample-cause.ts';
import { Component } from './alerts-page.tsx';

const INCIDENT = '00000000-0000-4000-8000-0000000000b1';
describe('an incident', () => {
  const CAUSE: Alert = {
    ...SECOND_ALERT,
    tags: { hostname: 'web-01' },
    incident: { incident_id: INCIDENT, folded: false, below: 2 },
  };
  const member = (id: string, message: string, more: object = {}) => ({
    alert_id: id,
    server_id: ALERT_SERVER,
    hostname: 'web-01',
    metric_name: 'cpu_usage',
    subject: '',
    level: 'warning',
    title: message,
    message,
    folded: true,
    opened_at: '2026-11-22T20:50:12.000Z',
    resolved_at: null,
    ...more,
  });
  const given = alertAnswers([CAUSE], {
    [`GET /api/incidents/${INCIDENT}`]: {
      data: {
        incident: {
          incident_id: INCIDENT,
          members: [
            member(OTHER_ID, 'No report for 7 min', { folded: false }),
            member(ALERT_SERVER, 'Memory was high', { resolved_at: '2026-11-22T21:00:00.000Z' }),
            member(ALERT_ID, 'CPU 91 %, 11 over for 5 min'),
          ],
        },
      },
    },
    [`GET /api/alerts/${OTHER_ID}`]: { data: { ...ALERT_DETAIL, alert: CAUSE } },
  });

  it('is one row that says its cause and how many alerts it causes', async () => {
    const { screen, callsTo } = await drawPage(<Component />, given, { at: '/alerts' });
    const row = screen.getByRole('button', { name: /^web-01: is down, no report for 7\smin$/ });
    await expect.element(row).toBeVisible();
    await expect.element(screen.getByText('2 more caused by it')).toBeVisible();
    await expect.element(screen.getByText('1 thing to look at, critical. It stands for 3 alerts.')).toBeVisible();
    await expect
      .element(screen.getByRole('link', { name: 'web-01' }))
      .toHaveAttribute('href', `/servers/${ALERT_SERVER}`);
    expect(callsTo('GET', '/api/data/notifications').every(({ path }) => path.includes('folded=false'))).toBe(true);
  });

  it('names its likely cause, and the link of a message opens it without a further click', async () => {
    const named: Alert = {
      ...CAUSE,
      incident: { incident_id: INCIDENT, folded: false, below: 2, likely_cause: 'The host lost its power.' },
    };
    const answers = {
      ...given,
      ...alertAnswers([named]),
      [`GET /api/incidents/${INCIDENT}/cause`]: { data: SAMPLE_ANSWER },
    };
    const closed = await drawPage(<Component />, answers, { at: '/alerts' });
    await expect.element(closed.screen.getByText('Likely cause: The host lost its power.')).toBeVisible();
    expect(closed.callsTo('GET', `/api/incidents/${INCIDENT}/cause`)).toEqual([]);
    await closed.screen.unmount();
    const { screen } = await drawPage(<Component />, answers, { at: `/alerts?alert=${OTHER_ID}` });
    await expect
      .element(screen.getByRole('heading', { name: /^Likely cause: The rollout of shop\/checkout/ }))
      .toBeVisible();
    expect(screen.getByText('Likely cause: The host lost its power.').elements()).toHaveLength(0);
  });

  it('offers to explain the incident', async () => {
    const { screen } = await drawPage(<Component />, given, { at: '/alerts' });
    await screen.getByRole('button', { name: /^web-01: is down/ }).click();
    await screen.getByRole('button', { name: 'Explain incident' }).click();
    await expect
      .poll(() => explanationOf(window.history.state?.usr)?.subject)
      .toEqual({
        kind: 'incident',
        incident_id: INCIDENT,
      });
  });

  it('opens to its members, open ones first, each with its own details', async () => {
    const { screen, callsTo } = await drawPage(<Component />, given, { at: '/alerts' });
    await screen.getByRole('button', { name: /^web-01: is down/ }).click();
    const below = screen.getByRole('region', { name: 'Caused by it' });
    await expect.element(below.getByRole('button', { name: /Warning: CPU 91 %/ })).toBeVisible();
    const names = below
      .getByRole('listitem')
      .getByRole('button')
      .elements()
      .map((each) => each.textContent);
    expect(names.map((name) => name.split(',')[0])).toEqual([
      expect.stringMatching(/^Warning: CPU 91 %/),
      expect.stringMatching(/^Resolved: Memory was high/),
    ]);
    await below.getByRole('button', { name: /Warning: CPU 91 %/ }).click();
    await expect.element(below.getByRole('region', { name: 'Top processes' })).toBeVisible();
    expect(callsTo('GET', `/api/alerts/${ALERT_ID}`)).toHaveLength(1);
  });

  it('fits a phone with a member open', async () => {
    await page.viewport(390, 900);
    onTestFinished(() => page.viewport(1280, 800));
    const { screen } = await drawPage(<Component />, given, { at: `/alerts?alert=${OTHER_ID}` });
    const row = screen.getByRole('region', { name: 'Caused by it' }).getByRole('button', { name: /CPU 91 %/ });
    await row.click();
    expect(row.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(44);
    await expect
      .element(screen.getByRole('region', { name: 'Caused by it' }).getByText('rustc', { exact: true }))
      .toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });
});

const PLACE = {
  cluster_id: 'c1',
  cluster_name: 'prod-fra',
  namespace: 'shop',
  workload_kind: 'Deployment',
  name: 'checkout',
  nodes: ['n1'],
};
describe('one workload', () => {
  const of = (index: number, given: Partial<Alert>): Alert => ({
    ...SECOND_ALERT,
    alert_id: `00000000-0000-4000-8000-0000000002a${String(index)}`,
    server_id: null,
    kubernetes: PLACE,
    level: 'warning',
    current_value: 3,
    threshold_value: 1,
    tags: { hostname: 'prod-fra' },
    incident: { incident_id: INCIDENT, folded: false, below: 0 },
    ...given,
  });
  const alerts = [
    of(0, { metric_name: 'pod_restarts', message: '35 restarts of 3 pods in 1 h', threshold_value: 5 }),
    of(1, { metric_name: 'pod_crash_loop', level: 'error', message: '3 of 8 pods in CrashLoopBackOff, OOMKilled' }),
    of(2, {
      metric_name: 'replicas_missing',
      message: '3 of 8 replicas missing',
      current_value: 37.5,
      threshold_value: 25,
    }),
  ];

  it('is one row, the name first, and its alerts are acknowledged in one call', async () => {
    const { screen, callsTo } = await drawPage(<Component />, alertAnswers(alerts), { at: '/alerts' });
    await expect.poll(() => document.querySelectorAll('[data-alert]').length).toBe(1);
    const row = screen.getByRole('row').filter({ hasText: 'shop/checkout' });
    await expect
      .element(row.getByRole('link', { name: 'shop/checkout' }))
      .toHaveAttribute('href', '/kubernetes/pods?namespace=shop&search=checkout');
    await expect
      .element(row.getByRole('link', { name: 'prod-fra' }))
      .toHaveAttribute('href', '/kubernetes?scope=cluster%3Ac1');
    await expect.element(row.getByText('3 of 8 pods in CrashLoopBackOff, OOMKilled')).toBeVisible();
    await expect.element(row).toMatchTextContent(/Deployment · 3 alerts in one/);
    await row.getByRole('button', { name: /^Acknowledge shop\/checkout/ }).click();
    await expect
      .poll(() => callsTo('POST', '/api/alerts/bulk')[0]?.body)
      .toEqual({ action: 'acknowledge', alert_ids: [alerts[1], alerts[2], alerts[0]].map((each) => each?.alert_id) });
    expect(callsTo('POST', '/api/alerts/bulk')).toHaveLength(1);
  });

  it('opens to its parts, each with its value and line in units', async () => {
    const { screen } = await drawPage(<Component />, alertAnswers(alerts), {
      at: `/alerts?alert=${alerts[2]?.alert_id ?? ''}`,
    });
    const parts = screen.getByRole('region', { name: 'Alerts in one' });
    await expect.element(parts.getByText('3 alerts folded into this one')).toBeVisible();
    await expect.element(parts.getByText('line 5 restarts')).toBeVisible();
    await expect.element(parts.getByText('line 25 %')).toBeVisible();
    // The alert of a link is the open one.
    await expect
      .element(parts.getByRole('button', { name: /3 of 8 replicas missing/ }))
      .toHaveAttribute('aria-expanded', 'true');
  });
});

describe('a hundred servers over one line', () => {
  const alerts = Array.from({ length: 100 }, (_, index): Alert => ({
    ...SECOND_ALERT,
    alert_id: `00000000-0000-4000-8000-000000000${String(index + 100)}`,
    metric_name: 'memory_usage',
    level: 'warning',
    message: 'Memory 91 %, 11 over for 5 min',
    current_value: 91,
    tags: { hostname: `web-${String(index)}` },
  }));
  const GROUP = 'Memory over its line: 100 servers';

  it('are one row that is acknowledged and silenced in one call each', async () => {
    const { screen, callsTo } = await drawPage(<Component />, alertAnswers(alerts), { at: '/alerts' });
    await expect.element(screen.getByText(GROUP)).toBeVisible();
    expect(document.querySelectorAll('[data-alert]')).toHaveLength(1);
    await expect.element(screen.getByRole('button', { name: 'Active 1' })).toBeVisible();
    await screen.getByRole('button', { name: `Acknowledge all: ${GROUP}` }).click();
    await screen.getByRole('button', { name: `Silence all ${GROUP}` }).click();
    await screen.getByRole('menuitem', { name: '1 h', exact: true }).click();
    const bodies = () =>
      callsTo('POST', '/api/alerts/bulk').map(({ body }) => body as { action: string; alert_ids: string[] });
    await expect
      .poll(() => bodies().map(({ action, alert_ids: ids }) => [action, ids.length]))
      .toEqual([
        ['acknowledge', 100],
        ['silence', 100],
      ]);
  });

  it('open to the worst of them, and to all', async () => {
    const { screen } = await drawPage(<Component />, alertAnswers(alerts), { at: '/alerts' });
    await screen.getByText(GROUP).click();
    await expect.poll(() => window.location.search).toBe('?alert=group%3Amemory_usage');
    const parts = screen.getByRole('region', { name: 'In this group' });
    await expect.poll(() => parts.getByRole('listitem').elements()).toHaveLength(20);
    await parts.getByRole('button', { name: 'Show all 100' }).click();
    await expect.poll(() => parts.getByRole('listitem').elements()).toHaveLength(100);
    await expect
      .element(parts.getByRole('link', { name: 'web-99' }))
      .toHaveAttribute('href', `/servers/${ALERT_SERVER}`);
  });

  it('open for the link of one of them', async () => {
    const id = alerts[70]?.alert_id ?? '';
    const { screen } = await drawPage(
      <Component />,
      alertAnswers(alerts, { [`GET /api/alerts/${id}`]: { data: ALERT_DETAIL } }),
      { at: `/alerts?alert=${id}` },
    );
    const parts = screen.getByRole('region', { name: 'In this group' });
    await expect.element(parts.getByText(ALERT_DETAIL.rule.text)).toBeVisible();
  });

  it('are filtered by what is typed', async () => {
    const { screen } = await drawPage(<Component />, alertAnswers(alerts), { at: '/alerts' });
    await screen.getByRole('searchbox', { name: 'Filter by host, pod, text' }).fill('web-42');
    await expect.poll(() => window.location.search).toBe('?q=web-42');
    await expect.poll(() => document.querySelectorAll('[data-alert]').length).toBe(1);
    await expect.element(screen.getByRole('link', { name: 'web-42' })).toBeVisible();
    await screen.getByRole('searchbox', { name: 'Filter by host, pod, text' }).fill('nobody');
    await expect.element(screen.getByText('No alert matches')).toBeVisible();
  });
});
