import { checkAddressRule, isNetwork } from '@plimsoll/contract/probes/address-rules';
import { runProbe, type Place } from '@plimsoll/contract/probes/run-probe';
import { redactText } from '@plimsoll/contract/redaction/text';
import { CHECK_LIMITS } from '@plimsoll/contract/rules/check-limits';
import type { CheckResultPart, CollectorCheck, ProbeResult } from '@plimsoll/contract/wire/check-probes';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { ReadingApi } from '../send/http.ts';
import { SettingError } from '../settings.ts';
import type { Source } from '../source.ts';
import { CheckSchedule } from './check-schedule.ts';
import { readConfig } from './read-config.ts';

const CONFIG_PATH = '/api/agent/v1/config';
/** Also without a change: the tags of a server decide which checks it runs, and an answer may have been lost. */
const REFRESH_SECONDS = 3600;
/** The API cannot make a collector fetch more often than this. */
const FETCH_GAP_SECONDS = 20;
/** All collectors receive a change at the same time; this spreads their requests. */
const SPREAD_SECONDS = 5;
const RETRY_SECONDS = 60;
/** The longest sleep without a look at what is due. */
const IDLE_SECONDS = 5;
/** A certificate that stays the same is sent again after this many seconds. */
const CERTIFICATE_SECONDS = 3600;

export interface CheckRunnerParts {
  api: ReadingApi;
  clock: Clock;
  log: Log;
  milliseconds: () => number;
  random: () => number;
}

/** Runs the checks that the dashboard requests, and keeps their results for the next report. */
export interface CheckRunner {
  /** Carries the results since its reading before. */
  readonly source: Source;
  /** The number in the answer to a report. */
  noteConfigRev(rev: number): void;
  /** Until the signal aborts. Never throws. */
  run(token: () => string, signal: AbortSignal): Promise<void>;
}

/** Creates the runner of a host whose owner opted in. Throws `SettingError` for a network that is none. */
export function createCheckRunner(
  networks: readonly string[],
  parts: CheckRunnerParts,
  place: Partial<Place> = {},
): CheckRunner {
  const wrong = networks.find((network) => !isNetwork(network));
  if (wrong !== undefined) throw new SettingError(`check_networks: ${wrong} is no address or range`);
  const mayConnect = checkAddressRule(networks);
  return new Runner(parts, { mayConnect, milliseconds: parts.milliseconds, redact: redactText, ...place });
}

type Kept = Omit<CheckResultPart, 'age_seconds'> & { up: number };

class Runner implements CheckRunner {
  readonly #parts: CheckRunnerParts;
  readonly #place: Place;
  readonly #schedule = new CheckSchedule();
  readonly #running = new Set<Promise<void>>();
  #results: Kept[] = [];
  /** Results that found no room. */
  #lost = 0;
  /** Revision of the last response to a report, and revision of the configuration in force. */
  #offered = 0;
  #rev = 0;
  /** By `clock.up()`, in seconds. */
  #fetchAt = 0;
  #leftOut = 0;
  #problem: string | null = null;
  readonly #certificates = new Map<string, { fingerprint: string; up: number }>();
  #wake = new AbortController();
  readonly source: Source = {
    name: 'checks',
    // Its first reading must not take results that no report carries.
    instant: true,
    read: async (now) => {
      const results = this.#results.map(({ up, ...one }) => ({ ...one, age_seconds: Math.max(0, now.up - up) }));
      this.#results = [];
      const note = this.#note();
      const part = results.length === 0 ? {} : { check_results: results };
      return note === null ? { part } : { part, note };
    },
  };

  constructor(parts: CheckRunnerParts, place: Place) {
    this.#parts = parts;
    this.#place = place;
  }

