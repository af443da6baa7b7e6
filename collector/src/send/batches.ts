import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import type { Entry } from './segments.ts';

/** Bytes of packed reports in one request; with the wire's limit of 1 MiB there is room for the worse packing of a batch. */
const BATCH_BYTES = 700_000;

/**
 * Chooses the reports of the next request: the newest alone first, then what only the memory holds, oldest to newest, then
 * the backlog on disk, newest to oldest.
 */
export class Batches {
  readonly #bootId: string;
  #limit: number = REPORT_LIMITS.reportsPerBatch;
  /** Uptime at the newest report that was tried in this boot. */
  #newestTriedUp = -1;
  /** The request under way carries the newest alone; the last one that was accepted did. */
  #goesAlone = false;
  #wentAlone = false;

  constructor(bootId: string) {
    this.#bootId = bootId;
  }

  /**
   * The newest alone when it was never tried, so that a live figure never waits behind a backlog. Not twice in a row:
   * with an interval as short as the gap between requests the backlog would never leave.
   */
  next(entries: readonly Entry[]): Entry[] {
    const newest = entries.at(-1);
    if (!newest) return [];
    const untried = newest.boot === this.#bootId && newest.up > this.#newestTriedUp;
    if (untried) this.#newestTriedUp = newest.up;
    this.#goesAlone = untried && !this.#wentAlone && newest.held === null;
    if (this.#goesAlone) return [newest];
    // A kill loses what only the memory holds. In the order of its numbers none is then missing before one that arrived.
    const held = entries.filter((entry) => entry.held !== null);
    return this.#firstOf(
      held.length > 0
        ? held.toSorted((a, b) => a.seq - b.seq)
        : entries.filter(({ stream }) => stream === newest.stream).toReversed(),
    );
  }

  /** The first of `waiting` that fit into one request. */
  #firstOf(waiting: readonly Entry[]): Entry[] {
    const batch: Entry[] = [];
    let bytes = 0;
    for (const entry of waiting.slice(0, this.#limit)) {
      bytes += entry.bytes;
      if (bytes > BATCH_BYTES && batch.length > 0) break;
      batch.push(entry);
    }
    return batch;
  }

  /** The server took the request. `hasBacklog`: reports still wait. */
  accepted(hasBacklog: boolean): void {
    this.#limit = Math.min(REPORT_LIMITS.reportsPerBatch, this.#limit * 2);
    this.#wentAlone = this.#goesAlone && hasBacklog;
  }

  /** The server refused a request of `count` reports as too large. */
  halve(count: number): void {
    this.#limit = Math.max(1, Math.floor(count / 2));
  }
}
