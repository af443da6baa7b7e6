import { PROTOCOL_VERSION, REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import { LONGEST_RETRY_AFTER } from '@plimsoll/contract/rules/retry-after';
import type { DroppedRange, ReportAnswer, ReportEnvelope } from '@plimsoll/contract/wire/report';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { backoffSeconds, between } from './backoff.ts';
import { Batches } from './batches.ts';
import type { Credentials } from './credentials.ts';
import type { Api } from './http.ts';
import type { Entry } from './segments.ts';
import { SHARED_REMEDY, sharedNames, sharedText } from './shared-machine-id.ts';
import type { Spool } from './spool.ts';
import { judge, VERDICT_MESSAGES, type Verdict } from './verdict.ts';

export interface SenderOptions {
  api: Api;
  spool: Spool;
  clock: Pick<Clock, 'wall' | 'up'>;
  random: () => number;
  log: Log;
  bootId: string;
  credentials: Credentials;
  /** Makes a rotated token durable before it is used. */
  keep: (credentials: Credentials) => void;
  /** Reads the credentials as they are kept now: another command may have enrolled this host again. */
  reload: () => Credentials | null;
  /** After a stream conflict: enrols this host as a clone. Null when that is not possible now. */
  enrolAsClone: () => Promise<Credentials | null>;
  /** The server's wish for the interval, in seconds. */
  onInterval: (seconds: number) => void;
  /** The number of the configuration that the server has for this host. Absent: the host takes none. */
  onConfigRev?: (rev: number) => void;
}

/** "done": nothing to send. "wait": not before dueAt. "gone": the server was deleted, the spool is cleared. */
export type Step = 'done' | 'wait' | 'gone';

/** The server answers, and drops what it receives. */
export interface Refusal {
  /** Wall clock of the first refused report since the last accepted one, epoch seconds. */
  since: number;
  /** "field: problem", or the code where the server names no field. */
  reason: string;
}
/** Longest reason that is kept: the server's text is not trusted to be short. */
const REASON_LENGTH = 200;

/** Content of one request. */
interface Sent {
  stream: string;
  entries: Entry[];
  dropped: DroppedRange[];
  /** Wall clock, epoch seconds. */
  sentAt: number;
}

const UNAUTHORIZED_SECONDS = { least: 300, most: 600 } as const;
const UNSPOKEN_SECONDS = 3600;
const GAP_SECONDS = { least: 1, most: 5 } as const;

/** Sends what the spool holds, one request per step, in the order of `Batches`. */
export class Sender {
  readonly #options: SenderOptions;
  #credentials: Credentials;
  #failures = 0;
  #lastProblem: string | null = null;
  readonly #batches: Batches;
  /** By `clock.up()`, in seconds. */
  dueAt = 0;
  retries = 0;
  /** Wall clock of the last answer that accepted a report, epoch seconds. */
  acceptedAt: number | null = null;
  /** Null: the last report was accepted, or none was sent yet. */
  refusal: Refusal | null = null;
  lastError: string | null = null;
  /** Wall clock of the first request since the server refuses the token of this collector, epoch seconds. */
  tokenRefusedSince: number | null = null;
  /** Names of other servers with the machine id of this host. */
  sharesMachineIdWith: readonly string[] = [];
  clockSkewSeconds: number | null = null;
  intervalSeconds: number;

  constructor(options: SenderOptions, intervalSeconds: number) {
    this.#options = options;
    this.#credentials = options.credentials;
    this.#batches = new Batches(options.bootId);
    this.intervalSeconds = intervalSeconds;
  }

  get serverId(): string {
    return this.#credentials.server_id;
  }
  get token(): string {
    return this.#credentials.agent_token;
  }

  /** One request, when there is something to send and it is time. */
  async step(): Promise<Step> {
    const { spool, clock } = this.#options;
    if (clock.up() < this.dueAt) return 'wait';
    const batch = this.#batches.next(spool.entries);
    const loaded = await spool.loadJson(batch);
    const stream = loaded[0]?.entry.stream ?? spool.dropped.streams()[0];
    if (stream === undefined) return 'done';
    const dropped = spool.dropped.of(stream).slice(0, REPORT_LIMITS.droppedRanges);
    const envelope = this.#envelope(stream, loaded, dropped);
    const sentAt = clock.wall();
    const reply = await this.#options.api.post('/api/agent/v1/reports', envelope, this.#credentials.agent_token);
    const verdict = judge(reply);
    const sent: Sent = { stream, entries: loaded.map(({ entry }) => entry), dropped, sentAt };
    return verdict.do === 'settle' ? this.#settle(verdict.answer, sent) : this.#trouble(verdict, sent);
  }

  /** In JSON: the reports are that already, and writing them anew would double what sending one costs. */
  #envelope(stream: string, loaded: { json: string }[], dropped: DroppedRange[]): string {
    const { clock, bootId } = this.#options;
    const head: Omit<ReportEnvelope, 'reports'> = {
      v: PROTOCOL_VERSION,
      server_id: this.#credentials.server_id,
      stream_id: stream,
      boot_id: bootId,
      sent_at: clock.wall(),
      up_now: clock.up(),
      dropped,
    };
    return `${JSON.stringify(head).slice(0, -1)},"reports":[${loaded.map(({ json }) => json).join(',')}]}`;
  }

  #settle(answer: ReportAnswer, sent: Sent): Step {
    const { spool, clock, random } = this.#options;
    spool.dropped.declared(sent.stream, sent.dropped);
    this.#noteRefusal(answer, sent);
    this.#dropRejected(answer, sent);
    spool.settle(sent.stream, answer.ack.upto, answer.ack.also);
    this.clockSkewSeconds = answer.server_time - (sent.sentAt + clock.wall()) / 2;
    if (answer.new_token !== undefined) this.#rotate(answer.new_token);
    this.#noteShared(sharedNames(answer.shares_machine_id_with));
    this.#options.onInterval(answer.next.interval);
    if (typeof answer.config_rev === 'number') this.#options.onConfigRev?.(answer.config_rev);
    this.#recovered();
    const backlog = spool.entries.length > 0;
    this.#batches.accepted(backlog);
    // Drops of another stream cannot be declared with a later report of this one.
    const more = backlog || spool.dropped.streams().some((stream) => stream !== sent.stream);
    // An answer that leaves what was sent unsettled must not become a tight loop.
    const stuck = sent.entries.some((entry) => spool.entries.includes(entry));
    const gap = stuck ? this.intervalSeconds : more ? between(GAP_SECONDS.least, GAP_SECONDS.most, random) : 0;
    this.dueAt = clock.up() + Math.max(Math.min(answer.next.delay, LONGEST_RETRY_AFTER.collector), gap);
    return more ? 'wait' : 'done';
  }

  /** One accepted report ends a refusal. A request that only declares drops says nothing. */
  #noteRefusal({ rejected }: ReportAnswer, { entries }: Sent): void {
    if (entries.length === 0) return;
    if (rejected.length < entries.length) {
      this.acceptedAt = this.#options.clock.wall();
      this.refusal = null;
      return;
    }
    const newest = rejected.toSorted((a, b) => (b.seq ?? 0) - (a.seq ?? 0))[0];
    this.#refused(newest?.detail || newest?.code || 'not named');
  }

  #refused(reason: string): void {
    const since = this.refusal?.since ?? this.#options.clock.wall();
    this.refusal = { since, reason: reason.slice(0, REASON_LENGTH) };
  }

  #dropRejected(answer: ReportAnswer, { entries }: Sent): void {
    const { spool, log } = this.#options;
    for (const { seq, index, code, detail } of answer.rejected) {
      const entry = entries.find((one) => one.seq === seq) ?? entries[index];
      if (!entry || !spool.entries.includes(entry)) continue;
      log('warn', 'the server refused a report, it is dropped', { seq: entry.seq, code, detail });
      spool.drop(entry, `rejected:${code}`);
    }
  }

  /** A log line once, and once more when the names change. */
  #noteShared(names: readonly string[]): void {
    const isChanged = names.join('\n') !== this.sharesMachineIdWith.join('\n');
    this.sharesMachineIdWith = names;
    if (isChanged && names.length > 0) this.#options.log('warn', sharedText(names), { remedy: SHARED_REMEDY });
  }

  #rotate(token: string): void {
    const credentials = { ...this.#credentials, agent_token: token };
    try {
      this.#options.keep(credentials);
      this.#credentials = credentials;
    } catch (error) {
      // The old token lives until the new one is used: not using it is safe.
      this.#options.log('error', 'a rotated token could not be stored', { reason: String(error) });
    }
  }

  #recovered(): void {
    if (this.#lastProblem !== null) this.#options.log('info', 'reports are accepted again');
    this.#lastProblem = null;
    this.#failures = 0;
    this.lastError = null;
    this.tokenRefusedSince = null;
  }

  async #trouble(verdict: Exclude<Verdict, { do: 'settle' }>, sent: Sent): Promise<Step> {
    const { spool, clock, random } = this.#options;
    this.retries += 1;
    this.lastError = verdict.code;
    this.#logOnce(verdict);
    switch (verdict.do) {
      case 'gone':
        spool.clear();
        return 'gone';
      case 'halve':
        return this.#halve(verdict, sent);
      case 'renew':
        return this.#renew();
      case 'wait':
        return this.#waitFor(Math.max(GAP_SECONDS.least, verdict.seconds + random() * this.intervalSeconds));
      case 'unauthorized':
        if (this.#reload()) return this.#waitFor(GAP_SECONDS.least);
        // Any other refusal may come from a proxy, which checks no token.
        if (verdict.code === 'agent_token_unknown') this.tokenRefusedSince ??= clock.wall();
        return this.#waitFor(between(UNAUTHORIZED_SECONDS.least, UNAUTHORIZED_SECONDS.most, random));
      case 'unspoken':
        return this.#waitFor(UNSPOKEN_SECONDS);
      case 'retry':
        this.dueAt = clock.up() + backoffSeconds(this.#failures, random);
        this.#failures += 1;
        return 'wait';
    }
  }

  #waitFor(seconds: number): Step {
    this.dueAt = this.#options.clock.up() + seconds;
    return 'wait';
  }

  /** One that is refused alone is dropped; but what it declared is suspected first, for that can be spared. */
  #halve({ code, detail }: Extract<Verdict, { do: 'halve' }>, { stream, entries, dropped }: Sent): Step {
    const { spool, random } = this.#options;
    const [only] = entries;
    if (entries.length > 1) this.#batches.halve(entries.length);
    else if (dropped.length > 0) spool.dropped.declared(stream, dropped);
    else if (only) {
      spool.drop(only, `rejected:${code}`);
      this.#refused(detail ?? code);
    }
    return this.#waitFor(between(GAP_SECONDS.least, GAP_SECONDS.most, random));
  }

  /** Returns true if this host was enrolled again meanwhile. */
  #reload(): boolean {
    const kept = this.#options.reload();
    if (kept === null || kept.agent_token === this.#credentials.agent_token) return false;
    this.#credentials = kept;
    this.#options.log('info', 'this host was enrolled again', { server_id: kept.server_id });
    return true;
  }

  /** Another machine uses our numbers (a clone): a new stream, and a server of our own. */
  async #renew(): Promise<Step> {
    const { spool, enrolAsClone, clock, random } = this.#options;
    const credentials = await enrolAsClone();
    if (credentials) {
      spool.renew();
      this.#options.keep(credentials);
      this.#credentials = credentials;
      this.#failures = 0;
      this.tokenRefusedSince = null;
      return this.#waitFor(between(GAP_SECONDS.least, GAP_SECONDS.most, random));
    }
    this.dueAt = clock.up() + backoffSeconds(this.#failures, random);
    this.#failures += 1;
    return 'wait';
  }

  /** A host that is refused for a week must not write a line a minute about it. */
  #logOnce({ do: action, code }: Verdict & { code: string }): void {
    const problem = `${action}:${code}`;
    if (problem === this.#lastProblem) return;
    this.#lastProblem = problem;
    this.#options.log(action === 'retry' || action === 'wait' ? 'warn' : 'error', VERDICT_MESSAGES[action], { code });
  }
}
