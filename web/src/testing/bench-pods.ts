import type { Page } from 'playwright-core';
import type { Step } from './bench-interactions.ts';
import { loaded } from './open-page.ts';

const POD_ROW = 'table[aria-label="Pods"] tbody tr button, table[aria-label="Pods"] tbody tr a';
/** The key that leads into the field is shown while it is empty. */
const EMPTY_SEARCH = 'div:has(> [aria-label="Search pods"]):has(> kbd)';
const SORTED = (column: number) => `table[aria-label="Pods"] th:nth-child(${String(column)})[aria-sort]`;

/** A person's actions on the pods of a cluster of this size; the API sorts and filters. */
export function podSteps(page: Page): Step[] {
  const link = (name: string) => page.getByRole('link', { name });
  const head = (name: string) => page.getByRole('columnheader').getByRole('button', { name });
  const search = page.getByRole('searchbox', { name: 'Search pods' });
  const toPods = async () => {
    await page.goto('/kubernetes/pods');
    await page.locator(POD_ROW).first().waitFor();
    await loaded(page);
  };
  return [
    {
      what: 'open Pods',
      before: async () => {
        await page.goto('/kubernetes');
        await loaded(page);
      },
      act: () => link('Pods').first().click(),
      shows: POD_ROW,
      shownBudget: 500,
    },
    {
      what: 'sort the pods',
      before: async () => {
        if (!page.url().includes('/kubernetes/pods')) await toPods();
        await head('Restarts').click();
        await page.locator(SORTED(7)).waitFor();
      },
      act: () => head('CPU').click(),
      shows: SORTED(5),
    },
    {
      what: 'a letter into the search of the pods',
      before: async () => {
        await search.fill('');
        await page.locator(EMPTY_SEARCH).waitFor();
        await search.focus();
      },
      act: () => page.keyboard.press('7'),
      shows: 'div:has(> [aria-label="Search pods"]):not(:has(> kbd))',
    },
    {
      what: 'open a pod',
      before: toPods,
      act: () => page.locator(POD_ROW).first().click(),
      shows: '[aria-label^="Pod "]',
    },
    {
      what: 'pods by owner',
      before: toPods,
      act: () => page.getByRole('button', { name: 'By owner' }).click(),
      shows: 'button[value="owner"][aria-pressed="true"]',
    },
  ];
}
