import type { CDPSession } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import type { Server, ServersAnswer } from '@plimsoll/contract/wire/servers';
import { paths } from '../../paths.ts';
import { drawApp } from '../../testing/draw-app.tsx';
import type { Answers } from '../../testing/draw-page.tsx';
import { everyAnswer, ID } from '../../testing/every-answer.ts';
import { ALERT_KEYS } from '../../format/alert-keys.ts';
import { GO_TO } from './shortcuts.ts';

const LIST = everyAnswer('/api/servers/list', Date.now()) as ServersAnswer;
const idOf = (index: number) => `${ID.slice(0, -1)}${String(index)}`;
const HOSTS = ['web-01', 'web-02', 'db-01'];
const SERVERS = HOSTS.map((hostname, index): Server => ({
  ...(LIST.servers[0] as Server),
  id: idOf(index + 1),
  hostname,
  display_name: null,
}));
const detail = everyAnswer(`/api/servers/${ID}`, Date.now()) as { server: object };
const answers: Answers = {
  'GET /api/servers/list': { data: { ...LIST, servers: SERVERS, total: SERVERS.length } },
  ...Object.fromEntries(
    SERVERS.map((server) => [
      `GET /api/servers/${server.id}`,
      { data: { server: { ...detail.server, id: server.id, hostname: server.hostname, display_name: null } } },
    ]),
  ),
};
const show = async (at: string, width = 1280) => {
  const drawn = await drawApp(at, { answers, width });
  await drawn.settled();
  return drawn;
};
const heading = (name: string) => page.getByRole('heading', { name, level: 1 });
const search = page.getByRole('combobox', { name: 'Search', exact: true });
const chosen = () => document.querySelector('[role="option"][aria-selected="true"]')?.textContent ?? '';
/** Sets what the system prefers; nothing brings the machine's own settings back. */
const prefer = (features: { name: string; value: string }[]) =>
  (cdp() as unknown as CDPSession).send('Emulation.setEmulatedMedia', { features });
const dialogs = () => page.getByRole('dialog').elements();

describe('the keyboard', () => {
  it('goes to every page by two keys, and lists the keys', async () => {
    await show(paths.dashboard);
    await userEvent.keyboard('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const { name } of GO_TO) await expect.element(help.getByText(`Go to ${name}`, { exact: true })).toBeVisible();
    for (const { name } of ALERT_KEYS) await expect.element(help.getByText(name, { exact: true })).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.poll(dialogs).toEqual([]);
    for (const { key, to } of GO_TO) {
      await userEvent.keyboard(`g${key}`);
      await expect.poll(() => window.location.pathname).toBe(to);
      const current = () =>
        document.querySelector('nav[aria-label="Main"] [aria-current="page"]')?.getAttribute('href');
      await expect.poll(current).toBe(to);
    }
  });

  it('leaves what is typed into a field alone', async () => {
    await show(paths.servers);
    await userEvent.keyboard('/');
    await expect.element(page.getByRole('searchbox')).toHaveFocus();
    await userEvent.keyboard('gd?');
    await expect.element(page.getByRole('searchbox')).toHaveValue('gd?');
    expect(window.location.pathname).toBe(paths.servers);
    expect(dialogs()).toEqual([]);
  });

  it('goes from one server to the next and to the one before, round the list', async () => {
    await show(paths.server(idOf(1)));
    await expect.element(heading('web-01')).toBeVisible();
    await userEvent.keyboard(']');
    await expect.element(heading('web-02')).toBeVisible();
    await userEvent.keyboard('[[');
    await expect.element(heading('web-01')).toBeVisible();
    await userEvent.keyboard('[[');
    await expect.element(heading('db-01')).toBeVisible();
  });
});

describe('the palette', () => {
  it('goes round by the arrows, and does what is chosen', async () => {
    await show(paths.servers);
    await userEvent.keyboard('{Meta>}k{/Meta}');
    await search.fill('th');
    await expect.poll(chosen).toContain('Dark theme');
    await userEvent.keyboard('{ArrowUp}');
    const last = () => [...document.querySelectorAll('[role="option"]')].at(-1);
    await expect.poll(() => last()?.getAttribute('aria-selected')).toBe('true');
    expect(search.element().getAttribute('aria-activedescendant')).toBe(last()?.id);
    await userEvent.keyboard('{ArrowDown}');
    await expect.poll(chosen).toContain('Dark theme');
    await search.fill('light theme');
    await expect.poll(chosen).toContain('Light theme');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => document.documentElement.hasAttribute('data-light')).toBe(true);
    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(search).toHaveValue('');
    await search.fill('pause');
    await expect.poll(chosen).toContain('Pause updates');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText('Paused', { exact: true })).toBeVisible();
  });

  it('says when nothing is found, and leads to a server', async () => {
    await show(paths.servers);
    await userEvent.keyboard('{Control>}k{/Control}');
    await search.fill('nothing like it');
    await expect.element(page.getByText('Nothing found')).toBeVisible();
    await userEvent.keyboard('{Enter}');
    await search.fill('web-02');
    await page.getByRole('option', { name: 'web-02 Server' }).click();
    await expect.element(heading('web-02')).toBeVisible();
    await expect.poll(dialogs).toEqual([]);
  });
});

