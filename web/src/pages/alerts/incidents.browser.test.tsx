import type { Alert } from '@plimsoll/contract/wire/alerts';
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

  it('is one row that says its cause and how many alerts are below it', async () => {
    const { screen, callsTo } = await drawPage(<Component />, given, { at: '/alerts' });
    const row = screen.getByRole('button', { name: 'web-01 is down · 2 alerts below it' });
    await expect.element(row).toBeVisible();
    await expect.element(screen.getByText('1 active on 1 server, 2 below it.')).toBeVisible();
    expect(callsTo('GET', '/api/data/notifications').every(({ path }) => path.includes('folded=false'))).toBe(true);
  });

  it('offers to explain the incident', async () => {
    const { screen } = await drawPage(<Component />, given, { at: '/alerts' });
    await screen.getByRole('button', { name: /^web-01 is down/ }).click();
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
    await screen.getByRole('button', { name: /^web-01 is down/ }).click();
    const below = screen.getByRole('region', { name: 'Below it' });
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
    const row = screen.getByRole('region', { name: 'Below it' }).getByRole('button', { name: /CPU 91 %/ });
    await row.click();
    expect(row.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(44);
    await expect
      .element(screen.getByRole('region', { name: 'Below it' }).getByText('rustc', { exact: true }))
      .toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });
});
