import type { PlansAnswer } from '@plimsoll/contract/wire/accounts/plans';
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { drawPage } from '../../testing/draw-page.tsx';
import { Component } from './landing-page.tsx';

const plan = (name: string, facts: number) => ({
  name,
  usd_per_month: 9,
  servers: 3,
  history_days: 7,
  more: Array.from({ length: facts }, (_, n) => `Fact ${String(n)}`),
});
/** As many lines as the plans of the product have. */
const PLANS: PlansAnswer = { plans: [plan('Free', 2), plan('Pro', 2), plan('Business', 3)], enforced: false };

/** Returns the start of the section after the plans, px from the top of the page. */
const belowPlans = () =>
  page.getByRole('heading', { name: 'Questions' }).element().getBoundingClientRect().top + window.scrollY;
const pricing = page.getByRole('region', { name: 'Pricing' });

describe('the plans of the landing page', () => {
  it.each([1440, 390])('keep their place at %i px while they load and when they fail', async (width) => {
    await page.viewport(width, 900);
    const first = Promise.withResolvers<{ status: number; detail: string }>();
    let asked = 0;
    await drawPage(<Component />, {
      'GET /api/plans': () => (asked++ === 0 ? first.promise : { data: PLANS }),
    });
    await expect.element(pricing.getByRole('status', { name: 'Loading' })).toBeVisible();
    await document.fonts.ready;
    const loading = belowPlans();
    await expect.element(pricing).not.toMatchTextContent(/[$\d]/);

    first.resolve({ status: 503, detail: 'Back in a minute' });
    const alert = pricing.getByRole('alert');
    await expect.element(alert).toMatchTextContent(/Could not load the plans.*Back in a minute/);
    await expect.element(pricing).not.toMatchTextContent(/[$\d]/);
    const failed = belowPlans();
    const frame = pricing.element().querySelector('ul');
    expect(alert.element().getBoundingClientRect()).toEqual(frame?.getBoundingClientRect());

    await alert.getByRole('button', { name: 'Retry' }).click();
    await expect.element(pricing.getByRole('heading', { name: 'Business' })).toBeVisible();
    await expect.element(alert).not.toBeInTheDocument();
    expect([loading, failed]).toEqual([belowPlans(), belowPlans()]);
  });

  it.each([true, false])('say whether their limits are enforced: %s', async (enforced) => {
    await drawPage(<Component />, { 'GET /api/plans': { data: { ...PLANS, enforced } } });
    await expect.element(pricing.getByRole('heading', { name: 'Business' })).toBeVisible();
    const words = pricing.element().textContent;
    expect(words.includes('This installation limits accounts to')).toBe(enforced);
    expect(words.includes('no limits')).toBe(!enforced);
  });
});
