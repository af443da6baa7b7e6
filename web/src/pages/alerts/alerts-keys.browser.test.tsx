import { describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { drawPage } from '../../testing/draw-page.tsx';
import { ALERT_ID, alertAnswers, OTHER_ID, SAMPLE_ALERT, SECOND_ALERT } from '../../testing/sample-alert.ts';
import { Component } from './alerts-page.tsx';

const BULK = '/api/alerts/bulk';
const RESOLVED = { ...SAMPLE_ALERT, alert_id: '00000000-0000-4000-8000-0000000000a3', status: 'resolved' as const };
const answers = () => alertAnswers([SAMPLE_ALERT, SECOND_ALERT]);
async function draw(role: 'admin' | 'viewer' = 'admin', given = answers()) {
  const drawn = await drawPage(<Component />, given, { at: '/alerts', role });
  await expect.element(drawn.screen.getByRole('table', { name: 'Alerts' })).toBeVisible();
  return drawn;
}
const focused = () => document.activeElement?.closest<HTMLElement>('[data-alert]')?.dataset['alert'] ?? null;

describe('the keys of the Alerts page', () => {
  it('j and k move between the alerts, the worst first, and stop at both ends', async () => {
    await draw();
    const visited = [];
    for (const key of ['j', 'j', 'j', 'k', 'k']) {
      await userEvent.keyboard(key);
      visited.push(focused());
    }
    expect(visited).toEqual([OTHER_ID, ALERT_ID, ALERT_ID, OTHER_ID, OTHER_ID]);
  });

  it('Enter opens and closes', async () => {
    await draw();
    await userEvent.keyboard('jj{Enter}');
    await expect.poll(() => window.location.search).toBe(`?alert=${ALERT_ID}`);
    await expect.poll(() => document.activeElement?.getAttribute('aria-expanded')).toBe('true');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => window.location.search).toBe('');
  });

  it('a acknowledges the alert with the focus, and nothing without one', async () => {
    const { callsTo } = await draw();
    await userEvent.keyboard('aja');
    await expect
      .poll(() => callsTo('POST', BULK).map(({ body }) => body))
      .toEqual([{ action: 'acknowledge', alert_ids: [OTHER_ID] }]);
  });

  it('s opens the dialog that silences, and keys typed there do nothing else', async () => {
    const { screen, callsTo } = await draw();
    await userEvent.keyboard('js');
    const dialog = screen.getByRole('dialog', { name: /^Silence build-hel-02: is down, no report for 7 min/ });
    await expect.element(dialog).toBeVisible();
    await userEvent.keyboard('ax');
    await dialog.getByRole('button', { name: 'Silence', exact: true }).click();
    await expect.poll(() => callsTo('POST', BULK)[0]?.body).toMatchObject({ action: 'silence', alert_ids: [OTHER_ID] });
    expect(callsTo('POST', BULK)).toHaveLength(1);
  });

  it('x ticks and unticks', async () => {
    const { screen } = await draw();
    await userEvent.keyboard('jx');
    await expect.element(screen.getByText('1 alert ticked')).toBeVisible();
    await userEvent.keyboard('x');
    await expect.poll(() => screen.getByText('1 alert ticked').elements()).toEqual([]);
  });

  it('leave the second key of "g a" to the page it goes to', async () => {
    const { callsTo } = await draw();
    await userEvent.keyboard('jga');
    await userEvent.keyboard('{Control>}a{/Control}');
    expect(callsTo('POST', BULK)).toEqual([]);
  });

  it('act for nobody who may only read', async () => {
    const { callsTo } = await draw('viewer');
    await userEvent.keyboard('jaxs');
    expect([focused(), callsTo('POST', BULK), document.querySelector('[role="dialog"]')]).toEqual([OTHER_ID, [], null]);
  });
});

describe('the start of the Alerts page', () => {
  it('is a link that leads to the first alert: one Tab and Enter', async () => {
    await draw();
    await userEvent.keyboard('{Tab}{Enter}');
    expect(focused()).toBe(OTHER_ID);
  });

  it('lists what is active; All lists the rest', async () => {
    const { screen } = await draw('admin', alertAnswers([SAMPLE_ALERT, RESOLVED]));
    const rows = () => document.querySelectorAll('[data-alert]').length;
    expect(rows()).toBe(1);
    await screen.getByRole('button', { name: 'All 2' }).click();
    await expect.poll(rows).toBe(2);
    expect(window.location.search).toBe('?show=all');
    await screen.getByRole('button', { name: 'Active 1' }).click();
    await expect.poll(rows).toBe(1);
  });

  it('has the resolved alerts in one closed row', async () => {
    const { screen } = await drawPage(<Component />, alertAnswers([RESOLVED]), { at: '/alerts' });
    await expect.element(screen.getByText('No alert is active', { exact: true })).toBeVisible();
    await screen.getByRole('button', { name: /^Resolved 1/ }).click();
    await expect.poll(() => document.querySelectorAll('[data-alert]').length).toBe(1);
  });
});
