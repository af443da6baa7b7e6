import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CauseAnswer } from '@plimsoll/contract/wire/causes';
import type { Named, TrueCause } from './incident.ts';
import type { Accused } from './score.ts';

/** One incident of the product that belongs to a run, and the answers about its cause. */
export interface Said {
  incidentId: string;
  title: string;
  openedAt: string;
  /** 20 s after it opened; null: the product has no such call. */
  early: CauseAnswer | null;
  /** At the end of the run. */
  late: CauseAnswer | null;
  /** Answer of GET /api/incidents/{id}/evidence; null: the product has no such call. */
  evidence: unknown;
}

/** One run of one incident. A file holds it, so that a run that was ended goes on where it was. */
export interface RunResult {
  incident: string;
  /** 1, 2 or 3. */
  round: number;
  place: 'cluster' | 'host';
  fault: string;
  causes: TrueCause[];
  related: Named[];
  decoy: string | null;
  isReplayed: boolean;
  namespace: string | null;
  injectedAt: string;
  endedAt: string;
  /** From the injection to the first incident of the product; null: none opened. */
  secondsToIncident: number | null;
  said: Said[];
  /** Entities that all answers together accuse, early and late. */
  accused: { early: Accused[]; late: Accused[] };
  /** Null: the product gave no answer to score. */
  scores: { early: number; late: number } | null;
  baseline: { named: Accused[]; score: number };
  /** The true change is the one that an answer names; null: there is none to name. */
  isChangeNamed: boolean | null;
  /** Entries of the ledger from the start of the run on, for a reader. */
  changes: unknown[];
  /** Commit that the API ran. */
  commit: string;
  /** Why the run could not be made; its file is not kept. */
  problem?: string;
}

const fileOf = (folder: string, incident: string, round: number): string =>
  join(folder, `${incident}.${String(round)}.json`);

/** Returns true if the run was made. */
export const isDone = (folder: string, incident: string, round: number): boolean =>
  existsSync(fileOf(folder, incident, round));

/** Writes the file of a run whole or not at all. */
export function keep(folder: string, result: RunResult): void {
  mkdirSync(folder, { recursive: true });
  const file = fileOf(folder, result.incident, result.round);
  writeFileSync(`${file}.part`, `${JSON.stringify(result, null, 1)}\n`);
  renameSync(`${file}.part`, file);
}

/** Returns all runs of a folder, by incident and round. */
export const readResults = (folder: string): RunResult[] =>
  globSync('*.[123].json', { cwd: folder })
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as RunResult);

interface Planned {
  name: string;
  isRepeated?: boolean;
}

export const ROUNDS = 3;

/** Returns the runs to make: all incidents once, then those that run three times again. Finished runs are left out. */
export function planRuns<T extends Planned>(
  incidents: readonly T[],
  isFinished: (name: string, round: number) => boolean,
  rounds = ROUNDS,
): { incident: T; round: number }[] {
  const all = Array.from({ length: rounds }, (_, index) => index + 1).flatMap((round) =>
    incidents.filter(({ isRepeated = false }) => round === 1 || isRepeated).map((incident) => ({ incident, round })),
  );
  return all.filter(({ incident, round }) => !isFinished(incident.name, round));
}

/** Returns one line about a run, for the terminal. */
export function summaryOf({ incident, round, secondsToIncident, scores, accused }: RunResult): string {
  const score = scores === null ? 'not scored' : `score ${scores.late.toFixed(2)}`;
  const named = accused.late.map(({ kind, name }) => `${kind} ${name}`).join(', ');
  const time = secondsToIncident === null ? 'no incident' : `incident after ${String(secondsToIncident)} s`;
  return `${incident} ${String(round)}: ${time}, ${score}, accused: ${named === '' ? 'nothing' : named}`;
}
