import type { IncomingMessage } from 'node:http';
import { CLUSTER_LIMITS, type ReaderState } from '@plimsoll/contract/rules/kubernetes-limits';
import { LONGEST_RETRY_AFTER } from '@plimsoll/contract/rules/retry-after';
import { ApiError, readerStateOf, reasonOf } from './api-error.ts';
import { type Connection, readText } from './connection.ts';
import { clip } from './fields.ts';
import { readLines } from './lines.ts';
import { jitteredBackoff, type Timing } from './timing.ts';

export interface Named {
  uid: string;
}

/** Target of a reflector. A listing upserts its objects page by page; at its end `retain` names all: others are gone. */
export interface Store<T extends Named> {
  upsert(object: T): void;
  remove(object: T): void;
  retain(uids: ReadonlySet<string>): void;
}

export interface Resource<T> {
  /** "pods", for metrics and the permission page. */
  name: string;
  /** "/api/v1/pods". */
  path: string;
  /** "list,watch pods". */
  needs: string;
  /** Requests the metadata alone; saves nine tenths of a ReplicaSet. */
  metadataOnly?: boolean;
  /** Takes what we use out of an object at once; whole objects are never kept. Throws on what it cannot read. */
  project(object: unknown): T;
}

export interface ReflectorStatus {
  state: ReaderState;
  detail: string | null;
  /** Epoch milliseconds. */
  since: number;
}

interface ListPage {
  metadata?: { resourceVersion?: string; continue?: string };
  items?: unknown[];
}
interface WatchEvent {
  type?: string;
  object?: { metadata?: { resourceVersion?: string }; code?: number; message?: string };
}

/** Parsing 250 pods takes 40 ms, in which nothing else goes on. */
const PAGE = 250;
/** The server ends a watch after this long, spread so that ten watches do not end together. */
const WATCH_SECONDS = { least: 240, most: 480 } as const;
/** Bookmarks come about every 60 s; two missed ones and a half mean a half-open connection. */
const IDLE_MS = 150_000;
const BACKOFF = { baseMs: 500, capMs: 30_000 } as const;
/** Missing rights and absent APIs change by a person's hand. */
const REFUSED = { baseMs: 30_000, capMs: 300_000 } as const;
/** Readers that were turned away together do not return together. */
const SPREAD_MS = 1000;
/** A watch that lived this long proves that the server is well. */
const HEALTHY_MS = 10_000;
/** A version at which lines keep breaking is given up for a fresh listing. */
const BROKEN_TRIES = 3;

/** Keeps a store equal to a resource of the API server; recovers by itself from every way the two can be parted. */
export class Reflector<T extends Named> {
  readonly counts = { lists: 0, pages: 0, watches: 0, events: 0, brokenLines: 0, unreadable: 0, failures: 0 };
  status: ReflectorStatus;
  readonly #resource: Resource<T>;
  readonly #connection: Connection;
  readonly #store: Store<T>;
  readonly #timing: Timing;
  /** Reasons of the objects that cannot be read, by uid. */
  readonly #leftOut = new Map<string, string>();
  #version: string | null = null;
  #failures = 0;
  #brokenInRow = 0;

  constructor(resource: Resource<T>, connection: Connection, store: Store<T>, timing: Timing) {
    this.#resource = resource;
    this.#connection = connection;
    this.#store = store;
    this.#timing = timing;
    this.status = { state: 'starting', detail: null, since: timing.now() };
  }

  get name(): string {
    return this.#resource.name;
  }
  get needs(): string {
    return this.#resource.needs;
  }

