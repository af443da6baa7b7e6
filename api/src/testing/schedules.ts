import * as fc from 'fast-check';
import type { SeqRange } from '../reports/ledger.ts';

/**
 * Random ways in which a spool reaches the server: any order, split anyhow, answers lost after the commit, crashes before
 * it, the same request twice at once, and copies that turn up when everything is over.
 */
type Fate = 'answered' | 'answer_lost' | 'crashed' | 'twice_at_once' | 'copied_for_later';
interface Step {
  fate: Fate;
  /** Which of what is left to send goes now, as numbers that are taken modulo what is left. */
  picks: number[];
}
export interface Schedule {
  /** Seqs 1 … count. */
  count: number;
  /** Seqs refused for good, and ones the agent gave up. */
  rejected: number[];
  dropped: SeqRange[];
  steps: Step[];
}
export interface Request {
  seqs: number[];
  rejected: number[];
  dropped: SeqRange[];
}
export interface Answer {
  upto: number;
  also: readonly number[];
}

const FATES: Fate[] = ['answered', 'answered', 'answer_lost', 'crashed', 'twice_at_once', 'copied_for_later'];

export const schedules = (maxCount: number): fc.Arbitrary<Schedule> =>
  fc.integer({ min: 1, max: maxCount }).chain((count) => {
    const seq = fc.integer({ min: 1, max: count });
    return fc.record({
      count: fc.constant(count),
      rejected: fc.uniqueArray(seq, { maxLength: 2 }),
      dropped: fc.array(
        fc.tuple(seq, seq).map(([a, b]) => ({ from: Math.min(a, b), to: Math.min(Math.max(a, b), a + 2) })),
        {
          maxLength: 2,
        },
      ),
      steps: fc.array(
        fc.record({ fate: fc.constantFrom(...FATES), picks: fc.array(fc.nat(), { minLength: 1, maxLength: count }) }),
        { maxLength: 12 },
      ),
    });
  });

const within = (ranges: SeqRange[], seq: number): boolean => ranges.some(({ from, to }) => from <= seq && seq <= to);

/** The one delivery every schedule must equal: everything there is, in order. */
export const inOrder = ({ count, rejected, dropped }: Schedule): Request => {
  const seqs = Array.from({ length: count }, (_, index) => index + 1);
  return {
    seqs: seqs.filter((seq) => !rejected.includes(seq) && !within(dropped, seq)),
    rejected: seqs.filter((seq) => rejected.includes(seq) && !within(dropped, seq)),
    dropped,
  };
};

/** Delivers a request; null when no answer came back. */
export interface Wire {
  send(request: Request): Promise<Answer>;
  /** A crash before or during the commit. */
  crash(request: Request): Promise<void>;
}

/** Plays an agent with this schedule until its spool is empty; answers every acknowledgement it got, in order. */
export const play = async (schedule: Schedule, wire: Wire): Promise<Answer[]> => {
  const whole = inOrder(schedule);
  const answers: Answer[] = [];
  const copies: Request[] = [];
  let left = [...whole.seqs, ...whole.rejected];
  const requestOf = (seqs: number[]): Request => ({
    seqs: seqs.filter((seq) => !whole.rejected.includes(seq)),
    rejected: seqs.filter((seq) => whole.rejected.includes(seq)),
    dropped: whole.dropped,
  });
  const take = (answer: Answer): void => {
    answers.push(answer);
    left = left.filter((seq) => seq > answer.upto && !answer.also.includes(seq));
  };
  for (const { fate, picks } of schedule.steps) {
    const seqs = [...new Set(picks.map((pick) => left[pick % left.length] ?? 0))].filter((seq) => seq > 0);
    const request = requestOf(seqs);
    if (fate === 'crashed') await wire.crash(request);
    else if (fate === 'answer_lost') await wire.send(request);
    else if (fate === 'twice_at_once') {
      for (const answer of await Promise.all([wire.send(request), wire.send(request)])) take(answer);
    } else take(await wire.send(request));
    if (fate === 'copied_for_later') copies.push(request);
  }
  take(await wire.send(requestOf(left)));
  for (const copy of copies) await wire.send(copy);
  return answers;
};
