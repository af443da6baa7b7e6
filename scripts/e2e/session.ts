import type { Page } from 'playwright-core';
import { type Product, until } from './product.ts';

const ACCOUNT = { email: 'ops@example.com', password: 'correct horse battery' };

/** Opens the printed link and creates the first account, as a person does. */
export async function signInFirst(page: Page, product: Product): Promise<void> {
  await page.goto(product.signInLink);
  await page.getByLabel('Email').fill(ACCOUNT.email);
  await page.getByLabel('Password', { exact: true }).fill(ACCOUNT.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
}

export type Get = <T>(path: string) => Promise<T>;

/** A session beside the browser's, to read the same calls. Answers what is under `data`. */
export async function apiSession(product: Product): Promise<Get> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${product.url}/api/auth/local`, {
    method: 'POST',
    headers,
    body: JSON.stringify(ACCOUNT),
  });
  const { data } = (await answer.json()) as { data: { token: string } };
  return async <T>(path: string) => {
    const response = await fetch(product.url + path, { headers: { authorization: `Bearer ${data.token}` } });
    const body = (await response.json()) as { success: boolean; data: T };
    if (!body.success) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body.data;
  };
}

export interface ListedServer {
  id: string;
  hostname: string;
  status: string;
  total_memory: number | null;
}

/** The one server there is, once it has the status. */
export const serverWith = (get: Get, status: string, seconds: number): Promise<ListedServer> =>
  until(
    `a server that is ${status}`,
    async () => {
      const { servers } = await get<{ servers: ListedServer[] }>('/api/servers/list');
      return servers.find((server) => server.status === status);
    },
    seconds,
  );
