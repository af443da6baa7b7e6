import type { Page } from 'playwright-core';
import { kubectl, until } from './release.ts';

export const ACCOUNT = { email: 'ops@example.com', password: 'correct horse battery' };

/** The dashboard through its Service, by a node's address and the Service's node port. */
export function dashboardAddress(namespace: string): string {
  const port = kubectl(['-n', namespace, 'get', 'service', 'plimsoll-api', '-o', 'jsonpath={.spec.ports[0].nodePort}']);
  const address = '{.items[0].status.addresses[?(@.type=="InternalIP")].address}';
  return `http://${kubectl(['get', 'nodes', '-o', `jsonpath=${address}`])}:${port}`;
}

export interface Dashboard {
  url: string;
  /** Returns `data` of an answer. Throws the whole answer when it failed. */
  get<T>(path: string): Promise<T>;
  /** Sends JSON. Throws the whole answer when it failed. */
  post(path: string, body: object): Promise<void>;
}

/** Signs in as the account the chart made. */
export async function signIn(url: string): Promise<Dashboard> {
  const token = await until('signing in', 60, async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api/auth/local`, { method: 'POST', headers, body: JSON.stringify(ACCOUNT) });
    const { data } = (await answer.json()) as { data?: { token: string } };
    return data?.token ?? null;
  });
  return {
    url,
    async get<T>(path: string) {
      const read = () => fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
      // kubectl holds the loop up for longer than the server keeps a socket: one it closed meanwhile is no failure.
      const answer = await read().catch(read);
      const body = (await answer.json()) as { success: boolean; data: T };
      if (!body.success) throw new Error(`${path}: ${JSON.stringify(body)}`);
      return body.data;
    },
    async post(path, sent) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(sent) });
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    },
  };
}

/** Signs in as a person does. */
export async function signInWith(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Email').fill(ACCOUNT.email);
  await page.getByLabel('Password', { exact: true }).fill(ACCOUNT.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
}
