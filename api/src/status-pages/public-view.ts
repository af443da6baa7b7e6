import type { PublicPageState, PublicServerState } from '@plimsoll/contract/rules/status-page-limits';
import type { PublicStatusPage } from '@plimsoll/contract/wire/status-pages';
import { nameOf, type FleetServer } from '../servers/fleet.ts';
import type { StatusPage } from './types.ts';

type PublicServer = PublicStatusPage['servers'][number];

function stateOf({ status, headroom }: FleetServer): PublicServerState {
  // A stranger is not shown why a server has no figures.
  if (status === 'offline' || status === 'refused') return 'offline';
  if (status !== 'active') return 'not_reporting';
  return headroom !== null && headroom.points <= 0 ? 'over_line' : 'operational';
}

const wholePercent = (value: number | null | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : null;

function figuresOf({ status, latest: { sample }, lines }: FleetServer): PublicServer['figures'] {
  if (status !== 'active' || sample === null) return null;
  return {
    cpu: { value: wholePercent(sample.cpuPercent), line: lines.cpu.warning },
    memory: { value: wholePercent(sample.memoryPercent), line: lines.memory.warning },
    disk: { value: wholePercent(sample.diskPercent), line: lines.disk.warning },
  };
}

function pageStateOf(states: readonly PublicServerState[]): PublicPageState {
  if (states.includes('offline')) return 'outage';
  if (states.includes('over_line')) return 'degraded';
  return states.includes('operational') ? 'operational' : 'unknown';
}

/**
 * Returns what a stranger may read of a page. Every field is named here: nothing of a server is copied as a whole.
 * A server that is gone, or that moved to another account, is absent, and the numbers of the others stay.
 */
export function publicView(page: StatusPage, fleet: ReadonlyMap<string, FleetServer>, now: number): PublicStatusPage {
  const servers = page.servers.flatMap(({ serverId, label }, index): PublicServer[] => {
    const entry = fleet.get(serverId);
    if (entry === undefined) return [];
    const { lastSeenAt } = entry.server;
    return [
      {
        name: label ?? (page.showsNames ? nameOf(entry.server) : `Server ${String(index + 1)}`),
        state: stateOf(entry),
        reported_at: lastSeenAt === null ? null : new Date(lastSeenAt).toISOString(),
        figures: page.showsFigures ? figuresOf(entry) : null,
      },
    ];
  });
  return {
    title: page.title,
    message: page.message,
    state: pageStateOf(servers.map(({ state }) => state)),
    servers,
    as_of: new Date(now).toISOString(),
  };
}
