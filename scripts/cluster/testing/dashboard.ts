import { isIPv6 } from 'node:net';
import type { Page } from 'playwright-core';
import { type KubernetesObject, kubectl, list, until } from './release.ts';

export const ACCOUNT = { email: 'ops@example.com', password: 'correct horse battery' };

/** The dashboard through its Service: a node's address of the Service's first family, and the Service's node port. */
export function dashboardAddress(namespace: string): string {
  const service = kubectl(['-n', namespace, 'get', 'service', 'plimsoll-api', '-o', 'json']);
  const { spec } = JSON.parse(service) as { spec: { ipFamilies: string[]; ports: { nodePort: number }[] } };
  const isOfFamily = (address: string) => isIPv6(address) === (spec.ipFamilies[0] === 'IPv6');
  const address = nodeAddresses().find(isOfFamily);
  if (address === undefined) throw new Error(`no node has an ${String(spec.ipFamilies[0])} address`);
  return `http://${isIPv6(address) ? `[${address}]` : address}:${String(spec.ports[0]?.nodePort)}`;
}

interface Node extends KubernetesObject {
  status: { addresses: { type: string; address: string }[] };
}
const nodeAddresses = (): string[] =>
  list<Node>(['nodes']).flatMap(({ status }) =>
    status.addresses.filter(({ type }) => type === 'InternalIP').map(({ address }) => address),
  );

export interface Dashboard {
  url: string;
  /** Returns `data` of an answer. Throws the whole answer when it failed. */
  get<T>(path: string): Promise<T>;
  /** Sends JSON and returns `data` of the answer. Throws the whole answer when it failed. */
  post<T = unknown>(path: string, body: object): Promise<T>;
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
    async post<T>(path: string, sent: object) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(sent) });
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
      return ((await answer.json()) as { data: T }).data;
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
