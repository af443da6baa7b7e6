import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import type { NodeObject } from '@plimsoll/contract/wire/cluster-objects';
import type { HistoryPart, UsageItem } from '@plimsoll/contract/wire/cluster-report';
import type { ReaderState } from '@plimsoll/contract/rules/kubernetes-limits';
import type { Log } from '../../runtime/log.ts';
import type { ClusterState } from '../report/cluster-state.ts';
import { KubeStateMetrics } from './kube-state-metrics.ts';
import { type PrometheusApi, PrometheusError } from './api.ts';
import { cutHistory, nextWindow, readHistory } from './history.ts';
import { readRestarts } from './restarts.ts';
import { readUsage } from './usage.ts';
import { jitteredBackoff, type Timing } from '../watch/timing.ts';

/** Receives the history windows. */
export interface HistoryTaker {
  /** Epoch seconds; null: nothing (more) is wanted; undefined: the server has not answered yet. */
  readonly historyWanted: { from: number; to: number } | null | undefined;
  /** Milliseconds to wait before the next try; null when all of it arrived. */
  tellHistory(parts: HistoryPart[]): Promise<number | null>;
}

export interface PrometheusOptions {
  api: PrometheusApi;
  state: ClusterState;
  timing: Timing;
  log: Log;
}

const LOOK_MS = 60_000;
/** One window after the other, but never as fast as the dashboard can write. */
const BETWEEN_WINDOWS_MS = 1000;
const BACKOFF = { baseMs: 5000, capMs: 300_000 } as const;
const ALONE = 'kube-state-metrics without Prometheus: restarts, but no CPU, memory or history';

/**
 * The third rung of the ladder: figures of nodes for which no better source speaks, restarts and history from before the
 * installation. Prometheus may be away, and what is at its address may be kube-state-metrics alone.
 */
export class Prometheus {
  readonly #options: PrometheusOptions;
  readonly #metrics: KubeStateMetrics;
  #state: ReaderState = 'starting';
  #detail: string | null = null;
  #since: number;
  #isAlone = false;
  #toldRestarts = false;
  #toldFrom = Infinity;
  #failures = 0;

  constructor(options: PrometheusOptions) {
    this.#options = options;
    this.#metrics = new KubeStateMetrics(options.api);
    this.#since = options.timing.now();
  }

  get reader(): ReaderStatePart {
    return { name: 'prometheus', state: this.#state, detail: this.#detail, since: this.#since / 1000, needs: null };
  }

  /** Figures of the given nodes; none when they cannot be had, and then `reader` says why. Never throws. */
  async usage(nodes: readonly NodeObject[], signal?: AbortSignal): Promise<UsageItem[]> {
    if (nodes.length === 0 || this.#isAlone) return [];
    const { api, state } = this.#options;
    const names = new Set(nodes.map(({ name }) => name));
    const where = state.podsByName();
    const all = [...state.nodes.objects.values()];
    const read = await this.#attempt(() => readUsage(api, all, (key) => where.get(key), signal));
    return (read ?? []).filter(({ node_name: name }) => names.has(name));
  }

  /** Until the signal aborts; never throws. */
  async run(taker: () => HistoryTaker | null, signal: AbortSignal): Promise<void> {
    const { timing } = this.#options;
    while (!signal.aborted) {
      const waitMs = await this.turn(taker(), signal);
      await timing.wait(waitMs, signal);
    }
  }

  /** One step of what there is to do. Milliseconds until the next. */
  async turn(taker: HistoryTaker | null, signal?: AbortSignal): Promise<number> {
    const done = await this.#attempt(() => this.#next(taker, signal));
    if (done !== null) return done;
    return jitteredBackoff(this.#failures, BACKOFF.baseMs, BACKOFF.capMs, this.#options.timing.random());
  }

  async #next(taker: HistoryTaker | null, signal: AbortSignal | undefined): Promise<number> {
    const { api, state, timing } = this.#options;
    if (this.#isAlone) return this.#readAlone(signal);
    const now = timing.now() / 1000;
    if (!this.#toldRestarts) {
      const pods = state.podsByName();
      state.addEnds(await readRestarts(api, (key) => pods.get(key), now, signal));
      this.#toldRestarts = true;
    }
    if (taker?.historyWanted === undefined) return BETWEEN_WINDOWS_MS;
    const wanted = this.#windowOf(taker);
    if (!wanted) {
      await api.query('vector(1)', signal);
      return LOOK_MS;
    }
    const window = nextWindow(wanted, state.pods.objects.size);
    const where = state.podsByName();
    const cluster = { nodes: [...state.nodes.objects.values()], findPod: (key: string) => where.get(key) };
    const waitMs = await taker.tellHistory(cutHistory(window, await readHistory(api, window, cluster, signal)));
    if (waitMs !== null) return waitMs;
    this.#toldFrom = window.from;
    return BETWEEN_WINDOWS_MS;
  }

  /** Returns the window to read, or null when none is wanted. A window that was just sent may still be listed as wanted. */
  #windowOf({ historyWanted: wanted }: HistoryTaker): { from: number; to: number } | null {
    if (!wanted) return null;
    const to = Math.min(wanted.to, this.#toldFrom);
    return wanted.from < to ? { from: wanted.from, to } : null;
  }

  async #readAlone(signal: AbortSignal | undefined): Promise<number> {
    const { state, timing } = this.#options;
    const pods = state.podsByName();
    state.addEnds(await this.#metrics.ends((key) => pods.get(key), timing.now() / 1000, signal));
    return LOOK_MS;
  }

  /** Null when it failed; the reader then says why. */
  async #attempt<T>(work: () => Promise<T>): Promise<T | null> {
    const wasAlone = this.#isAlone;
    try {
      const result = await work();
      this.#failures = 0;
      this.#enter('ok', this.#isAlone ? ALONE : null);
      return result;
    } catch (error) {
      if (!(error instanceof PrometheusError)) throw error;
      return this.#recover(error, wasAlone);
    }
  }

  /** Without the query API the address may be that of kube-state-metrics: the next turn looks. */
  #recover(error: PrometheusError, wasAlone: boolean): null {
    this.#failures += 1;
    this.#isAlone = error.state === 'absent' && !wasAlone;
    this.#enter(error.state, error.message);
    return null;
  }

  #enter(state: ReaderState, detail: string | null): void {
    const { timing, log } = this.#options;
    if (state !== this.#state) {
      this.#since = timing.now();
      log(state === 'ok' ? 'info' : 'warn', 'prometheus', { state, detail });
    }
    this.#state = state;
    this.#detail = detail;
  }
}
