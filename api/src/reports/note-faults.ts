import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import type { AgentPart, SourceHealth } from '@plimsoll/contract/wire/report';
import { sanitizeText } from './sanitize.ts';
import type { Flaw } from './keep-good-parts.ts';

/** Name of the collector's source of a part, where the two differ. */
const SOURCE_OF_PART: Readonly<Record<string, string>> = {
  filesystems: 'filesystem',
  disks: 'disk-io',
  interfaces: 'network',
  tcp: 'network',
  connection_counts: 'connections',
  events: 'activity',
  kubernetes: 'kubelet',
};
/** Longest note about one source. */
const NOTE_BYTES = 300;
/** Notes about one source; the others are counted. */
const MOST_NOTES = 3;

/** An agent that sends no health of its own, or none that can be read. */
const UNKNOWN_AGENT: AgentPart = {
  version: 'unknown',
  spool_bytes: null,
  spool_oldest_age_seconds: null,
  retries: 0,
  last_error: null,
  clock_skew_seconds: null,
  sources: {},
};

/** Adds what the API left out of a report to the health of its sources, where the collector's own notes are. */
export function noteFaults(agent: AgentPart | undefined, faults: readonly Flaw[]): AgentPart {
  const known = agent ?? UNKNOWN_AGENT;
  const sources = new Map(Object.entries(known.sources));
  const bySource = Map.groupBy(faults, ({ field }) => sourceOf(field));
  for (const [name, ofSource] of bySource) {
    if (!sources.has(name) && sources.size >= REPORT_LIMITS.sources) continue;
    sources.set(name, withNote(sources.get(name), ofSource));
  }
  return { ...known, sources: Object.fromEntries(sources) };
}

function sourceOf(path: string): string {
  const [part = ''] = path.split('.');
  return SOURCE_OF_PART[part] ?? part;
}

function withNote(health: SourceHealth | undefined, faults: readonly Flaw[]): SourceHealth {
  const texts = [...new Set(faults.map(({ field, problem }) => `${field}: ${problem}`))];
  const more = texts.length - MOST_NOTES;
  const note = [...texts.slice(0, MOST_NOTES), ...(more > 0 ? [`${String(more)} more`] : [])].join('; ');
  const own = health?.error ?? null;
  return {
    ok: health?.ok ?? true,
    duration_ms: health?.duration_ms ?? 0,
    error: sanitizeText(own === null ? note : `${note}; ${own}`, NOTE_BYTES),
  };
}
