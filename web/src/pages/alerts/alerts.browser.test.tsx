import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import { unbroken } from '../../format/alert-words.ts';
import { drawPage } from '../../testing/draw-page.tsx';
import type { Answers } from '../../testing/draw-page.tsx';
import {
  ALERT_DETAIL,
  ALERT_ID,
  ALERT_SERVER,
  alertAnswers,
  OTHER_ID,
  SAMPLE_ALERT,
  SECOND_ALERT,
  UNDO_ID,
} from '../../testing/sample-alert.ts';
import { Component } from './alerts-page.tsx';

const open = (given: Answers, at = '/alerts', role: 'admin' | 'viewer' = 'admin') =>
  drawPage(<Component />, given, { at, role });
const BULK = '/api/alerts/bulk';

describe('rows that act', () => {
  it('acknowledge in one click, and undo takes it back', async () => {
    const { screen, callsTo } = await open(alertAnswers([SAMPLE_ALERT]));
    await screen.getByRole('button', { name: /^Acknowledge build-hel-02: CPU 91 %/ }).click();
    await expect.poll(() => callsTo('POST', BULK)[0]?.body).toEqual({ action: 'acknowledge', alert_ids: [ALERT_ID] });
    await expect.element(screen.getByText('1 alert acknowledged')).toBeVisible();
    await screen.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => callsTo('POST', BULK)[1]?.body).toEqual({ action: 'undo', operation_id: UNDO_ID });
  });

  it('silence in two clicks', async () => {
    const { screen, callsTo } = await open(alertAnswers([SAMPLE_ALERT]));
    await screen.getByRole('button', { name: /^Actions for build-hel-02: CPU 91 %/ }).click();
    await screen.getByRole('menuitem', { name: 'Silence for 1 h' }).click();
    await expect
      .poll(() => callsTo('POST', BULK)[0]?.body)
      .toEqual({ action: 'silence', alert_ids: [ALERT_ID], duration_seconds: 3600 });
    // A click on the menu must not open the row.
    expect(callsTo('GET', `/api/alerts/${ALERT_ID}`)).toEqual([]);
  });

  it('act on several ticked alerts at once', async () => {
    const { screen, callsTo } = await open(alertAnswers([SAMPLE_ALERT, SECOND_ALERT]));
    await screen.getByRole('checkbox', { name: 'Tick all open alerts' }).click();
    const bar = screen.getByRole('toolbar', { name: 'Ticked alerts' });
    await expect.element(bar.getByText('2 alerts ticked')).toBeVisible();
    await bar.getByRole('button', { name: 'Acknowledge' }).click();
    await expect
      .poll(() => callsTo('POST', BULK)[0]?.body)
      .toEqual({ action: 'acknowledge', alert_ids: [OTHER_ID, ALERT_ID] });
    await expect.poll(() => bar.elements()).toEqual([]);
  });

  it('stand below the bar that acts on the ticked ones', async () => {
    const { screen } = await open(alertAnswers([SAMPLE_ALERT, SECOND_ALERT]));
    await screen.getByRole('checkbox', { name: 'Tick all open alerts' }).click();
    const bar = screen.getByRole('toolbar', { name: 'Ticked alerts' }).element().getBoundingClientRect();
    const table = screen.getByRole('table').element().getBoundingClientRect();
    expect(bar.bottom).toBeLessThanOrEqual(table.top);
  });

  it('say who acknowledged and until when they are silenced, and offer neither again', async () => {
    // In the last hour of a day the end has the day before its time.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 22, 12) });
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const seen = { acknowledged_at: '2026-11-22T21:00:00.000Z', acknowledged_by: 'Mira', silenced_until: until };
    const { screen } = await open(alertAnswers([{ ...SAMPLE_ALERT, ...seen }]));
    await screen.getByRole('button', { name: /^Silenced 1 next ends \d\d:\d\d$/ }).click();
    await expect.element(screen.getByText(/^Acknowledged by Mira, silenced until \d\d:\d\d/)).toBeVisible();
    expect(screen.getByRole('button', { name: /^(Acknowledge|Actions|Silence) / }).elements()).toEqual([]);
  });

  it('show no button that acts to a viewer', async () => {
    const { screen } = await open(alertAnswers([SAMPLE_ALERT]), `/alerts?alert=${ALERT_ID}`, 'viewer');
    await expect.element(screen.getByText(ALERT_DETAIL.rule.text)).toBeVisible();
    expect(screen.getByRole('button', { name: /^(Acknowledge|Actions|Silence) / }).elements()).toEqual([]);
    expect(screen.getByRole('checkbox').elements()).toEqual([]);
  });

  it('keep the row and say why when the API refuses', async () => {
    const refused = { status: 403, detail: 'This call needs the role "editor"' };
    const { screen } = await open(alertAnswers([SAMPLE_ALERT], { [`POST ${BULK}`]: refused }));
    await screen.getByRole('button', { name: /^Acknowledge build-hel-02: CPU 91 %/ }).click();
    await expect.element(screen.getByText('This call needs the role "editor"')).toBeVisible();
    await expect.element(screen.getByText('CPU 91 %, 11 over for 5 min')).toBeVisible();
  });
});

