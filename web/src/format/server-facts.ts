import { percentOf } from '@plimsoll/contract/rules/percent-of';
import type { LatestMetricsItem } from '@plimsoll/contract/wire/metrics';
import type { Server } from '@plimsoll/contract/wire/servers';
import { momentMs } from '../time/age.ts';
import { gigabytesText, plural } from './figures.ts';
import { escapeInvisible } from './escape-invisible.ts';

/** Returns the display name of a server, else its hostname. */
export const serverName = (server: Pick<Server, 'display_name' | 'hostname'>): string =>
  escapeInvisible(server.display_name ?? server.hostname);

/** "Ubuntu 24.04": the name and version of the system; null before the first report. */
export function systemText(server: Pick<Server, 'os_name' | 'os_type' | 'os_version' | 'platform'>): string | null {
  const name = server.os_name ?? server.os_type ?? server.platform;
  if (name === null) return null;
  const version = server.os_version ?? '';
  return escapeInvisible(version === '' || name.includes(version) ? name : `${name} ${version}`);
}

/** "Debian 12 · amd64"; what is not known is left out. */
export const platformText = (server: Server): string =>
  [systemText(server), server.architecture].filter((part) => part !== null).join(' · ') || 'System not reported yet';

/** "8 cores · 32 GB · 4 TB", with "k8s" for a Kubernetes node. */
export function sizesText(server: Server): string {
  const parts = [
    server.cpu_cores === null ? null : plural(server.cpu_cores, 'core'),
    server.total_memory === null ? null : gigabytesText(server.total_memory),
    server.total_storage === null ? null : gigabytesText(server.total_storage),
    server.is_kubernetes_node ? 'k8s' : null,
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

/** Returns true if no report of the server is stored now: what it reported last is of the past. */
export const isSilent = ({ status }: Pick<Server, 'status'>): boolean =>
  status === 'offline' || status === 'refused' || status === 'uninstalled';

/** Epoch milliseconds of the last stored report where no new one is stored; undefined while the figures are fresh. */
export function staleSince(server: Pick<Server, 'status' | 'last_seen_at' | 'refusal'>): number | null | undefined {
  if (server.status === 'refused') return momentMs(server.refusal?.last_stored_at ?? null);
  return server.status === 'offline' ? momentMs(server.last_seen_at) : undefined;
}

/** The three figures of a card; all unknown without a latest sample. */
export function cardFigures(latest: LatestMetricsItem | undefined) {
  return {
    cpu: latest?.metrics.cpu_usage.value ?? null,
    memory: latest?.metrics.memory_usage.value ?? null,
    disk: latest?.metrics.disk_usage.value ?? null,
  };
}

/** The latest samples by server id. */
export const byServer = (items: readonly LatestMetricsItem[] | undefined): ReadonlyMap<string, LatestMetricsItem> =>
  new Map(items?.map((item) => [item.server_id, item]));

/** Per cent of the whole that is in use, by the disk's own reckoning; for tables of mounts. */
export function shareOf(used: number, available: number): number | null {
  return percentOf(used, used + available);
}
