import { setImmediate } from 'node:timers/promises';
import { diskTrend } from './disk-trend.ts';
import type { FilesystemHistory } from './store.ts';
import type { FilesystemsOfServer, FilesystemTrend } from './types.ts';

/** Servers whose history is in memory at a time. */
const CHUNK = 20;

/** Stores the newest use of all filesystems and recomputes the trends it changes. Returns the number of servers. */
export async function updateDiskTrends(history: FilesystemHistory, now: number): Promise<number> {
  const keys = await history.record(now);
  for (let first = 0; first < keys.length; first += CHUNK)
    for (const server of await history.read(keys.slice(first, first + CHUNK), now)) {
      await history.saveTrends(server.serverKey, trendsOf(server, now), now);
      // A trend takes a few milliseconds; requests must not wait for those of the whole fleet.
      await setImmediate();
    }
  return keys.length;
}

const trendsOf = ({ filesystems }: FilesystemsOfServer, now: number): FilesystemTrend[] =>
  filesystems.flatMap(({ mount, capacityBytes, points }) => {
    const newest = points.at(-1);
    if (newest === undefined) return [];
    return [{ mount, capacityBytes, ...newest, trend: diskTrend(points, capacityBytes, now) }];
  });
