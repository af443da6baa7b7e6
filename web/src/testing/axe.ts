import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

interface Fault {
  id: string;
  /** Selectors of the elements that have it. */
  at: string;
}

/**
 * Returns axe's findings on a page, all or only the serious and critical ones. Our pages have no frames, so one run
 * in the page is enough, and only violations are written out: that is four times as fast as axe's own defaults.
 */
export async function accessibilityFaults(page: Page, which: 'all' | 'grave' = 'grave'): Promise<Fault[]> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .analyze();
  return violations
    .filter(({ impact }) => which === 'all' || impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => ({ id, at: nodes.map(({ target }) => target.join(' ')).join(', ') }));
}

/** Returns how many pixels a page scrolls sideways, which no page should. */
export const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
