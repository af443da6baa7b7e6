import type { Entry } from './segments.ts';
import { LEVEL, type Spool, SPOOL_LIMITS, type Unnumbered } from './spool.ts';

/** One moment by both clocks of the host, and the boot the uptime counts from. */
export interface BootMoment {
  ts: number;
  up: number;
  boot: string;
}

/** Within a boot by the uptime: a wall clock that is set must not make old what was collected a minute ago. */
const ageSeconds = (entry: Entry, now: BootMoment): number =>
  entry.boot === now.boot ? now.up - entry.up : now.ts - entry.ts;

/**
 * Keeps the spool within 24 h and 16 MiB. When it is over, the oldest reports lose their long lists first, then
 * everything but their events; events go last. A thinned report is a new one under a new number, and the old number
 * is declared: the server may have committed the old one, and one number must never mean two contents.
 */
export async function enforceBounds(
  spool: Spool,
  now: BootMoment,
  maxBytes: number = SPOOL_LIMITS.bytes,
): Promise<void> {
  const expired = spool.entries.filter((entry) => ageSeconds(entry, now) > SPOOL_LIMITS.ageSeconds);
  for (const entry of expired) spool.drop(entry, 'spool_full');
  // Each round frees a segment or lowers its level, so this ends; the bound is a belt to the braces.
  for (let round = 0; round < 64 && spool.diskBytes > maxBytes; round += 1) {
    const entries = oldestToShrink(spool);
    if (entries.length === 0) return;
    for (const entry of entries) await shrink(spool, entry);
  }
}

/** The pending reports of the oldest closed segment that still has something to give, at the lowest level there is. */
function oldestToShrink(spool: Spool): Entry[] {
  const closed = spool.segments.slice(0, -1);
  for (const level of [LEVEL.whole, LEVEL.thinned, LEVEL.eventsOnly]) {
    for (const segment of closed) {
      const entries = spool.entries.filter((entry) => entry.place?.segment === segment && entry.level === level);
      if (entries.length > 0) return entries;
    }
  }
  return [];
}

async function shrink(spool: Spool, entry: Entry): Promise<void> {
  const [loaded] = await spool.load([entry]);
  if (!loaded) return;
  const { seq: _s, boot_id: _b, ...report } = loaded.report;
  const smaller = entry.level === LEVEL.whole ? withoutLists(report) : eventsOf(report, entry.level);
  if (smaller) await spool.append(smaller, entry.boot, entry.level + 1);
  spool.drop(entry, smaller ? 'thinned' : 'spool_full');
}

function withoutLists(report: Unnumbered): Unnumbered {
  const { processes: _p, connections: _c, containers: _k, units: _u, ...rest } = report;
  return rest;
}

function eventsOf(report: Unnumbered, level: number): Unnumbered | null {
  if (level !== LEVEL.thinned || !report.events?.length) return null;
  const { ts, up, kind, events } = report;
  return { ts, up, kind, window_seconds: null, events };
}
