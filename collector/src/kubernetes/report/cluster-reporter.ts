import { joinAddresses } from '@plimsoll/contract/rules/api-server-addresses';
import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import type {
  ClusterAnswer,
  ClusterEnvelope,
  ClusterItem,
  HistoryPart,
  LogMessage,
  LogRequest,
  UsageItem,
} from '@plimsoll/contract/wire/cluster-report';
import { CLUSTER_LIMITS, type ListedKind, POD_LOG_LIMITS } from '@plimsoll/contract/rules/kubernetes-limits';
import { PROTOCOL_VERSION } from '@plimsoll/contract/rules/limits';
import type { DescribedKind } from '@plimsoll/contract/rules/described-kinds';
import type { Log } from '../../runtime/log.ts';
import { redactClusterItem } from '../../redact-report.ts';
import type { ClusterState } from './cluster-state.ts';
import { clip } from '../watch/fields.ts';
import { cutIntoItems, type Item, type Part } from './outgoing-queue.ts';
import { jitteredBackoff, type Timing } from '../watch/timing.ts';

/** Result of one request; `failed`: no usable answer. */
export type ClusterReply =
  | { kind: 'answer'; status: number; body: unknown; retryAfterSeconds: number | null }
  | { kind: 'failed'; code: string };

export interface ReporterOptions {
  post: (path: string, body: object) => Promise<ClusterReply>;
  state: ClusterState;
  cluster: ClusterEnvelope['cluster'];
  collector: ClusterEnvelope['collector'];
  /** Reads the addresses of the API server, once an interval. */
  addresses: () => Promise<string[]>;
  /** State of every reader, for the permission page. */
  readers(): ReaderStatePart[];
  /** Kinds whose projection is whole, so that a full listing may end what it does not name. */
  covers(): ListedKind[];
  /** The same of the described kinds. */
  coversDescribed(): DescribedKind[];
  /** Usage of the pods, read when a whole interval has passed. */
  usage(): Promise<UsageItem[]>;
  /** Reads a log tail that the dashboard requested; null: the chart does not allow it. */
  readLog: ((request: LogRequest) => Promise<LogMessage>) | null;
  timing: Timing;
  log: Log;
}

const CLUSTER_REPORTS_PATH = '/api/agent/v1/cluster/reports';
const CLUSTER_LOGS_PATH = '/api/agent/v1/cluster/logs';
/** Milliseconds between reports of changes; figures are sent once an interval. */
const CHANGES_MS = 10_000;
/** Belt and braces: what got lost by a mistake of either side is mended this often. */
const LISTING_MS = 15 * 60_000;
/** Far below the server's limit: what is written at once holds up everything else, and memory. */
const REQUEST_BYTES = 2 ** 20;
const BACKOFF = { baseMs: 2000, capMs: 60_000 } as const;
/** On a fresh install we lead before the dashboard is ready: nodes and pods must be seen within a minute of that. */
const FRESH = { forMs: 120_000, capMs: 10_000 } as const;
/** A token that is refused is mended by a person. */
const REFUSED_MS = 300_000;

