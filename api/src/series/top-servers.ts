import type { Installation } from '../servers/types.ts';
import type { BucketFacts } from './types.ts';

interface Top {
  cpu: number | null;
  memory: number | null;
  disk: number | null;
}

/**
 * Returns the servers that were the highest of all in some bucket, and for each bucket their places in that list. A
 * server that was deleted since is not known. Buckets of a series without these figures have none.
 */
export function topServersOf(
  buckets: readonly Pick<BucketFacts, 'tops'>[],
  installations: readonly Pick<Installation, 'key' | 'id' | 'name'>[],
): { tops: (Top | undefined)[]; servers: { server_id: string; name: string }[] | null } {
  const byKey = new Map(installations.map((one) => [one.key, one]));
  const places = new Map<number, number>();
  const servers: { server_id: string; name: string }[] = [];
  const placeOf = (key: number | null | undefined): number | null => {
    const server = key == null ? undefined : byKey.get(key);
    if (server === undefined) return null;
    const known = places.get(server.key);
    if (known !== undefined) return known;
    places.set(server.key, servers.length);
    servers.push({ server_id: server.id, name: server.name });
    return servers.length - 1;
  };
  const tops = buckets.map(({ tops: found }) =>
    found && 'cpu' in found
      ? { cpu: placeOf(found['cpu']), memory: placeOf(found['memory']), disk: placeOf(found['disk']) }
      : undefined,
  );
  return { tops, servers: tops.some((top) => top !== undefined) ? servers : null };
}
