import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Named, TrueCause } from './incident.ts';
import type { RunResult } from './results.ts';

/** A run as the fast test needs it: the evidence of each incident of the product, and the truth. */
export interface Recording {
  incident: string;
  namespace: string | null;
  causes: TrueCause[];
  related: Named[];
  /** The score that the answers over this evidence had when it was recorded; it may not fall. */
  score: number;
  evidence: Record<string, unknown>[];
}

/** A recording of one incident of the product is at most this large, if its own shop allows it. */
const MOST_BYTES = 60_000;
/** Lists that are long and repeat themselves: only their newest entries stay where the recording is too large. */
const LONG_LISTS = ['events', 'changes', 'lines'] as const;
const SHOP = /^shop-\d+$/;

const fieldOf = (item: unknown, name: string): unknown =>
  typeof item === 'object' && item !== null ? Object.entries(item).find(([key]) => key === name)?.[1] : undefined;

function isForeign(item: unknown, own: string): boolean {
  const namespace = fieldOf(item, 'namespace');
  return typeof namespace === 'string' && SHOP.test(namespace) && namespace !== own;
}

/** The neighbours whose state is well explain nothing; those that are not well may be accused by mistake, so they stay. */
const isWell = (item: unknown): boolean => fieldOf(item, 'ready') === true || fieldOf(item, 'type') === 'Normal';

export type Neighbours = 'none' | 'unwell' | 'all';

/** Leaves out objects of the shops beside it, which are incidents of their own, and what is too long. */
export function trimEvidence(
  evidence: Record<string, unknown>,
  own: string | null,
  neighbours: Neighbours,
): Record<string, unknown> {
  const isKept = (item: unknown): boolean =>
    own === null || neighbours === 'all' || !isForeign(item, own) || (neighbours === 'unwell' && !isWell(item));
  const trimmed = Object.fromEntries(
    Object.entries(evidence).map(([name, part]) => [
      name,
      Array.isArray(part) ? part.filter((item: unknown) => isKept(item)) : part,
    ]),
  );
  if (neighbours === 'all') return trimmed;
  for (const name of LONG_LISTS) {
    const list = trimmed[name];
    const excess = JSON.stringify(trimmed).length - MOST_BYTES;
    if (!Array.isArray(list) || excess <= 0 || list.length === 0) continue;
    const each = JSON.stringify(list).length / list.length;
    trimmed[name] = list.slice(0, Math.max(20, list.length - Math.ceil(excess / each)));
  }
  return trimmed;
}

const evidenceOf = (answer: unknown): Record<string, unknown> | null => {
  if (typeof answer !== 'object' || answer === null || !('evidence' in answer)) return null;
  const { evidence } = answer;
  return typeof evidence === 'object' && evidence !== null ? { ...evidence } : null;
};

/** Returns the recording of a run without its score; null if the product gave no evidence. */
export function recordingOf(run: RunResult, neighbours: Neighbours): Omit<Recording, 'score'> | null {
  const evidence = run.said.flatMap((said) => {
    const found = evidenceOf(said.evidence);
    return found === null ? [] : [trimEvidence(found, run.namespace, neighbours)];
  });
  if (evidence.length === 0) return null;
  const { incident, namespace, causes, related } = run;
  return { incident, namespace, causes, related, evidence };
}

export function writeRecording(folder: string, recording: Recording): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${recording.incident}.json`), `${JSON.stringify(recording)}\n`);
}
