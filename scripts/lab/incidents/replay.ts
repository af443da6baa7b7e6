import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explain } from '../../../api/src/causes/explain.ts';
import { ROOT } from '../../lib/web-build.ts';
import { type Recording, recordingOf } from './record.ts';
import type { Replay } from './replayed.ts';
import type { RunResult } from './results.ts';
import { accusedBy, score } from './score.ts';

export const RECORDINGS = join(ROOT, 'api/src/causes/recorded');

export const readRecordings = (folder = RECORDINGS): Recording[] =>
  globSync('*.json', { cwd: folder })
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Recording);

/** Explains recorded evidence with the analyser of this checkout. */
export function replay<T extends Omit<Recording, 'score'>>(recording: T): Replay & { recording: T } {
  const answers = recording.evidence.map((one) => explain(one as unknown as Parameters<typeof explain>[0]));
  return { recording, answers, score: score(answers.flatMap(accusedBy), recording) };
}

export const scoreNow = (recording: Omit<Recording, 'score'>): number => replay(recording).score;

/** Returns the score of a run's whole evidence with the analyser of this checkout; null: the run kept none. */
export function rescore(run: RunResult): number | null {
  if (run.said.length === 0) return run.scores?.late ?? null;
  const recording = recordingOf(run, 'all');
  return recording === null || recording.evidence.length < run.said.length ? null : scoreNow(recording);
}
