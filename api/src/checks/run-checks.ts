import { CHECK_LIMITS } from '@plimsoll/contract/rules/check-limits';
import { runProbe, type Place } from '@plimsoll/contract/probes/run-probe';
import type { SecretBox } from '../accounts/secret-encryption.ts';
import type { Clock } from '../clock.ts';
import type { OrganisationId } from '../tenancy/ids.ts';
import { joinProbe } from './rules/check-secrets.ts';
import { openCheck } from './sealed-secrets.ts';
import type { CheckResults } from './store.ts';
import { API_PLACE, type Check, type PlaceResult } from './types.ts';

/** Time that a replica catches up after a pause. Older turns are not made up for. */
const MOST_SECONDS = 20;
/** Checks of the API that run at the same time in one process. */
const AT_ONCE = 64;

export interface RunDeps {
  checkResults: CheckResults;
  secretBox: SecretBox;
  clock: Clock;
  place: Place;
}

/** A number of the check within its interval, the same in each replica, so that checks do not start together. */
const phaseOf = ({ key }: Check, intervalMs: number): number => ((key * 2_654_435_761) % 4_294_967_296) % intervalMs;

/** Returns true if a turn of the check lies after `from`, up to `to`. A check that was just written runs at once. */
function isDue(check: Check, { from, to }: { from: number; to: number }): boolean {
  if (check.updatedAt > from && check.updatedAt <= to) return true;
  const intervalMs = check.intervalSeconds * 1000;
  const phase = phaseOf(check, intervalMs);
  return Math.floor((to - phase) / intervalMs) > Math.floor((from - phase) / intervalMs);
}

/**
 * Runs the checks of the API. Each moment belongs to the replica that claims it, so a check runs once however many there
 * are. Results are stored at the next tick; what a kill loses is a gap of one interval, and never an outage.
 */
export class ApiRunner {
  readonly #deps: RunDeps;
  readonly #waiting: Check[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  readonly #done = new Map<OrganisationId, PlaceResult[]>();

  constructor(deps: RunDeps) {
    this.#deps = deps;
  }

  /** Stores what ended and starts what is due. Returns how many of each. */
  async tick(now: number): Promise<{ stored: number; started: number }> {
    const stored = await this.#store(now);
    const from = await this.#deps.checkResults.claimTick(now, MOST_SECONDS);
    if (from === null) return { stored, started: 0 };
    const due = (await this.#deps.checkResults.listOfApi()).filter((check) => isDue(check, { from, to: now }));
    // A queue that outgrows a tick has turns of the same check twice.
    const queued = new Set(this.#waiting.map(({ key }) => key));
    this.#waiting.push(...due.filter(({ key }) => !queued.has(key)));
    this.#fill();
    return { stored, started: due.length };
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Ends what runs; its results are dropped. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#waiting.length = 0;
    await Promise.all(this.#running);
  }

  #fill(): void {
    while (this.#running.size < AT_ONCE && this.#waiting.length > 0) {
      const check = this.#waiting.shift();
      if (check === undefined) return;
      const work = this.#run(check);
      this.#running.add(work);
      void work.finally(() => {
        this.#running.delete(work);
        if (!this.#stop.signal.aborted) this.#fill();
      });
    }
  }

  async #run(check: Check): Promise<void> {
    const { secretBox, place, clock } = this.#deps;
    const secrets = openCheck(secretBox, check);
    // The key of the installation is another one: nothing is known about the target.
    if (check.probe === null || secrets === null) return;
    const at = clock.now();
    const {
      answer: _answer,
      text_found: _found,
      ...result
    } = await runProbe(joinProbe(check.probe, secrets), place, this.#stop.signal);
    if (this.#stop.signal.aborted) return;
    const done = this.#done.get(check.organisationId) ?? [];
    this.#done.set(check.organisationId, done);
    if (done.length < CHECK_LIMITS.perAccount) done.push({ ...result, checkKey: check.key, rev: check.rev, at });
  }

  async #store(now: number): Promise<number> {
    let stored = 0;
    for (const [organisationId, results] of this.#done) {
      this.#done.delete(organisationId);
      const sorted = results.toSorted((a, b) => a.at - b.at);
      // Another replica may have written a row of the same millisecond.
      for (let at = now; !(await this.#deps.checkResults.record(organisationId, API_PLACE, at, sorted)); at += 1);
      stored += results.length;
    }
    return stored;
  }
}
