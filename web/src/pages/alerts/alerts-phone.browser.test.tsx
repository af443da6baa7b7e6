import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { drawPage } from '../../testing/draw-page.tsx';
import { ALERT_ID, alertAnswers, SAMPLE_ALERT } from '../../testing/sample-alert.ts';
import { Component } from './alerts-page.tsx';

const LONG = 'Memory 97 %, 17 over for 1 h 6 min, of the container registry-garbage-collector on a volume that fills';
const ALERTS = [
  SAMPLE_ALERT,
  ...Array.from({ length: 5 }, (_, index) => ({
    ...SAMPLE_ALERT,
    alert_id: `00000000-0000-4000-8000-0000000001a${String(index)}`,
    level: 'critical' as const,
    message: LONG,
    tags: { hostname: `a-host-with-a-very-long-name-${String(index)}.internal.example.org` },
  })),
];

describe('alerts on a phone', () => {
  beforeEach(async () => {
    await page.viewport(390, 844);
    return () => page.viewport(1280, 800);
  });
  const draw = async () => {
    const drawn = await drawPage(<Component />, alertAnswers(ALERTS), { at: '/alerts' });
    await expect.element(drawn.screen.getByRole('table', { name: 'Alerts' })).toBeVisible();
    return drawn;
  };

  it('begin on the first screen, in rows of 72 px at most, below a strip of 44 px that unfolds the chart', async () => {
    const { screen } = await draw();
    const rows = [...document.querySelectorAll('[data-alert]')].map((row) => row.getBoundingClientRect());
    expect(rows).toHaveLength(6);
    expect(Math.max(...rows.map(({ height }) => Math.round(height)))).toBeLessThanOrEqual(72);
    // The top bar takes 56 px of the 844.
    expect(rows[0]?.bottom ?? 0).toBeLessThan(400);
    const chart = screen.getByRole('button', { name: 'Chart: metrics timeline' });
    expect(chart.element().parentElement?.getBoundingClientRect().height).toBe(44);
    expect(chart.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(rows[0]?.top ?? 0);
    await expect.element(chart).toHaveAttribute('aria-expanded', 'false');
    await chart.click();
    await expect.element(screen.getByRole('heading', { name: 'Metrics timeline' })).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });

  it('have one button each, whose menu acts', async () => {
    const { screen, callsTo } = await draw();
    const row = screen.getByRole('row').filter({ hasText: 'build-hel-02' });
    expect(row.getByRole('button').elements()).toHaveLength(2);
    await row.getByRole('button', { name: /^Actions for build-hel-02: CPU 91 %/ }).click();
    await screen.getByRole('menuitem', { name: 'Acknowledge' }).click();
    await expect
      .poll(() => callsTo('POST', '/api/alerts/bulk')[0]?.body)
      .toEqual({ action: 'acknowledge', alert_ids: [ALERT_ID] });
    await row.getByRole('button', { name: /^Actions for build-hel-02: CPU 91 %/ }).click();
    await screen.getByRole('menuitem', { name: 'Silence for 1 h' }).click();
    await expect
      .poll(() => callsTo('POST', '/api/alerts/bulk')[1]?.body)
      .toEqual({ action: 'silence', alert_ids: [ALERT_ID], duration_seconds: 3600 });
    expect(window.location.search).toBe('');
  });

  it('are filtered behind one button', async () => {
    const { screen } = await draw();
    expect(screen.getByRole('group', { name: 'Time range' }).elements()).toEqual([]);
    await screen.getByRole('button', { name: 'Filter' }).click();
    await expect.element(screen.getByRole('group', { name: 'Time range' })).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });
});
