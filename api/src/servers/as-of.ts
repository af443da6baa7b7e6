import type { Sample } from '../series/types.ts';
import type { LatestState, ServerWithLatest } from './types.ts';

/** Parts of a report that are kept of the latest one only. */
const WITHOUT_PARTS: Omit<LatestState, 'sample'> = {
  perCorePercent: [],
  filesystems: [],
  disks: [],
  interfaces: [],
  inside: {},
  sources: {},
  agent: null,
};

/**
 * Returns the servers as they were at `at` (ms), by the sample of each at that time. Servers that enrolled later are left
 * out; a server without a sample had not reported yet. Names, tags and system facts are those of now: no history of them
 * is kept. What a report holds beside its figures is not kept either, and no forecast is made of the past.
 */
export const serversAsOf = (
  servers: readonly ServerWithLatest[],
  samples: ReadonlyMap<number, Sample>,
  at: number,
): ServerWithLatest[] =>
  servers
    .filter(({ server }) => server.createdAt <= at || samples.has(server.key))
    .map((entry) => serverAsOf(entry, samples, at));

/** Returns one server as it was at `at` (ms); before it enrolled, as one that never reported. */
export const serverAsOf = (
  { server }: ServerWithLatest,
  samples: ReadonlyMap<number, Sample>,
  at: number,
): ServerWithLatest => {
  const sample = samples.get(server.key) ?? null;
  const uninstalledAt = server.uninstalledAt !== null && server.uninstalledAt <= at ? server.uninstalledAt : null;
  return {
    server: { ...server, lastSeenAt: sample?.sampleAt ?? null, uninstalledAt, refusal: null, diskTrends: [] },
    latest: { ...WITHOUT_PARTS, sample },
  };
};
