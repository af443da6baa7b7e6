import { HOUR_MS } from '@plimsoll/contract/rules/durations';
import { GAP_INTERVALS } from '@plimsoll/contract/rules/gaps';
import type { RecordedValues } from '../store.ts';
import type { RuleDraft } from '../types.ts';
import { ROLLUP_MS, type RecordedMetric, type RecordedPoints, type RecordedServer } from './recorded.ts';
import type { ServerRehearsal } from './rehearse.ts';

const DAY_HOURS = 24;
/** Queries at once: the pool also serves everyone else. */
const QUERIES_AT_ONCE = 3;

interface Range {
  from: number;
  to: number;
}
/** Hours are UTC hours since 1970: samples of an hour lie together on disk, whatever the server. */
const hourOf = (at: number): number => Math.floor(at / HOUR_MS);

/**
 * Returns the hours to read, ascending, by server key. Between them nothing can begin to fire:
 *
 * - a value stays below the lowest line if the maxima of 5 minutes do. A rule that waits 15 minutes or more needs a
 *   whole bucket at or over its line, and reads the hour before as well, because the breach may have begun there;
 * - no server is silent in an hour without a missing report. The hours beside a missing one say when silence began.
 */
export async function plannedHours(
  recordedValues: RecordedValues,
  metric: RecordedMetric,
  rules: readonly { server: RecordedServer; draft: RuleDraft }[],
  range: Range,
): Promise<ReadonlyMap<number, number[]>> {
  const [first, last] = [hourOf(range.from), hourOf(range.to - 1)];
  const all = Array.from({ length: last - first + 1 }, (_zero, index) => first + index);
  // No bucket of 5 minutes covers the newest samples yet.
  const isOpen = ({ closedUntil }: RecordedServer, hour: number): boolean => (hour + 1) * HOUR_MS > (closedUntil ?? 0);
  if (metric === 'presence') {
    const servers = rules.map(({ server }) => server);
    const complete = await recordedValues.completeHours(servers, range);
    return new Map(
      servers.map((server) => {
        const whole = new Set(complete.get(server.key));
        const isSkipped = (hour: number) => [hour - 1, hour, hour + 1].every((one) => whole.has(one));
        return [server.key, all.filter((hour) => isOpen(server, hour) || !isSkipped(hour))];
      }),
    );
  }
  const over = new Map<number, readonly number[]>();
  for (const held of [true, false]) {
    const asked = rules.filter(({ draft, server }) => mustHold(draft, server) === held);
    const lines = new Map(asked.map(({ draft, server }) => [server.key, lowestOf(draft)]));
    if (lines.size === 0) continue;
    for (const [key, hours] of await recordedValues.hoursOver(lines, metric, { held, ...range }))
      over.set(key, held ? hours.flatMap((hour) => [hour - 1, hour]) : hours);
  }
  return new Map(
    rules.map(({ server }) => {
      const hot = new Set(over.get(server.key));
      return [server.key, all.filter((hour) => hot.has(hour) || isOpen(server, hour))];
    }),
  );
}

const lowestOf = ({ lines }: RuleDraft): number => Math.min(...lines.map(({ threshold }) => threshold ?? Infinity));
/** A breach of three buckets holds a whole one. With long intervals a bucket can be missing without a gap. */
const mustHold = ({ forMs }: RuleDraft, { intervalMs }: RecordedServer): boolean =>
  forMs >= 3 * ROLLUP_MS && GAP_INTERVALS * intervalMs < ROLLUP_MS;

export interface Run {
  server: RecordedServer;
  rehearsal: ServerRehearsal;
  /** Hours to read, ascending. */
  planned: readonly number[];
}

/** Evaluates the planned hours day by day, while PostgreSQL reads the next day. */
export async function runHours(
  recordedValues: RecordedValues,
  metric: RecordedMetric,
  runs: readonly Run[],
  range: Range,
): Promise<void> {
  const [first, last] = [hourOf(range.from), hourOf(range.to - 1)];
  const readers = runs.map((run) => new HourReader(run, { first, last }));
  const read = async (from: number, end: number): Promise<void> => {
    const queue = [
      ...Map.groupBy(
        readers.flatMap((reader) => reader.take(from, end)),
        ({ hour }) => hour,
      ),
    ];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [hour, wanted] = next;
        const limits = { from: Math.max(range.from, hour * HOUR_MS), to: Math.min(range.to, (hour + 1) * HOUR_MS) };
        const byKey = new Map(wanted.map(({ reader }) => [reader.server.key, reader]));
        const servers = wanted.map(({ reader }) => reader.server);
        for (const [key, points] of await recordedValues.ofHour(servers, metric, limits))
          byKey.get(key)?.store(hour, points);
      }
    };
    await Promise.all(Array.from({ length: QUERIES_AT_ONCE }, work));
  };
  let next = read(first, first + DAY_HOURS);
  for (let end = first + DAY_HOURS; end < last + 1 + DAY_HOURS; end += DAY_HOURS) {
    await next;
    next = read(end, end + DAY_HOURS);
    for (const reader of readers) reader.evaluate(end);
    while (readers.some((reader) => reader.isShort(end))) {
      await read(first, end);
      for (const reader of readers) reader.evaluate(end);
    }
  }
  await next;
}

/** The values of a server between two steps: stored when read, evaluated in order. */
class HourReader {
  readonly server: RecordedServer;
  readonly #rehearsal: ServerRehearsal;
  readonly #last: number;
  #planned: number[];
  /** Hours whose values are read or being read. */
  readonly #read = new Map<number, RecordedPoints[]>();
  #evaluatedTo: number;
  /** Hours to read on while a line is pending or firing: twice as many each time. */
  #reach = 1;

  constructor({ server, rehearsal, planned }: Run, { first, last }: { first: number; last: number }) {
    this.server = server;
    this.#rehearsal = rehearsal;
    this.#planned = [...planned];
    this.#evaluatedTo = first;
    this.#last = last;
  }

  /** Returns the planned hours from `from` to before `end` that nobody reads yet. The caller reads and stores them. */
  take(from: number, end: number): { hour: number; reader: HourReader }[] {
    const hours = this.#planned.filter((hour) => hour >= from && hour < end && !this.#read.has(hour));
    for (const hour of hours) this.#read.set(hour, []);
    return hours.map((hour) => ({ hour, reader: this }));
  }

  store(hour: number, points: RecordedPoints): void {
    this.#read.get(hour)?.push(points);
  }

  /** An hour before `end` is still to be read. */
  isShort(end: number): boolean {
    return (this.#planned[0] ?? Infinity) < end;
  }

  /** Evaluates the planned hours before `end` up to the first that is not read. */
  evaluate(end: number): void {
    while (this.isShort(end)) {
      const [hour = 0] = this.#planned;
      const stored = this.#read.get(hour);
      if (stored === undefined) return;
      if (hour > this.#evaluatedTo) this.#rehearsal.skipTo(hour * HOUR_MS);
      for (const points of stored) this.#rehearsal.add(points);
      this.#read.delete(hour);
      this.#planned.shift();
      this.#evaluatedTo = hour + 1;
      if (this.#rehearsal.isQuiet()) this.#reach = 1;
      else this.#readOn();
    }
  }

  #readOn(): void {
    const upTo = Math.min(this.#evaluatedTo + this.#reach, this.#planned[0] ?? Infinity, this.#last + 1);
    if (upTo <= this.#evaluatedTo) return;
    const hours = Array.from({ length: upTo - this.#evaluatedTo }, (_zero, index) => this.#evaluatedTo + index);
    this.#planned = [...hours, ...this.#planned];
    this.#reach *= 2;
  }
}
