import { CUSTOM_KINDS, CUSTOM_LIMITS, type CustomKind } from '@plimsoll/contract/rules/custom-resources';
import { PROTOCOL_VERSION } from '@plimsoll/contract/rules/limits';
import type { ClusterObjects, ClusterObjectsAnswer, ObjectVerdict } from '@plimsoll/contract/wire/custom-resources';
import type { Log } from '../../runtime/log.ts';
import type { ClusterReply } from '../report/cluster-reporter.ts';
import type { Connection } from '../watch/connection.ts';
import { Reflector } from '../watch/reflector.ts';
import { jitteredBackoff, type Timing } from '../watch/timing.ts';
import type { ChannelSecrets } from './channel-secrets.ts';
import { conditionsOf, merged, waitingConditions, type Installation } from './conditions.ts';
import { type LiveObject, LiveObjects, resourceOf } from './live-objects.ts';
import { StatusWriter, type StatusChange } from './status-writer.ts';

const PATH = '/api/agent/v1/cluster/objects';
const LOOK_MS = 2000;
/** Mends what was lost by a mistake of either side. */
const RESYNC_MS = 300_000;
const BACKOFF = { baseMs: 2000, capMs: 60_000 } as const;
/** A token that is refused and an old dashboard change by a person's hand. */
const REFUSED_MS = 300_000;

export interface CustomResourcesOptions {
  connection: Connection;
  post: (path: string, body: object) => Promise<ClusterReply>;
  cluster: { uid: string };
  /** Reads the addresses of the API server. */
  addresses: () => Promise<string[]>;
  collector: { id: string; term: number };
  release: { name: string; namespace: string };
  secrets: ChannelSecrets;
  timing: Timing;
  log: Log;
}

/**
 * Reconciles the custom resources of the cluster into the dashboard, level-triggered: each change sends the whole set,
 * and the conditions follow from its answer. One instance serves one term of leading.
 */
export class CustomResources {
  readonly reflectors: Reflector<LiveObject>[];
  readonly status: StatusWriter;
  readonly counts = { sent: 0, failures: 0 };
  readonly #options: CustomResourcesOptions;
  readonly #stores: Record<CustomKind, LiveObjects>;
  #seq = 0;
  #sent: string | null = null;
  #resyncAt = 0;
  #failures = 0;
  #problem: string | null = null;
  #missing = '';
  #verdicts = new Map<string, ObjectVerdict>();

  constructor(options: CustomResourcesOptions) {
    const { connection, timing, log } = options;
    this.#options = options;
    this.#stores = { AlertRule: new LiveObjects(), NotificationChannel: new LiveObjects(), Silence: new LiveObjects() };
    this.reflectors = CUSTOM_KINDS.map(
      (kind) => new Reflector(resourceOf(kind), connection, this.#stores[kind], timing),
    );
    this.status = new StatusWriter(connection, timing, log);
  }

  /** Until the signal aborts; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    const { timing, log } = this.#options;
    const watching = this.reflectors.map((reflector) => reflector.run(signal));
    while (!signal.aborted) {
      const waitMs = await this.round(signal).catch((error: unknown) => {
        log('error', 'custom resources', { reason: String(error) });
        return RESYNC_MS / 10;
      });
      await timing.wait(waitMs, signal);
    }
    await Promise.all(watching);
  }

  /** One reconciliation. Returns the milliseconds until the next. */
  async round(signal: AbortSignal): Promise<number> {
    const covers = this.#covers();
    this.#sayMissing();
    if (covers.length === 0) return LOOK_MS;
    const live = this.#live(covers);
    const set = this.#setOf(covers, live.slice(0, fitting(live)));
    const text = JSON.stringify(set);
    const { timing } = this.#options;
    if (text !== this.#sent || timing.now() >= this.#resyncAt) {
      const waitMs = await this.#send(set, text);
      if (waitMs !== null) {
        await this.#write(live, signal);
        return waitMs;
      }
    }
    await this.#write(live, signal);
    return LOOK_MS;
  }

  /** Kinds that are listed completely: what a set does not name of them is deleted. */
  #covers(): CustomKind[] {
    return CUSTOM_KINDS.filter((_, index) => {
      const reflector = this.reflectors[index];
      return reflector !== undefined && reflector.counts.lists > 0 && reflector.status.state === 'ok';
    });
  }

  /** An older chart has no definitions, or grants no rights on them. */
  #sayMissing(): void {
    const missing = this.reflectors
      .filter(({ status }) => status.state === 'absent' || status.state === 'forbidden')
      .map(({ name, status }) => `${name} ${status.state}`)
      .join(', ');
    if (missing === this.#missing) return;
    this.#missing = missing;
    const { log } = this.#options;
    if (missing === '') log('info', 'custom resources are served');
    else log('warn', 'custom resources are not reconciled: upgrade the chart with customResources.create', { missing });
  }

  /** Oldest first: of too many objects, those that were accepted stay. */
  #live(covers: readonly CustomKind[]): LiveObject[] {
    return covers
      .flatMap((kind) => [...this.#stores[kind].objects.values()])
      .toSorted((a, b) => a.createdAt - b.createdAt || (a.uid < b.uid ? -1 : 1));
  }

  #setOf(covers: CustomKind[], sent: readonly LiveObject[]): Omit<ClusterObjects, 'seq'> {
    const { cluster, collector, release } = this.#options;
    return {
      v: PROTOCOL_VERSION,
      cluster_uid: cluster.uid,
      collector,
      release_namespace: release.namespace,
      covers,
      objects: sent.map((object) => ({
        kind: object.kind,
        namespace: object.namespace,
        name: object.name,
        uid: object.uid,
        generation: object.generation,
        created_at: object.createdAt,
        spec: problemOf(object.spec) === null ? object.spec : {},
        secrets: this.#secretsOf(object),
      })),
    };
  }

