import type { Server } from '@plimsoll/contract/wire/servers';
import { plural } from '../../format/figures.ts';

const KINDS = ['offline', 'refused', 'reporting', 'installing', 'uninstalled'] as const;
type Kind = (typeof KINDS)[number];
export interface ServerGroup {
  kind: Kind;
  servers: readonly Server[];
}

const kindOf = ({ status }: Server): Kind => (status === 'active' ? 'reporting' : status);

/** Returns the servers by whether they report, and why not, in their order; only the groups that have servers. */
export function groupServers(servers: readonly Server[]): ServerGroup[] {
  const groups = KINDS.map((kind) => ({ kind, servers: servers.filter((server) => kindOf(server) === kind) }));
  // The order of the view decides which stands first.
  const places = new Map(groups.map(({ kind }) => [kind, servers.findIndex((server) => kindOf(server) === kind)]));
  return groups
    .filter((group) => group.servers.length > 0)
    .toSorted((a, b) => (places.get(a.kind) ?? 0) - (places.get(b.kind) ?? 0));
}

const TITLE: Record<Kind, string> = {
  offline: 'Offline',
  refused: 'Refused',
  reporting: 'Reporting',
  installing: 'Installing',
  uninstalled: 'Uninstalled',
};

/** Returns the heading of a group and what it means. */
export function groupWords({ kind, servers }: ServerGroup): { title: string; note: string } {
  const count = plural(servers.length, 'server');
  const note = {
    offline: `${count} sent no report for three intervals`,
    refused: `the API refuses the reports of ${count}`,
    reporting: count,
    installing: `${count} sent no report yet`,
    uninstalled: `the agent of ${count} was removed`,
  }[kind];
  return { title: TITLE[kind], note };
}
