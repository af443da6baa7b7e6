import type { Probe } from '@plimsoll/contract/wire/check-probes';

/** Returns the host that a probe connects to, without brackets and port. */
export const hostOf = (probe: Probe): string =>
  (probe.kind === 'http' ? (URL.parse(probe.url)?.hostname ?? '') : probe.host).replace(/^\[|\]$/g, '').toLowerCase();

/** Returns the target as a line of a list: "GET https://shop.example.net/health", "db.example.net:5432". */
export function targetText(probe: Probe): string {
  if (probe.kind === 'http') return `${probe.method} ${probe.url}`;
  if (probe.kind === 'dns') return `${probe.record_type} ${probe.host}`;
  return `${probe.host.includes(':') ? `[${probe.host}]` : probe.host}:${String(probe.port)}`;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/**
 * Returns the server that a failure belongs to: the one of the target's name, or the only place of a check of its own
 * loopback address; null: there is none.
 */
export function serverOfTarget(
  probe: Probe,
  places: { api: boolean; serverIds: readonly string[] },
  servers: readonly { id: string; hostname: string; displayName: string | null }[],
): string | null {
  const host = hostOf(probe);
  const [only, ...others] = places.serverIds;
  if (LOOPBACK.test(host)) return !places.api && only !== undefined && others.length === 0 ? only : null;
  const named = servers.filter(({ hostname, displayName }) =>
    [hostname, displayName].some((name) => name?.toLowerCase() === host),
  );
  return named.length === 1 ? (named[0]?.id ?? null) : null;
}
