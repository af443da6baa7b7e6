import { z } from 'zod';
import { CONNECTION_STATES } from '../rules/limits.ts';
import { count, MOST } from './number-bounds.ts';

/** Parts of a host's report about its network connections. */

const text = z.string();

export const connectionPart = z.object({
  /** Masked to /24 or /64 before it leaves the host. */
  remote_ip: text,
  remote_port: count.max(MOST.port),
  local_port: count.max(MOST.port),
  protocol: z.enum(['tcp', 'udp']),
  family: z.enum(['ipv4', 'ipv6']),
  state: text,
  /** −1: not available. */
  pid: z.int().min(-1),
  importance_score: z.int().min(0).max(100),
});

export const connectionCountsPart = z.object({
  total: count,
  /** Counts by the states of the spec; states without a socket are 0. */
  ...(Object.fromEntries(CONNECTION_STATES.map((s) => [s.toLowerCase(), count])) as Record<
    Lowercase<(typeof CONNECTION_STATES)[number]>,
    typeof count
  >),
});
export type ConnectionPart = z.infer<typeof connectionPart>;
export type ConnectionCountsPart = z.infer<typeof connectionCountsPart>;

/** Drops counts that no kernel can hold as a whole: the charts show a gap, and the report stays. */
export const possibleCounts = (counts: ConnectionCountsPart | undefined): ConnectionCountsPart | undefined =>
  counts && Object.values(counts).every((value) => value <= MOST.int32) ? counts : undefined;
