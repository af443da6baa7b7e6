import type { Page } from '../page.ts';
import { PROCESS_MINUTES } from '@plimsoll/contract/rules/limits';
import { createRanking } from './ranked-sights.ts';
import type { NearestList, ProcessRecord } from './types.ts';

const MINUTE_MS = PROCESS_MINUTES.stepSeconds * 1000;
/** Servers named in one answer; the totals count all of them. */
const MOST_NAMED = 50;

/** Start of the minute of a moment, ms. */
export const minuteOf = (at: number): number => Math.floor(at / MINUTE_MS) * MINUTE_MS;
const isInMinute = (sampleAt: number, at: number): boolean => minuteOf(sampleAt) === minuteOf(at);

interface Named {
  id: string;
  hostname: string;
}
interface FleetSnapshot {
  processes: ProcessRecord[];
  total: number;
  servers: number;
  inMinute: number;
  nearest: (Named & { sampleAt: number })[];
  nearestTotal: number;
  without: Named[];
  withoutTotal: number;
}

/** Merges the lists of many servers at one moment into one ranking, and counts which lists it is made of. */
export function createFleetSnapshot(rank: 'cpu' | 'memory', page: Page, at: number) {
  const ranking = createRanking(rank, page);
  const servers = new Map<number, NearestList['server']>();
  const nearest: FleetSnapshot['nearest'] = [];
  const without: Named[] = [];
  let inMinute = 0;
  const recordOf = ({ serverKey, at: sampleAt, process }: ReturnType<typeof ranking.page>['rows'][number]) => {
    const server = servers.get(serverKey);
    if (server === undefined) return [];
    const { id: serverId, hostname, cpuCores: serverCpuCores } = server;
    return [{ serverId, hostname, serverCpuCores, sampleAt, ...process }];
  };
  return {
    add({ server, existed, snapshot }: NearestList): void {
      const { key, id, hostname } = server;
      if (snapshot === null) {
        if (existed) without.push({ id, hostname });
        return;
      }
      const { sampleAt } = snapshot;
      servers.set(key, server);
      if (isInMinute(sampleAt, at)) inMinute += 1;
      else nearest.push({ id, hostname, sampleAt });
      ranking.add(snapshot.processes.map((process) => ({ serverKey: key, at: sampleAt, process })));
    },
    result(): FleetSnapshot {
      const { rows, total } = ranking.page();
      const farthestFirst = nearest.toSorted((a, b) => Math.abs(b.sampleAt - at) - Math.abs(a.sampleAt - at));
      return {
        processes: rows.flatMap(recordOf),
        total,
        servers: servers.size + without.length,
        inMinute,
        nearest: farthestFirst.slice(0, MOST_NAMED),
        nearestTotal: nearest.length,
        without: without.slice(0, MOST_NAMED),
        withoutTotal: without.length,
      };
    },
  };
}
