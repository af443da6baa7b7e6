import type { Page } from 'playwright-core';
import type { Row } from './bench-table.ts';
import { alertSteps } from './bench-alerts.ts';
import { podSteps } from './bench-pods.ts';
import { loaded } from './open-page.ts';

const ROUNDS = 10;
const REACH_MS = 100;

/** Measurements of the page: the longest event since the last reading, and the start of the first. */
interface Notes {
  longest: number;
  began: number;
}
type Noting = typeof globalThis & { notes: Notes };
type Unnoted = typeof globalThis & { notes?: Notes };

export interface Step {
  what: string;
  /** Brings the page to where the interaction begins; not measured. */
  before?: () => Promise<void>;
  act: () => Promise<void>;
  /** Matches once the effect is on the page. */
  shows: string;
  /** Milliseconds until the effect is on the page, answers of the API included; measured as a row of its own. */
  shownBudget?: number;
}

/** From the input to the next frame, as Event Timing counts it; entries below 16 ms are not written and count as 16. */
const startNoting = (page: Page) =>
  page.evaluate(() => {
    const isFirst = (globalThis as Unnoted).notes === undefined;
    const noting = globalThis as Noting;
    noting.notes = { longest: 0, began: Number.POSITIVE_INFINITY };
    if (!isFirst) return;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) noting.notes.longest = Math.max(noting.notes.longest, duration);
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
    for (const type of ['pointerdown', 'keydown', 'click'])
      window.addEventListener(
        type,
        (event) => (noting.notes.began = Math.min(noting.notes.began, event.timeStamp)),
        true,
      );
  });

/** Resolves in the frame after `selector` matched: what it names has been painted then. */
const untilShown = (page: Page, selector: string) =>
  page.evaluate(
    (wanted) =>
      new Promise<{ next: number; shown: number }>((done, fail) => {
        const noting = globalThis as Noting;
        const begun = performance.now();
        const look = () => {
          if (performance.now() - begun > 30_000) fail(new Error(`nothing on the page matched ${wanted}`));
          else if (document.querySelector(wanted) === null) requestAnimationFrame(look);
          else
            requestAnimationFrame(() => {
              const shown = performance.now() - noting.notes.began;
              // Entries are written after the frame that they describe.
              setTimeout(() => done({ next: Math.max(16, noting.notes.longest), shown }), 50);
            });
        };
        look();
      }),
    selector,
  );

async function measure(page: Page, { what, before, act, shows }: Step): Promise<Row> {
  const values: number[] = [];
  const shown: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await before?.();
    await startNoting(page);
    const seen = untilShown(page, shows);
    await act();
    const times = await seen;
    values.push(times.next);
    shown.push(times.shown);
  }
  return { what, values, unit: 'ms', budget: REACH_MS, shown };
}

/** Interactions with the shell, on whatever page is open. */
function shellSteps(page: Page): Step[] {
  const theme = page.getByRole('button', { name: /^Theme:/ });
  const combobox = page.getByRole('combobox', { name: 'Search' });
  const close = async () => {
    if (await combobox.isVisible()) await page.keyboard.press('Escape');
    await combobox.waitFor({ state: 'detached' });
  };
  return [
    {
      what: 'open the palette',
      before: close,
      act: () => page.keyboard.press('Control+k'),
      shows: 'input[role="combobox"]',
    },
    {
      what: 'a letter into the palette',
      before: () => combobox.fill(''),
      act: () => page.keyboard.press('4'),
      shows: 'input[role="combobox"][value="4"]',
    },
    {
      what: 'switch the theme',
      before: async () => {
        await close();
        while (!(await theme.getAttribute('aria-label'))?.startsWith('Theme: dark')) await theme.click();
      },
      act: () => theme.click(),
      shows: 'button[aria-label^="Theme: light"]',
    },
  ];
}

/** Selector of the table of the whole fleet, its head counted. */
const wholeTable = (servers: number) => `table[aria-rowcount="${String(servers + 1)}"]`;
const FEWER = (servers: number) => `table[aria-rowcount]:not([aria-rowcount="${String(servers + 1)}"])`;
const CARDS = 'main:has([data-page-search]) article';

