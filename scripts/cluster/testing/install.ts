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

/** Sets the account, and a port of the nodes at which the dashboard is reached. */
export const REACHABLE = [
  '--set',
  `api.service.type=NodePort,api.admin.email=${ACCOUNT.email},api.admin.password=${ACCOUNT.password}`,
];

/** Runs `helm install` as the README does, with an account and a port of the nodes. Returns its notes. */
export function installRelease(more: string[] = []): string {
  const settings = [...OWN_IMAGES, ...REACHABLE, ...more];
  return helm(['install', RELEASE, CHART, '-n', NAMESPACE, ...settings]);
}

/** Changes values of the release, and keeps the others. */
export const upgrade = (...settings: string[]): string =>
  helm(['upgrade', RELEASE, CHART, '-n', NAMESPACE, '--reuse-values', ...settings]);

export function deploymentsReady(): void {
  for (const name of inNamespace('get', 'deployments', '-o', 'name').trim().split('\n'))
    inNamespace('rollout', 'status', name, '--timeout=120s');
}

/** Makes the namespace, installs the chart and waits until it answers. */
export async function install(
  more: string[] = [],
  podSecurity: Parameters<typeof makeNamespace>[1] = 'privileged',
): Promise<Installed> {
  makeNamespace(NAMESPACE, podSecurity);
  const at = Date.now();
  const notes = installRelease(more);
  deploymentsReady();
  return { dashboard: await signIn(dashboardAddress(NAMESPACE)), notes, at };
}

/** Removes the release if it is still there, and the namespace with its volume. */
export function remove(): void {
  helm(['uninstall', RELEASE, '-n', NAMESPACE, '--ignore-not-found', '--wait']);
  kubectl(['delete', 'namespace', NAMESPACE, '--ignore-not-found']);
}
