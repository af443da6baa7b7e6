import type { CauseAnswer } from '@plimsoll/contract/wire/causes';
import { isHeldOut } from './held-out.ts';
import type { Recording } from './record.ts';

/** A recording with the answers of the analyser of this checkout, one for each evidence, and their score. */
export interface Replay {
  recording: Pick<Recording, 'incident' | 'namespace' | 'causes' | 'evidence'>;
  answers: readonly CauseAnswer[];
  score: number;
}
interface LedgerEntry {
  id: string;
  kind: string;
  name: string;
}

/** Follows from other changes, so nobody takes it for a cause. */
const CONSEQUENCE = 'EndpointSlice';
const entriesOf = (evidence: Record<string, unknown>): LedgerEntry[] =>
  (evidence['changes'] as LedgerEntry[]).filter(({ kind }) => kind !== CONSEQUENCE);

export interface GuiltyChange {
  /** The change that each answer names first is one that the author named. */
  isFirst: boolean;
  /** Other entries of the ledger in the evidence. */
  beside: number;
}
/** Null: the author named no change, or no other entry stands beside it. */
export function guiltyChange({ recording, answers }: Pick<Replay, 'recording' | 'answers'>): GuiltyChange | null {
  const wanted = recording.causes.flatMap(({ change }) => change ?? []);
  const entries = new Map(recording.evidence.flatMap(entriesOf).map((entry) => [entry.id, entry]));
  const isWanted = ({ kind, name }: LedgerEntry): boolean =>
    wanted.some((change) => change.kind === kind && change.name === name);
  const beside = [...entries.values()].filter((entry) => !isWanted(entry)).length;
  if (wanted.length === 0 || beside === 0) return null;
  const first = answers.flatMap(({ causes }) => causes.flatMap(({ change_id: id }) => id ?? []).slice(0, 1));
  const named = first.map((id) => entries.get(id));
  return { isFirst: named.length > 0 && named.every((entry) => entry !== undefined && isWanted(entry)), beside };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const GROUPS: readonly (readonly [name: string, isOf: (replay: Replay) => boolean])[] = [
  ['faults in the cluster', ({ recording }) => recording.namespace !== null],
  ['faults of hosts', ({ recording }) => recording.namespace === null],
  ['never seen before they ran', ({ recording }) => isHeldOut(recording.incident)],
  ['with two causes', ({ recording }) => recording.causes.length > 1],
  ['all', () => true],
];

function row(name: string, replays: readonly Replay[]): string {
  const guilty = replays.flatMap((replay) => guiltyChange(replay) ?? []);
  const first = guilty.filter(({ isFirst }) => isFirst).length;
  const share = guilty.length === 0 ? 'N/A' : `${String(first)} of ${String(guilty.length)}`;
  const beside = guilty.length === 0 ? 'N/A' : mean(guilty.map((one) => one.beside)).toFixed(0);
  const score = replays.length === 0 ? 'N/A' : mean(replays.map((one) => one.score)).toFixed(2);
  return `| ${name} | ${String(replays.length)} | ${score} | ${share} | ${beside} |`;
}

const TITLE = '## Replayed with this checkout';
/** Returns the section of docs/incidents.md about the recordings. */
export function replayedSection(replays: readonly Replay[]): string {
  const missed = replays.filter(({ score }) => score < 1);
  const names = missed.map(({ recording, score }) => `${recording.incident} ${score.toFixed(2)}`).join(', ');
  const wrong = replays.filter((replay) => guiltyChange(replay)?.isFirst === false);
  const wrongNames = wrong.map(({ recording }) => recording.incident).join(', ');
  return `${TITLE}

The evidence of the runs is recorded (\`api/src/causes/recorded\`). \`npm run incidents -- replay\` explains it with the analyser of
this checkout and writes this section. Who works on the analyser has read most of these recordings, so it shows what was
learned from them, not how well the analyser does with faults that it has never met.

| recordings | number | score | guilty change named first | other changes beside it, mean |
|---|---|---|---|---|
${GROUPS.map(([name, isOf]) => row(name, replays.filter(isOf))).join('\n')}

- **Guilty change named first**: of the recordings whose author named an entry of the ledger as the cause, and whose evidence
  holds others. The goal is nine of ten.${wrong.length === 0 ? '' : ` Not in ${wrongNames}.`}
- **Score below 1**: ${names === '' ? 'none' : names}.
`;
}

/** Returns the document with the section in place of the one before. */
export function withReplayed(document: string, section: string): string {
  const [from, next] = [document.indexOf(TITLE), document.indexOf('## Faults in the cluster')];
  if (next === -1) throw new Error('the document has no section "Faults in the cluster"');
  return `${document.slice(0, from === -1 ? next : from)}${section}\n${document.slice(next)}`;
}