/** Tells the server what the state holds: changes every few seconds, figures every interval, everything now and then. */
export class ClusterReporter {
  readonly counts = { requests: 0, failures: 0, rejected: 0, bytes: 0 };
  /** Epoch milliseconds of the last request that was accepted. */
  deliveredAt: number | null = null;
  readonly #options: ReporterOptions;
  #seq = 0;
  #intervalMs = 60_000;
  #listingDueAt = 0;
  #usageDueAt = 0;
  #listingWanted = false;
  #covered = 0;
  #historyWanted: { from: number; to: number } | null | undefined;
  /** Addresses of every API server of this cluster that answered in this term. */
  #addresses: string[] = [];
  #refusedAt: string | null = null;
  #failures = 0;
  #problem: string | null = null;
  readonly #startedAt: number;

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.#startedAt = options.timing.now();
  }

  /** Until the signal aborts; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    const { timing } = this.#options;
    while (!signal.aborted) {
      const waitMs = await this.report().catch((error: unknown) => this.#failed('internal', String(error), null));
      await timing.wait(waitMs, signal);
    }
  }

  /** One report, in as many requests as it takes. Milliseconds until the next. */
  async report(): Promise<number> {
    const { state, timing } = this.#options;
    const now = timing.now();
    const covers = this.#options.covers();
    const described = this.#options.coversDescribed();
    const covered = covers.length + described.length;
    const listing = now >= this.#listingDueAt || covered > this.#covered;
    const withUsage = now >= this.#usageDueAt;
    if (withUsage) this.#addresses = joinAddresses(this.#addresses, await this.#options.addresses());
    const draft = state.draft(listing);
    try {
      const part: Part = { ...draft.part, ...(withUsage || listing ? await this.#figures() : {}) };
      const refusal = await this.#send(cutIntoItems(part, listing ? covers : null, described));
      if (refusal) {
        draft.rollback();
        return refusal.waitMs;
      }
    } catch (error) {
      draft.rollback();
      throw error;
    }
    draft.commit();
    if (listing) this.#listed(now, covered);
    if (withUsage) this.#usageDueAt = now + this.#intervalMs;
    return CHANGES_MS;
  }

  /** Window before the installation that the server lacks, in epoch seconds; undefined before the cluster is registered. */
  get historyWanted(): { from: number; to: number } | null | undefined {
    return this.#covered > 0 ? this.#historyWanted : undefined;
  }

  /** Sends history. Returns the milliseconds to wait before sending it again; null when it arrived. */
  async tellHistory(parts: HistoryPart[]): Promise<number | null> {
    const refusal = await this.#send(parts.map((history) => ({ history })));
    return refusal && refusal.waitMs;
  }

  #listed(now: number, covered: number): void {
    // The server may have requested another listing meanwhile.
    if (this.#listingDueAt <= now && !this.#listingWanted) this.#listingDueAt = now + LISTING_MS;
    this.#listingWanted = false;
    this.#covered = covered;
  }

  async #figures(): Promise<Pick<Part, 'usage' | 'readers'>> {
    const usage = await this.#options.usage();
    return { usage, readers: this.#options.readers() };
  }

  /** Null when all of it arrived. */
  async #send(items: Iterable<Item>): Promise<{ waitMs: number } | null> {
    const ts = this.#options.timing.now() / 1000;
    let batch: ClusterItem[] = [];
    let bytes = 0;
    for (const item of items) {
      this.#seq += 1;
      const whole = redactClusterItem({ seq: this.#seq, kind: 'cluster', ts, ...item });
      const size = JSON.stringify(whole).length;
      if (batch.length > 0 && (bytes + size > REQUEST_BYTES || batch.length >= CLUSTER_LIMITS.itemsPerRequest)) {
        const refusal = await this.#post(batch);
        if (refusal) return refusal;
        batch = [];
        bytes = 0;
      }
      batch.push(whole);
      bytes += size;
    }
    // Requests for logs come with a response: where they are allowed, there is one every few seconds.
    return batch.length > 0 || this.#options.readLog !== null ? this.#post(batch) : null;
  }

  async #post(reports: ClusterItem[]): Promise<{ waitMs: number } | null> {
    const { cluster, collector, timing } = this.#options;
    const envelope: ClusterEnvelope = {
      v: PROTOCOL_VERSION,
      cluster: this.#addresses.length > 0 ? { ...cluster, api_addresses: this.#addresses } : cluster,
      collector,
      sent_at: timing.now() / 1000,
      reports,
    };
    this.counts.requests += 1;
    const reply = await this.#options.post(CLUSTER_REPORTS_PATH, envelope);
    if (reply.kind === 'failed') return { waitMs: this.#failed(reply.code, 'no usable answer', null) };
    if (reply.status < 200 || reply.status >= 300) {
      const { code, detail } = (reply.body ?? {}) as { code?: unknown; detail?: unknown };
      const refused = reply.status === 401 || reply.status === 403;
      const after = refused ? REFUSED_MS : reply.retryAfterSeconds === null ? null : reply.retryAfterSeconds * 1000;
      return {
        waitMs: this.#failed(
          typeof code === 'string' ? code : `status_${reply.status}`,
          typeof detail === 'string' ? detail : '',
          after,
        ),
      };
    }
    this.#accepted(reply.body as Partial<ClusterAnswer> | null);
    return null;
  }

  #accepted(answer: Partial<ClusterAnswer> | null): void {
    const { log, timing } = this.#options;
    for (const { seq, code, detail } of answer?.rejected ?? []) {
      this.counts.rejected += 1;
      log('warn', 'the server refused a part of a report, it is dropped', { seq, code, detail });
    }
    if (answer?.listing_wanted === true) {
      this.#listingDueAt = 0;
      this.#listingWanted = true;
    }
    for (const request of answer?.log_requests?.slice(0, POD_LOG_LIMITS.perResponse) ?? []) void this.#tellLog(request);
    this.#historyWanted = answer?.history_wanted === undefined ? (this.#historyWanted ?? null) : answer.history_wanted;
    this.#noteRefused(answer?.refused_collector_at);
    const interval = answer?.next?.interval;
    if (typeof interval === 'number' && interval >= 1 && interval <= 3600) this.#intervalMs = interval * 1000;
    if (this.#problem !== null) log('info', 'reports are accepted again');
    this.#problem = null;
    this.#failures = 0;
    this.deliveredAt = timing.now();
  }

  /** A log line once for each second cluster. */
  #noteRefused(addresses: unknown): void {
    const at = Array.isArray(addresses) ? addresses.filter((one) => typeof one === 'string').join(', ') : null;
    if (at !== null && at !== this.#refusedAt)
      this.#options.log('warn', 'a collector of another API server reports for this cluster too, and is refused', {
        cluster: this.#options.cluster.uid,
        refused: clip(at, 1000),
        here: this.#addresses.join(', '),
      });
    this.#refusedAt = at;
  }

  /** Sends a log tail. A lost answer is not sent again: the dashboard repeats its request. */
  async #tellLog(request: LogRequest): Promise<void> {
    const { readLog, post, log } = this.#options;
    if (readLog === null) return;
    const reply = await post(CLUSTER_LOGS_PATH, await readLog(request));
    if (reply.kind === 'failed' || reply.status >= 300)
      log('warn', 'the server did not take a log tail', { pod: `${request.namespace}/${request.pod}` });
  }

  #failed(code: string, detail: string, waitMs: number | null): number {
    const { log, timing } = this.#options;
    this.counts.failures += 1;
    this.#failures += 1;
    // A server that is away for a week must not cost a line a minute.
    if (code !== this.#problem)
      log('warn', 'the server did not take a report, it is kept and tried again', { code, detail });
    this.#problem = code;
    const isFresh = this.deliveredAt === null && timing.now() - this.#startedAt < FRESH.forMs;
    const { baseMs } = BACKOFF;
    const capMs = isFresh ? FRESH.capMs : BACKOFF.capMs;
    return Math.max(CHANGES_MS / 10, waitMs ?? jitteredBackoff(this.#failures, baseMs, capMs, timing.random()));
  }
}