describe('the frame', () => {
  it('opens its menu over a small page, and closes it when a page is chosen', async () => {
    const { settled } = await show(paths.servers, 390);
    await page.getByRole('button', { name: 'Open menu' }).click();
    const menu = page.getByRole('presentation').getByRole('navigation', { name: 'Main' });
    await menu.getByRole('link', { name: 'Processes' }).click();
    await expect.element(heading('Processes')).toBeVisible();
    await expect.poll(() => menu.elements()).toEqual([]);
    await page.getByRole('button', { name: 'Search' }).click();
    await search.fill('db-01');
    await expect.element(page.getByRole('option', { name: 'db-01 Server' })).toBeVisible();
    await userEvent.keyboard('{Enter}');
    // The palette closes for good: the key that chose does not press the button that opened it.
    await expect.element(heading('db-01')).toBeVisible();
    await settled();
    await expect.poll(dialogs).toEqual([]);
  });

  it('keeps its search within a small page while a server of the demo is silent', async () => {
    const past = new Date(Date.now() - 43 * 60_000).toISOString();
    const server = { ...detail.server, id: idOf(1), status: 'offline', last_seen_at: past, last_report_at: past };
    const profile = { ...(everyAnswer('/api/auth/profile', Date.now()) as object), demo: true };
    const { settled } = await drawApp(paths.server(idOf(1)), {
      width: 390,
      answers: { [`GET /api/servers/${idOf(1)}`]: { data: { server } }, 'GET /api/auth/profile': { data: profile } },
    });
    await settled();
    const bar = page.getByRole('banner');
    await expect.element(bar.getByText('Demo', { exact: false })).toBeVisible();
    await expect.element(bar.getByText(/^Last report \d+ min ago$/)).toBeVisible();
    const right = () => page.getByRole('button', { name: 'Search' }).element().getBoundingClientRect().right;
    expect(right()).toBeLessThanOrEqual(390);
  });

  it('remembers that its sidebar is narrow', async () => {
    await show(paths.servers);
    const width = () => document.querySelector('aside')?.getBoundingClientRect().width;
    await expect.poll(width).toBe(260);
    await page.getByRole('button', { name: 'Collapse sidebar' }).click();
    await expect.poll(width).toBe(88);
    expect(localStorage.getItem('plimsoll.sidebar-expanded')).toBe('false');
  });

  it('changes the theme without a transition on the cards', async () => {
    await show(paths.servers);
    const root = document.documentElement;
    // Fading the edges of all cards would hold up the next frame.
    root.toggleAttribute('data-light', true);
    root.toggleAttribute('data-dark', false);
    const running = document.getAnimations().map((each) => (each.effect as KeyframeEffect).target);
    root.toggleAttribute('data-light', false);
    root.toggleAttribute('data-dark', true);
    expect(running.filter((target) => target?.closest('article'))).toEqual([]);
    await page.getByRole('button', { name: /^Theme: dark/ }).click();
    await expect.poll(() => root.hasAttribute('data-light')).toBe(true);
  });

  it('follows the theme of the system when told to', async () => {
    await show(paths.profile);
    await page.getByRole('group', { name: 'Theme' }).getByRole('button', { name: 'System' }).click();
    for (const value of ['dark', 'light', 'dark']) {
      await prefer([{ name: 'prefers-color-scheme', value }]);
      await expect.poll(() => document.documentElement.hasAttribute(`data-${value}`)).toBe(true);
    }
    const panel = document.querySelector('section');
    await expect.poll(() => panel && getComputedStyle(panel).backgroundColor).toBe('rgb(17, 21, 28)');
    await prefer([]);
  });

  it('says every time in the zone that is chosen, on every page', async () => {
    const { settled } = await show(paths.profile);
    await page.getByRole('combobox', { name: /^Zone: / }).click();
    await page.getByRole('option', { name: 'Asia/Tokyo', exact: true }).click();
    await expect.poll(() => localStorage.getItem('plimsoll.zone')).toBe('Asia/Tokyo');
    const titles = () => [...document.querySelectorAll<HTMLElement>('main time[title]')].map(({ title }) => title);
    for (const name of ['Activity', 'Alerts']) {
      await page
        .getByRole('link', { name: new RegExp(`^${name}`) })
        .first()
        .click();
      await expect.element(heading(name)).toBeVisible();
      await settled();
      const zones = () => new Set(titles().map((title) => title.split(' ').at(-1)));
      await expect.poll(zones).toEqual(new Set(['GMT+9']));
    }
  });
});
