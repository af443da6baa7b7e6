import { ACCOUNT, type Dashboard, dashboardAddress, signIn } from './dashboard.ts';
import { CHART, OWN_IMAGES, helm, kubectl, makeNamespace } from './release.ts';

export const NAMESPACE = 'plimsoll-system';
export const RELEASE = 'plimsoll';
export const inNamespace = (...args: string[]): string => kubectl(['-n', NAMESPACE, ...args]);

export interface Installed {
  dashboard: Dashboard;
  notes: string;
  /** When `helm install` was called, epoch milliseconds. */
  at: number;
}

/** Installs the chart as the README does, with an account and a port of the nodes, and waits until it answers. */
export async function install(more: string[] = []): Promise<Installed> {
  makeNamespace(NAMESPACE, 'privileged');
  const at = Date.now();
  const account = `api.admin.email=${ACCOUNT.email},api.admin.password=${ACCOUNT.password}`;
  const settings = [...OWN_IMAGES, '--set', `api.service.type=NodePort,${account}`, ...more];
  const notes = helm(['install', RELEASE, CHART, '-n', NAMESPACE, ...settings]);
  for (const name of inNamespace('get', 'deployments', '-o', 'name').trim().split('\n'))
    inNamespace('rollout', 'status', name, '--timeout=120s');
  return { dashboard: await signIn(dashboardAddress(NAMESPACE)), notes, at };
}

/** Removes the release if it is still there, and the namespace with its volume. */
export function remove(): void {
  helm(['uninstall', RELEASE, '-n', NAMESPACE, '--ignore-not-found', '--wait']);
  kubectl(['delete', 'namespace', NAMESPACE, '--ignore-not-found']);
}
