import type { Page } from 'playwright-core';
import type { Step } from './bench-interactions.ts';
import { loaded } from './open-page.ts';

/** The chart comes with the rule, the black box and the deliveries: one answer of the API. */
const DETAILS = 'section[aria-label="Around the moment"]';

/** Opens a row of the alerts; each round opens another one, so none is in the cache. */
export function alertSteps(page: Page): Step[] {
  const messages = page.getByRole('table', { name: 'Alerts' }).locator('[data-alert] .message');
  let round = 0;
  return [
    {
      what: 'open an alert',
      before: async () => {
        if (round === 0) await page.goto('/alerts');
        else await messages.nth(round - 1).click();
        await messages.first().waitFor();
        await page.locator(DETAILS).waitFor({ state: 'detached' });
        await loaded(page);
        round += 1;
      },
      act: () => messages.nth(round - 1).click(),
      shows: DETAILS,
      shownBudget: 300,
    },
  ];
}