  #note(): string | null {
    const notes = [
      ...(this.#problem === null ? [] : [`the list of checks cannot be fetched: ${this.#problem}`]),
      ...(this.#leftOut === 0 ? [] : [`${this.#leftOut} checks cannot be read and are left out`]),
      ...(this.#lost === 0 ? [] : [`${this.#lost} results were lost`]),
    ];
    this.#lost = 0;
    return notes.length === 0 ? null : notes.join('; ');
  }

  noteConfigRev(rev: number): void {
    if (rev === this.#offered) return;
    const { clock, random } = this.#parts;
    this.#offered = rev;
    this.#fetchAt = Math.min(this.#fetchAt, clock.up() + random() * SPREAD_SECONDS);
    this.#wake.abort();
  }

  async run(token: () => string, signal: AbortSignal): Promise<void> {
    const { clock, milliseconds } = this.#parts;
    let fetchedUp = -Infinity;
    while (!signal.aborted) {
      const isDue = this.#offered !== this.#rev || (this.#rev !== 0 && clock.up() - fetchedUp > REFRESH_SECONDS);
      if (isDue && clock.up() >= this.#fetchAt && clock.up() - fetchedUp >= FETCH_GAP_SECONDS) {
        fetchedUp = clock.up();
        await this.#loadConfig(token(), milliseconds());
      }
      for (let check = this.#schedule.take(milliseconds()); check !== null; check = this.#schedule.take(milliseconds()))
        this.#start(check, signal);
      const wait = this.#schedule.wait(milliseconds());
      // While all places are taken the end of a check wakes the loop.
      const isFull = this.#running.size >= CHECK_LIMITS.atOnce;
      const seconds = wait === null || isFull ? IDLE_SECONDS : Math.min(IDLE_SECONDS, Math.max(wait, 10) / 1000);
      await clock.sleep(seconds, AbortSignal.any([signal, this.#wake.signal]));
      if (this.#wake.signal.aborted) this.#wake = new AbortController();
    }
    await Promise.all(this.#running);
  }

  async #loadConfig(token: string, now: number): Promise<void> {
    const { api, clock, log, random } = this.#parts;
    const reply = await api.get(CONFIG_PATH, token, CHECK_LIMITS.configBytes);
    const config = reply.kind === 'answer' && reply.status === 200 ? readConfig(reply.body) : null;
    if (config === null) {
      const problem = reply.kind === 'failed' ? reply.code : `HTTP status ${String(reply.status)}`;
      if (problem !== this.#problem) log('warn', 'the list of checks cannot be fetched', { reason: problem });
      this.#problem = problem;
      this.#fetchAt = clock.up() + RETRY_SECONDS * (1 + random());
      return;
    }
    if (config.leftOut > 0) log('warn', 'some checks cannot be read and are left out', { checks: config.leftOut });
    this.#problem = null;
    this.#leftOut = config.leftOut;
    this.#rev = config.rev;
    // The answer may be newer than the number in the last report's.
    this.#offered = config.rev;
    this.#schedule.replace(config.checks, now);
    log('info', 'checks are in force', { checks: this.#schedule.size });
  }

  #start(check: CollectorCheck, signal: AbortSignal): void {
    const up = this.#parts.clock.up();
    const work = this.#perform(check, signal, up);
    this.#running.add(work);
    void work.finally(() => {
      this.#running.delete(work);
      if (this.#running.size === CHECK_LIMITS.atOnce - 1) this.#wake.abort();
    });
  }

  async #perform(check: CollectorCheck, signal: AbortSignal, up: number): Promise<void> {
    const result = await runProbe(check.probe, this.#place, signal);
    this.#schedule.ended(check.check_id);
    // A probe that the end of the program cut short has no result.
    if (!signal.aborted) this.#keep(check, result, up);
  }

  #keep({ check_id, check_rev }: CollectorCheck, result: ProbeResult, up: number): void {
    this.#results.push({
      ...result,
      certificate: this.#news(check_id, result.certificate, up),
      check_id,
      check_rev,
      up,
    });
    const over = this.#results.length - CHECK_LIMITS.resultsPerReport;
    if (over <= 0) return;
    this.#results.splice(0, over);
    this.#lost += over;
  }

  /** Returns the certificate if it is another one or was not sent for an hour: it is the largest part of a result. */
  #news(id: string, certificate: ProbeResult['certificate'], up: number): ProbeResult['certificate'] {
    if (certificate === null) return null;
    const sent = this.#certificates.get(id);
    if (sent?.fingerprint === certificate.fingerprint && up - sent.up < CERTIFICATE_SECONDS) return null;
    if (this.#certificates.size >= 2 * CHECK_LIMITS.perCollector) this.#certificates.clear();
    this.#certificates.set(id, { fingerprint: certificate.fingerprint, up });
    return certificate;
  }
}
