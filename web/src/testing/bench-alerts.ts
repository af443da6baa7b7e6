import type { Page } from 'playwright-core';
import type { Step } from './bench-interactions.ts';
import { loaded } from './open-page.ts';

/** The chart comes with the rule, the black box and the deliveries: one answer of the API. */
const DETAILS = 'section[aria-label="Around the moment"]';

/** Opens an alert of the group that all are in; each round opens another one, so none is in the cache. */
export function alertSteps(page: Page): Step[] {
  const group = page.getByRole('table', { name: 'Alerts' }).locator('[data-alert] .message');
  const parts = page.getByRole('region', { name: 'In this group' }).locator('li [aria-expanded]');
  let round = 0;
  return [
    {
      what: 'open an alert',
      before: async () => {
        if (round === 0) {
          await page.goto('/alerts');
          await group.first().click();
        } else await parts.nth(round - 1).click();
        await parts.first().waitFor();
        await page.locator(DETAILS).waitFor({ state: 'detached' });
        await loaded(page);
        round += 1;
      },
      act: () => parts.nth(round - 1).click(),
      shows: DETAILS,
      shownBudget: 300,
    },
  ];
}
