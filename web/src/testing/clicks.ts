import type { Page } from 'playwright-core';

/** Counts what a person presses with the mouse, over several documents. A key is no press. */
export async function countClicks(page: Page): Promise<{ count: () => number }> {
  let count = 0;
  await page.exposeFunction('countPress', () => void (count += 1));
  await page.addInitScript(() => {
    const report = (window as unknown as { countPress: () => void }).countPress;
    window.addEventListener('pointerdown', () => report(), { capture: true });
  });
  return { count: () => count };
}