function tableSteps(page: Page, servers: number): Step[] {
  const head = (name: string) => page.getByRole('columnheader').getByRole('button', { name, exact: true });
  const search = page.getByRole('searchbox', { name: 'Filter by name, tag, OS' });
  const load = page.getByRole('combobox', { name: /^Over the line:/ });
  const option = (name: string) => page.getByRole('option', { name, exact: true });
  const whole = () => page.locator(wholeTable(servers)).waitFor();
  return [
    {
      what: 'cards to table',
      before: async () => {
        await page.getByRole('button', { name: 'Cards' }).click();
        await page.locator(CARDS).first().waitFor();
      },
      act: () => page.getByRole('button', { name: 'Table' }).click(),
      shows: wholeTable(servers),
    },
    {
      what: 'sort the table',
      before: async () => {
        await head('Memory').click();
        await page.locator('th.memory[aria-sort]').waitFor();
      },
      act: () => head('CPU').click(),
      shows: 'th.cpu[aria-sort]',
    },
    {
      what: 'filter the table',
      before: async () => {
        await load.click();
        await option('Any').click();
        await whole();
        await load.click();
        await option('Over').waitFor();
      },
      act: () => option('Over').click(),
      shows: FEWER(servers),
    },
    {
      what: 'a letter into the search of the table',
      before: async () => {
        await search.fill('');
        if (!(await page.locator(wholeTable(servers)).isVisible())) {
          await load.click();
          await option('Any').click();
        }
        await whole();
        await search.focus();
      },
      act: () => page.keyboard.press('7'),
      shows: FEWER(servers),
    },
  ];
}

function cardSteps(page: Page, servers: number): Step[] {
  const search = page.getByRole('searchbox', { name: 'Filter by name, tag, OS' });
  return [
    {
      what: 'table to cards',
      before: async () => {
        await search.fill('');
        await page.getByRole('button', { name: 'Table' }).click();
        await page.locator(wholeTable(servers)).waitFor();
      },
      act: () => page.getByRole('button', { name: 'Cards' }).click(),
      shows: CARDS,
    },
    {
      what: 'three letters into the search of the cards',
      before: async () => {
        await search.fill('');
        await page.locator(`${CARDS} + article`).first().waitFor();
        await search.focus();
      },
      act: () => page.keyboard.type('499'),
      shows: 'main article:only-child',
    },
  ];
}

function pageSteps(page: Page): Step[] {
  const link = (name: string) => page.locator('aside').getByRole('link', { name, exact: true });
  const range = (value: string) => page.locator(`button[value="${value}"]`);
  const toServers = async () => {
    await link('Servers').click();
    await page.locator('main [data-page-search]').waitFor();
    await loaded(page);
  };
  const toDashboard = async () => {
    await link('Dashboard').click();
    await page.locator('section[aria-label="Servers"] article').first().waitFor();
    await loaded(page);
  };
  return [
    { what: 'open Servers', before: toDashboard, act: () => link('Servers').click(), shows: CARDS },
    {
      what: 'open a server',
      before: toServers,
      act: () => page.locator(`${CARDS} a`).first().click(),
      shows: 'section[aria-label="CPU"]',
    },
    {
      what: 'another range',
      before: async () => {
        await range('24').click();
        await page.locator('button[value="24"][aria-pressed="true"]').waitFor();
        await loaded(page);
      },
      act: () => range('6').click(),
      shows: 'button[value="6"][aria-pressed="true"]',
    },
    {
      what: 'sort the cards of the dashboard',
      before: async () => {
        if (!(await page.locator('section[aria-label="Servers"]').isVisible())) await toDashboard();
        await range('headroom').click();
        await page.locator('button[value="headroom"][aria-pressed="true"]').waitFor();
      },
      act: () => range('name').click(),
      shows: 'button[value="name"][aria-pressed="true"]',
    },
  ];
}

/** Ten of each thing a person does to a fleet of this size. */
export async function interactions(page: Page, servers: number, say: (line: string) => void): Promise<Row[]> {
  const rows: Row[] = [];
  await page.goto('/servers');
  await loaded(page);
  const steps = [
    ...tableSteps(page, servers),
    ...cardSteps(page, servers),
    ...pageSteps(page),
    ...shellSteps(page),
    ...podSteps(page),
    ...alertSteps(page),
  ];
  for (const step of steps) {
    say(`  ${step.what}`);
    const row = await measure(page, step);
    rows.push({ ...row, what: `${row.what}, ${String(servers)} servers` });
    if (step.shownBudget !== undefined && row.shown !== undefined)
      rows.push({ what: `${step.what}, until it shows`, values: row.shown, unit: 'ms', budget: step.shownBudget });
  }
  return rows;
}