describe('an opened row', () => {
  it('shows the rule with links, frozen processes, messages and who did what', async () => {
    const { screen } = await open(alertAnswers([SAMPLE_ALERT]), `/alerts?alert=${ALERT_ID}`);
    await expect.element(screen.getByText('CPU at or above 80 % for 5 min; resolves below 75 %')).toBeVisible();
    await expect
      .element(screen.getByRole('link', { name: 'Edit rule' }))
      .toHaveAttribute('href', '/alerts/rules/default-cpu');
    await expect
      .element(screen.getByRole('link', { name: 'Move the line for this server' }))
      .toHaveAttribute('href', `/alerts/rules/new?metric=cpu_usage&server=${ALERT_SERVER}`);
    const processes = screen.getByRole('region', { name: 'Top processes' });
    await expect.element(processes.getByText('rustc', { exact: true })).toBeVisible();
    await expect.element(processes.getByText('and 1 more')).toBeVisible();
    const messages = screen.getByRole('region', { name: 'Messages' });
    await expect.element(messages.getByRole('img', { name: 'delivered' })).toBeVisible();
    await expect.element(screen.getByText('Acknowledged by Mira: deploy')).toBeVisible();
  });

  it('has columns of about the same height, so that no hole is left', async () => {
    await page.viewport(1440, 900);
    const { screen } = await open(alertAnswers([SAMPLE_ALERT]), `/alerts?alert=${ALERT_ID}`);
    const messages = screen.getByRole('region', { name: 'Messages' });
    await expect.element(messages).toBeVisible();
    const parts = [...(messages.element().parentElement?.children ?? [])].map((part) => part.getBoundingClientRect());
    const foots = [...new Set(parts.map(({ left }) => left))].map((left) =>
      Math.max(...parts.filter((part) => part.left === left).map(({ bottom }) => bottom)),
    );
    expect(foots).toHaveLength(2);
    expect(Math.max(...foots) - Math.min(...foots)).toBeLessThan(200);
  });

  it('shows a message of several lines in as many', async () => {
    const alert = { ...SAMPLE_ALERT, message: 'first line\nsecond line' };
    const { screen } = await open(alertAnswers([alert]), `/alerts?alert=${ALERT_ID}`);
    const fact = screen.getByRole('definition').filter({ hasText: 'second line' });
    await expect.element(fact).toBeVisible();
    expect((fact.element() as HTMLElement).innerText).toMatch(/first.line\nsecond.line/);
  });

  it('acknowledges with a note', async () => {
    const { screen, callsTo } = await open(alertAnswers([SAMPLE_ALERT]), `/alerts?alert=${ALERT_ID}`);
    await screen.getByLabelText('Note (optional)').fill('known build');
    await screen.getByRole('button', { name: 'Acknowledge', exact: true }).click();
    await expect
      .poll(() => callsTo('POST', BULK)[0]?.body)
      .toEqual({ action: 'acknowledge', alert_ids: [ALERT_ID], note: 'known build' });
  });

  it('says what failed and keeps the facts of the row', async () => {
    const failed = { status: 500, detail: 'Request failed' };
    const { screen } = await open(
      alertAnswers([SAMPLE_ALERT], { [`GET /api/alerts/${ALERT_ID}`]: failed }),
      `/alerts?alert=${ALERT_ID}`,
    );
    await expect.element(screen.getByRole('alert').getByText('Request failed')).toBeVisible();
    await expect.element(screen.getByText('CPU usage above 80%')).toBeVisible();
  });

  it('copies a link to itself', async () => {
    const { screen } = await open(alertAnswers([SAMPLE_ALERT]), `/alerts?alert=${ALERT_ID}`);
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await screen.getByRole('button', { name: 'Copy link' }).click();
    await expect.element(screen.getByText('Copied')).toBeVisible();
    expect(write).toHaveBeenCalledWith(`${window.location.origin}/alerts?alert=${ALERT_ID}`);
  });

  it('of a link stands on top although the list does not have it', async () => {
    const { screen } = await open(alertAnswers([SECOND_ALERT]), `/alerts?alert=${ALERT_ID}`);
    await expect.element(screen.getByText(ALERT_DETAIL.rule.text)).toBeVisible();
    const rows = screen.getByRole('table', { name: 'Alerts' }).getByRole('button', { name: /^build-hel-02: / });
    const messages = [SAMPLE_ALERT.message, 'is down, no report for 7 min'];
    expect(rows.elements().map((each) => each.textContent)).toEqual(messages.map(unbroken));
  });

  it('says that the alert of a link is gone', async () => {
    const gone = { status: 404, detail: 'Alert not found' };
    const { screen } = await open(
      alertAnswers([SECOND_ALERT], { [`GET /api/alerts/${ALERT_ID}`]: gone }),
      `/alerts?alert=${ALERT_ID}`,
    );
    await expect.element(screen.getByText(/^The alert of this link was not found/)).toBeVisible();
    await expect.element(screen.getByText(unbroken('is down, no report for 7 min'))).toBeVisible();
  });

  it('fits a phone, with the buttons in reach', async () => {
    await page.viewport(390, 900);
    onTestFinished(() => page.viewport(1280, 800));
    const { screen } = await open(alertAnswers([SAMPLE_ALERT]), `/alerts?alert=${ALERT_ID}`);
    await expect.element(screen.getByText('Acknowledged by Mira: deploy')).toBeVisible();
    const button = screen.getByRole('button', { name: /^Actions for build-hel-02: CPU 91 %/ });
    expect(button.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(40);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });
});