  /** Objects that cannot be read, each with its reason. */
  get leftOut(): string[] {
    return [...this.#leftOut.values()];
  }

  /** Runs until the signal aborts; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const startedAt = this.#timing.now();
      try {
        if (this.#version === null) await this.#list(signal);
        await this.#watch(signal);
        if (this.#timing.now() - startedAt >= HEALTHY_MS) this.#failures = 0;
        else await this.#pause(BACKOFF, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (this.#timing.now() - startedAt >= HEALTHY_MS) this.#failures = 0;
        await this.#recover(error, signal);
      }
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    const listed = new Set<string>();
    let more = '';
    let version = '';
    this.counts.lists += 1;
    do {
      const query = `limit=${PAGE}${more && `&continue=${encodeURIComponent(more)}`}`;
      const page = JSON.parse(await readText(await this.#open('list', query, signal))) as ListPage;
      this.counts.pages += 1;
      for (const item of page.items ?? []) {
        const object = this.#project(item);
        // An object that cannot be read exists: its last readable state stays.
        const uid = object?.uid ?? headOf(item).uid;
        if (uid !== undefined) listed.add(uid);
        if (object !== null) this.#store.upsert(object);
      }
      version = page.metadata?.resourceVersion ?? '';
      more = page.metadata?.continue ?? '';
    } while (more);
    this.#store.retain(listed);
    for (const uid of this.#leftOut.keys()) if (!listed.has(uid)) this.#leftOut.delete(uid);
    this.#version = version;
    this.#brokenInRow = 0;
    this.#enter('ok', null);
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { least, most } = WATCH_SECONDS;
    const seconds = Math.round(least + this.#timing.random() * (most - least));
    const query = `watch=1&allowWatchBookmarks=true&resourceVersion=${this.#version}&timeoutSeconds=${seconds}`;
    const idle = new AbortController();
    let silence = this.#timing.alarm(IDLE_MS, () => idle.abort());
    this.counts.watches += 1;
    try {
      const answer = await this.#open('watch', query, AbortSignal.any([signal, idle.signal]));
      this.#enter('ok', null);
      for await (const line of readLines(answer)) {
        silence();
        silence = this.#timing.alarm(IDLE_MS, () => idle.abort());
        this.#take(line);
      }
    } catch (error) {
      if (!idle.signal.aborted || signal.aborted) throw error;
      throw new ApiError(0, `the watch was silent for ${IDLE_MS / 1000} s`, null, error);
    } finally {
      silence();
    }
  }

  #open(kind: 'list' | 'watch', query: string, signal: AbortSignal): Promise<IncomingMessage> {
    const as = kind === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata';
    return this.#connection.open({
      path: `${this.#resource.path}?${query}`,
      signal,
      ...(this.#resource.metadataOnly ? { accept: `application/json;as=${as};g=meta.k8s.io;v=v1` } : {}),
      // A quiet resource sends nothing between bookmarks: the watch has an idle time of its own.
      ...(kind === 'watch' ? { idleMs: 0 } : {}),
    });
  }

  /** A line that does not parse may hide an event: the watch starts again at the last version that did. */
  #take(line: string): void {
    const event = parseEvent(line);
    if (!event?.type) {
      this.counts.brokenLines += 1;
      this.#brokenInRow += 1;
      throw this.#brokenInRow >= BROKEN_TRIES
        ? new ApiError(410, 'lines of the watch keep breaking')
        : new ApiError(0, 'a line of the watch broke off');
    }
    if (event.type === 'ERROR') throw new ApiError(event.object?.code ?? 500, event.object?.message ?? 'watch error');
    this.#brokenInRow = 0;
    this.#apply(event.type, event.object);
    this.#version = event.object?.metadata?.resourceVersion ?? this.#version;
  }

  #apply(type: string, object: unknown): void {
    if (type === 'BOOKMARK') return;
    this.counts.events += 1;
    const projected = this.#project(object);
    if (projected === null) return;
    if (type === 'DELETED') {
      this.#leftOut.delete(projected.uid);
      this.#store.remove(projected);
    } else this.#store.upsert(projected);
  }

  #project(object: unknown): T | null {
    try {
      const projected = this.#resource.project(object);
      this.#leftOut.delete(projected.uid);
      return projected;
    } catch (error) {
      this.counts.unreadable += 1;
      const { uid, label } = headOf(object);
      if (this.#leftOut.size < CLUSTER_LIMITS.unknownFields)
        this.#leftOut.set(uid ?? label, `${label}: ${error instanceof Error ? error.message : 'cannot be read'}`);
      return null;
    }
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    const status = error instanceof ApiError ? error.status : 0;
    const refused = status === 403 || status === 404;
    this.counts.failures += 1;
    // Gone: the history we would go on from is compacted away. A refused watch may outlast it, too.
    if (status === 410 || refused) this.#version = null;
    if (status !== 410) this.#enter(readerStateOf(error), reasonOf(error, this.#resource.needs));
    const after = error instanceof ApiError ? error.retryAfterSeconds : null;
    await this.#pause(refused ? REFUSED : BACKOFF, signal, after ?? 0);
  }

  /** Waits for the backoff, and at least as long as the server demands: a demand of 0 must not become a tight loop. */
  async #pause(
    { baseMs, capMs }: typeof BACKOFF | typeof REFUSED,
    signal: AbortSignal,
    leastSeconds = 0,
  ): Promise<void> {
    this.#failures += 1;
    const backoffMs = jitteredBackoff(this.#failures, baseMs, capMs, this.#timing.random());
    const spreadMs = leastSeconds > 0 ? this.#timing.random() * SPREAD_MS : 0;
    const demandedMs = Math.min(leastSeconds * 1000 + spreadMs, LONGEST_RETRY_AFTER.reader * 1000);
    await this.#timing.wait(Math.max(backoffMs, demandedMs), signal);
  }

  #enter(state: ReaderState, detail: string | null): void {
    const since = state === this.status.state ? this.status.since : this.#timing.now();
    this.status = { state, detail, since };
  }
}

function parseEvent(line: string): WatchEvent | null {
  try {
    return JSON.parse(line) as WatchEvent;
  } catch {
    return null;
  }
}

/** Reads what identifies an object that cannot be read as a whole. */
function headOf(object: unknown): { uid: string | undefined; label: string } {
  const { metadata } = (object ?? {}) as { metadata?: { uid?: unknown; namespace?: unknown; name?: unknown } | null };
  const parts = [clip(metadata?.namespace, 253), clip(metadata?.name, 253)].filter((part) => part !== null);
  return { uid: clip(metadata?.uid, 128) ?? undefined, label: parts.join('/') || 'an object without a name' };
}
