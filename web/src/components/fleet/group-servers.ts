import type { Server } from '@plimsoll/contract/wire/servers';
import { plural } from '../../format/figures.ts';

export interface ServerGroup {
  offline: boolean;
  servers: readonly Server[];
}

/** Returns the servers that do not report and the others, in their order; one group when there are none of a kind. */
export function groupServers(servers: readonly Server[]): ServerGroup[] {
  const groups = [true, false].map((offline) => ({
    offline,
    servers: servers.filter(({ status }) => (status === 'offline') === offline),
  }));
  const known = groups.filter((group) => group.servers.length > 0);
  // The order of the view decides which stands first.
  const first = servers[0]?.status === 'offline';
  return known.toSorted((a, b) => Number(b.offline === first) - Number(a.offline === first));
}

/** Returns the heading of a group and what it means. */
export function groupWords({ offline, servers }: ServerGroup): { title: string; note: string } {
  if (!offline) return { title: 'Reporting', note: plural(servers.length, 'server') };
  return { title: 'Offline', note: `${plural(servers.length, 'server')} sent no report for three intervals` };
}
