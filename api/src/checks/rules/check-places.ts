import { API_PLACE, type Check } from '../types.ts';

interface SeenPlace {
  organisationId: string;
  name: { key: number; serverId: string; tags: Readonly<Record<string, string>> };
}

/** Returns the keys of the places that a check runs from. */
export function placesOf(check: Check, servers: ReadonlyMap<number, SeenPlace>): number[] {
  const { api, serverIds, tag } = check.places;
  const own = [...servers.values()].filter(({ organisationId }) => organisationId === check.organisationId);
  const chosen = own.filter(
    ({ name: { serverId, tags } }) =>
      serverIds.includes(serverId) ||
      (tag !== null && Object.hasOwn(tags, tag.key) && (tag.value === null || tags[tag.key] === tag.value)),
  );
  return [...(api ? [API_PLACE] : []), ...chosen.map(({ name }) => name.key)];
}
