import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../../web/src/testing/chromium.ts';
import { until } from '../../e2e/product.ts';
import { ACCOUNT, type Dashboard, makeDashboard } from './dashboard.ts';
import { makeKit, publish } from './kits.ts';
import { bootMachine, type Machine } from './machine.ts';

/**
 * What a person does on Setup: copy, paste into a root shell of another machine, look at the page. The machine is a
 * container with a systemd of its own; the dashboard is on plain http, where browsers hide the clipboard from scripts.
 */
interface Listed {
  hostname: string;
  status: string;
}

let machine: Machine;
let dashboard: Dashboard;
let browser: Browser;

beforeAll(async () => {
  machine = await bootMachine();
  dashboard = await makeDashboard(machine.hostAddress);
  await makeKit(dashboard.agentDir, '0.2.0', 'works');
  publish(dashboard.agentDir, '0.2.0');
  await dashboard.start();
  browser = await launchChromium();
});

afterAll(async () => {
  // Undefined when the one before did not come up, which is then the error to see.
  await (browser as Browser | undefined)?.close();
  await (dashboard as Dashboard | undefined)?.remove();
  await (machine as Machine | undefined)?.stop();
});

/** Pastes on another page than the one that was copied from. */
async function pasted(context: BrowserContext): Promise<string> {
  const elsewhere = await context.newPage();
  await elsewhere.setContent('<textarea autofocus></textarea>');
  const field = elsewhere.locator('textarea');
  await field.focus();
  await elsewhere.keyboard.press('Control+V');
  const text = await field.inputValue();
  await elsewhere.close();
  return text;
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(ACCOUNT.email);
  await page.getByLabel('Password', { exact: true }).fill(ACCOUNT.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const servers = async () => (await dashboard.get<{ servers: Listed[] }>('/api/servers/list')).servers;

test('the copied text installs, the page flips without a click, and the other copied text removes', async () => {
  const context = await browser.newContext({ baseURL: dashboard.url });
  const page = await context.newPage();
  await page.goto('/setup');
  await signIn(page);
  await page.getByRole('heading', { name: 'Setup', level: 1 }).waitFor();
  const connected = page.getByText('Server connected successfully!');

  // Looked for from before the click on: it says so for a moment only.
  await Promise.all([
    page.getByRole('button', { name: 'Copied' }).waitFor(),
    page.getByRole('button', { name: 'Copy command' }).click(),
  ]);
  const command = await pasted(context);
  await page.getByText('Waiting for the first report. This page updates automatically.').waitFor();
  expect(await connected.isVisible()).toBe(false);

  const { status, stderr } = await machine.run('/bin/sh', '-c', command);
  expect(stderr).toMatch(/0\.2\.0 is installed and reports as /);
  expect(status).toBe(0);
  await connected.waitFor();
  const hostname = (await machine.sh('uname -n')).trim();
  expect(await servers()).toMatchObject([{ hostname, status: 'active' }]);

  await page.getByRole('button', { name: 'Copy uninstall command' }).click();
  const removal = await until('another text on the clipboard', async () => {
    const text = await pasted(context);
    return text !== command && text;
  });
  expect((await machine.run('/bin/sh', '-c', removal)).stderr).toContain('the dashboard keeps what was reported');
  expect(await servers()).toMatchObject([{ hostname, status: 'uninstalled' }]);

  await page.getByRole('link', { name: hostname }).click();
  await page.getByRole('heading', { name: hostname, level: 1 }).waitFor();
  await context.close();
});