  /** A Secret is of the namespace of the release, so no object of another one reads it. */
  #secretsOf({ kind, namespace, spec }: LiveObject): Record<string, string> | null {
    const { release, secrets } = this.#options;
    const { secretRef } = spec as { secretRef?: { name?: unknown } };
    if (kind !== 'NotificationChannel' || namespace !== release.namespace) return null;
    return typeof secretRef?.name === 'string' ? secrets.read(secretRef.name) : null;
  }

  /** Null: the set arrived. Else the milliseconds to wait. */
  async #send(set: Omit<ClusterObjects, 'seq'>, text: string): Promise<number | null> {
    const { post, timing, log } = this.#options;
    this.#seq = Math.max(this.#seq + 1, timing.now());
    const addresses = await this.#options.addresses();
    const found = addresses.length > 0 ? { api_addresses: addresses } : {};
    const body: ClusterObjects = { ...set, ...found, seq: this.#seq };
    const reply = await post(PATH, body);
    if (reply.kind === 'failed') return this.#failed(reply.code, null);
    if (reply.status < 200 || reply.status >= 300) {
      const { code, detail } = (reply.body ?? {}) as { code?: string; detail?: string };
      const isRefused = [400, 401, 403, 404, 426].includes(reply.status);
      const after = reply.retryAfterSeconds === null ? null : reply.retryAfterSeconds * 1000;
      return this.#failed(`${code ?? String(reply.status)} ${detail ?? ''}`.trim(), isRefused ? REFUSED_MS : after);
    }
    const { objects } = reply.body as ClusterObjectsAnswer;
    this.#verdicts = new Map(objects.map((verdict) => [verdict.uid, verdict]));
    if (this.#problem !== null || this.#sent === null)
      log('info', 'custom resources are in sync', {
        objects: objects.length,
        refused: objects.filter(({ accepted }) => !accepted).length,
      });
    this.#sent = text;
    this.#resyncAt = timing.now() + RESYNC_MS;
    this.#problem = null;
    this.#failures = 0;
    this.counts.sent += 1;
    return null;
  }

  #failed(reason: string, waitMs: number | null): number {
    const { timing, log } = this.#options;
    this.counts.failures += 1;
    this.#failures += 1;
    if (reason !== this.#problem) log('warn', 'custom resources are not in sync, tried again', { reason });
    this.#problem = reason;
    const { baseMs, capMs } = BACKOFF;
    return Math.max(LOOK_MS, waitMs ?? LOOK_MS + jitteredBackoff(this.#failures, baseMs, capMs, timing.random()));
  }

  async #write(live: readonly LiveObject[], signal: AbortSignal): Promise<void> {
    const { release, secrets, timing } = this.#options;
    const installation: Installation = { release: release.name, namespace: release.namespace, mounted: secrets.names };
    const fits = fitting(live);
    const changes = live.flatMap((object, index): StatusChange[] => {
      const conditions = this.#conditionsOf(object, index < fits, installation);
      const next = conditions && merged(object, conditions, timing.now());
      return next ? [{ object, conditions: next }] : [];
    });
    await this.status.write(changes, signal);
  }

  #conditionsOf(object: LiveObject, fits: boolean, installation: Installation) {
    if (!fits) return conditionsOf(object, tooMany(object), installation);
    const verdict = this.#verdicts.get(object.uid);
    if (verdict?.generation === object.generation) {
      const problem = problemOf(object.spec);
      return conditionsOf(object, problem === null ? verdict : { ...verdict, message: problem }, installation);
    }
    if (this.#problem === null) return null;
    return waitingConditions(
      object,
      'DashboardUnreachable',
      `The dashboard has not taken this version: ${this.#problem}`.slice(0, 500),
    );
  }
}

/** Levels of objects and lists below a spec. The dashboard refuses a request that nests deeper as a whole. */
const MOST_LEVELS = 3;
const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((child) => isDeeper(child, levels - 1)));

/** Returns why a spec cannot be sent; null: it can. Such an object travels without its spec, and is refused alone. */
function problemOf(spec: Record<string, unknown>): string | null {
  if (isDeeper(spec, MOST_LEVELS + 1)) return 'spec: nests too deeply.';
  const text = JSON.stringify(spec);
  if (text.length > CUSTOM_LIMITS.specBytes)
    return `spec: must be at most ${String(CUSTOM_LIMITS.specBytes)} bytes as JSON.`;
  if (text.includes(String.raw`\u0000`) || /\\ud[89a-f]/i.test(text))
    return 'spec: contains a character that cannot be stored. Remove NUL characters and unpaired surrogates.';
  return null;
}

/** Bytes of the specs in one request, far below the limit of the dashboard. */
const MOST_BYTES = CUSTOM_LIMITS.requestBytes / 2;
/** Returns how many of the objects fit into one request. */
function fitting(live: readonly LiveObject[]): number {
  let bytes = 0;
  const index = live.findIndex(({ spec }) => {
    bytes += JSON.stringify(spec).length + 500;
    return bytes > MOST_BYTES;
  });
  return Math.min(index === -1 ? live.length : index, CUSTOM_LIMITS.objects);
}

const tooMany = ({ kind, namespace, name, uid, generation }: LiveObject): ObjectVerdict => ({
  kind,
  namespace,
  name,
  uid,
  generation,
  accepted: false,
  reason: 'LimitExceeded',
  message: `A cluster has at most ${String(CUSTOM_LIMITS.objects)} custom resources. Delete some first.`,
  is_kept: false,
});
