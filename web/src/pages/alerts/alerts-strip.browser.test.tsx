import { describe, expect, it } from 'vitest';
import { drawPage } from '../../testing/draw-page.tsx';
import { ALERT_ID, alertAnswers, SAMPLE_ALERT, SECOND_ALERT } from '../../testing/sample-alert.ts';
import { Component } from './alerts-page.tsx';

const open = (alerts = [SAMPLE_ALERT, SECOND_ALERT]) =>
  drawPage(<Component />, alertAnswers(alerts), { at: '/alerts', role: 'admin' });

describe('strip above the alerts', () => {
  it('has 52 px, stands before the list, and unfolds the chart', async () => {
    const { screen } = await open();
    await expect.element(screen.getByRole('table', { name: 'Alerts' })).toBeVisible();
    const button = screen.getByRole('button', { name: 'Chart: metrics timeline' });
    const strip = button.element().parentElement?.getBoundingClientRect();
    expect(strip?.height).toBe(52);
    expect(strip?.bottom ?? Infinity).toBeLessThanOrEqual(
      screen.getByRole('table').element().getBoundingClientRect().top,
    );
    expect(screen.getByRole('heading', { name: 'Metrics timeline' }).elements()).toEqual([]);
    await button.click();
    await expect.element(screen.getByRole('heading', { name: 'Metrics timeline' })).toBeVisible();
    await expect.element(button).toHaveAttribute('aria-expanded', 'true');
  });

  it('has a span for each alert of the range, and says the same in words', async () => {
    const { screen } = await open();
    await expect.element(screen.getByText(/2 alerts in the range\.$/)).toBeInTheDocument();
    expect(document.querySelectorAll('.lane rect')).toHaveLength(2);
  });
});

describe('alerts that the reader acknowledged', () => {
  it('are the only rows of "Mine", which counts them', async () => {
    const acknowledged = { acknowledged_at: new Date().toISOString(), acknowledged_by: 'Mira' };
    const mine = { ...SAMPLE_ALERT, ...acknowledged, acknowledged_by_id: '00000000-0000-4000-8000-000000000001' };
    // Another person of the same name.
    const other = { ...SECOND_ALERT, ...acknowledged, acknowledged_by_id: '00000000-0000-4000-8000-000000000002' };
    const { screen } = await open([mine, other]);
    const choice = screen.getByRole('button', { name: 'Mine 1' });
    await choice.click();
    await expect.poll(() => document.querySelectorAll('[data-alert]').length).toBe(1);
    expect(document.querySelector('[data-alert]')?.getAttribute('data-alert')).toBe(ALERT_ID);
    expect(window.location.search).toBe('?show=mine');
  });

  it('are none: the page says what would be listed', async () => {
    const { screen } = await open();
    await screen.getByRole('button', { name: 'Mine 0' }).click();
    await expect.element(screen.getByText('None is yours')).toBeVisible();
  });
});
