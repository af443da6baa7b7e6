import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import type { UsageItem } from '@plimsoll/contract/wire/cluster-report';
import { LISTED_KINDS, type ListedKind } from '@plimsoll/contract/rules/kubernetes-limits';
import type { DescribedKind } from '@plimsoll/contract/rules/described-kinds';
import type { Log } from '../../runtime/log.ts';
import { apiAddresses, identifyCluster } from './cluster-identity.ts';
import { ClusterReporter, type ReporterOptions } from './cluster-reporter.ts';
import { ClusterState } from './cluster-state.ts';
import { createDigester } from '../changes/described.ts';
import { DescribedState } from '../changes/described-state.ts';
import type { ChangeGroup } from '../changes/kinds.ts';
import type { Connection } from '../watch/connection.ts';
import { events } from '../watch/events.ts';
import { type MetricsReading, metricsServerNeeds, readMetricsServer } from '../watch/metrics-server.ts';
import { nodes } from '../watch/nodes.ts';
import { jobs, replicaSets } from '../watch/owners.ts';
import { readPodLog } from '../watch/pod-logs.ts';
import { persistentVolumes } from '../watch/persistent-volumes.ts';
import { pods } from '../watch/pods.ts';
import { Prometheus } from '../prometheus/prometheus.ts';
import type { PrometheusApi } from '../prometheus/api.ts';
import { Reflector } from '../watch/reflector.ts';
import type { Timing } from '../watch/timing.ts';
import { volumes } from '../watch/volumes.ts';
import { cronJobs, daemonSets, deployments, statefulSets } from '../watch/workloads.ts';

export interface CollectorOptions {
  connection: Connection;
  post: ReporterOptions['post'];
  /** Null: none is configured. */
  prometheus: PrometheusApi | null;
  clusterName: string | null;
  /** The chart grants pods/log. */
  readsPodLogs: boolean;
  /** The chart grants persistentvolumes. Absent: it does not. */
  readsVolumes?: boolean;
  /** Groups of kinds whose changes are reported, and the token from which the key of their digests is derived. */
  changes: { groups: readonly ChangeGroup[]; token: string };
  /** Identity of this replica and version of the program. */
  id: string;
  version: string;
  timing: Timing;
  log: Log;
  /** Reflectors of custom resources, for the permission page. */
  customReaders?: () => readonly Pick<Reflector<never>, 'name' | 'needs' | 'status' | 'leftOut'>[];
}

/**
 * Milliseconds the first report waits, so that it names the Deployment of each pod and not its ReplicaSet. `quietMs`
 * without a new page means that a resource does not answer; `mostMs` is less than the dashboard waits before it calls a
 * cluster silent.
 */
const FIRST_LISTING = { quietMs: 30_000, mostMs: 90_000 } as const;
const LOOK_AGAIN_MS = 250;
const WORKLOADS = [
  [deployments, 'Deployment'],
  [statefulSets, 'StatefulSet'],
  [daemonSets, 'DaemonSet'],
  [cronJobs, 'CronJob'],
] as const;

/** One term of leading: watches the cluster and reports it until the signal aborts. */
export class ClusterCollector {
  readonly state: ClusterState;
  readonly reflectors: Pick<Reflector<never>, 'name' | 'needs' | 'status' | 'counts' | 'leftOut' | 'run'>[];
  reporter: ClusterReporter | null = null;
  readonly #options: CollectorOptions;
  readonly #prometheus: Prometheus | null;
  #metrics: MetricsReading = { state: 'starting', detail: null, usage: [] };
  #metricsSince: number;
  #serviceAccount: string | null = null;

  constructor(options: CollectorOptions) {
    const { connection, timing, readsVolumes = false, changes } = options;
    const described = new DescribedState(changes.groups, createDigester(changes.token));
    const state = new ClusterState(timing, described);
    this.#options = options;
    this.state = state;
    this.#metricsSince = timing.now();
    const { prometheus: api, log } = options;
    this.#prometheus = api && new Prometheus({ api, state, timing, log });
    this.reflectors = [
      new Reflector(nodes, connection, state.nodes, timing),
      new Reflector(pods, connection, state.podStore(), timing),
      new Reflector(volumes, connection, state.volumes, timing),
      ...(readsVolumes ? [new Reflector(persistentVolumes, connection, state.boundVolumeStore(), timing)] : []),
      new Reflector(events, connection, state.events, timing),
      new Reflector(replicaSets, connection, state.linkStore(), timing),
      new Reflector(
        described.also(jobs, 'Job', ({ controller }) => controller === null),
        connection,
        described.both(state.jobStore(), 'Job'),
        timing,
      ),
      ...WORKLOADS.map(
        ([resource, kind]) =>
          new Reflector(
            described.also(resource, kind),
            connection,
            described.both(state.workloadStore(kind), kind),
            timing,
          ),
      ),
      ...described.resources.flatMap((row) =>
        row.watch
          ? [new Reflector(described.resource(row, row.watch), connection, described.store(row.kind), timing)]
          : [],
      ),
    ];
  }

  /** `term` is leaseTransitions. Fails only when the cluster cannot be identified. */
  async lead(term: number, signal: AbortSignal): Promise<void> {
    const { connection, clusterName, readsPodLogs, timing, log, post } = this.#options;
    const cluster = await identifyCluster(connection, clusterName);
    this.#serviceAccount = await connection.serviceAccount();
    log('info', 'leading', { cluster: cluster.uid, version: cluster.version, term });
    const watching = this.reflectors.map((reflector) => reflector.run(signal));
    await this.#firstListing(signal);
    this.reporter = new ClusterReporter({
      post,
      state: this.state,
      cluster,
      collector: this.#identity(term),
      addresses: () => apiAddresses(connection),
      readers: () => this.readers(),
      covers: () => this.covers(),
      coversDescribed: () => this.coversDescribed(),
      usage: () => this.#readUsage(signal),
      readLog: readsPodLogs ? (request) => readPodLog(connection, request) : null,
      timing,
      log,
    });
    const past = this.#prometheus?.run(() => this.reporter, signal);
    await Promise.all([...watching, this.reporter.run(signal), past]);
  }

  #identity(term: number): ReporterOptions['collector'] {
    const { id, version, readsPodLogs, readsVolumes } = this.#options;
    return {
      id,
      version,
      term,
      reports_jobs: true,
      reports_placements: true,
      ...(readsPodLogs ? { reads_pod_logs: true } : {}),
      ...(readsVolumes ? { reads_volumes: true } : {}),
    };
  }

  readers(): ReaderStatePart[] {
    const { state, detail } = this.#metrics;
    const account = { service_account: this.#serviceAccount };
    return [
      ...[...this.reflectors, ...(this.#options.customReaders?.() ?? [])].map(({ name, needs, status, leftOut }) => ({
        name,
        state: status.state,
        detail: status.detail,
        since: status.since / 1000,
        needs,
        ...account,
        ...(leftOut.length > 0 ? { left_out: leftOut } : {}),
      })),
      {
        name: 'metrics.k8s.io',
        state,
        detail,
        since: this.#metricsSince / 1000,
        needs: metricsServerNeeds,
        ...account,
      },
      ...(this.#prometheus ? [this.#prometheus.reader] : []),
    ];
  }

  /** A resource the cluster does not have is covered: there is nothing of it. */
  covers(): ListedKind[] {
    const kinds: Record<ListedKind, string[]> = {
      nodes: [nodes.name],
      pods: [pods.name],
      workloads: WORKLOADS.map(([{ name }]) => name),
      volumes: [volumes.name],
    };
    return LISTED_KINDS.filter((kind) => this.#isWhole(...kinds[kind]));
  }

  coversDescribed(): DescribedKind[] {
    return this.state.described.resources.filter(({ name }) => this.#isWhole(name)).map(({ kind }) => kind);
  }

  #isWhole(...names: string[]): boolean {
    return this.reflectors
      .filter(({ name }) => names.includes(name))
      .every(({ counts, status }) => counts.lists > 0 && (status.state === 'ok' || status.state === 'absent'));
  }

  async #firstListing(signal: AbortSignal): Promise<void> {
    const { timing, log } = this.#options;
    const { quietMs, mostMs } = FIRST_LISTING;
    const startedAt = timing.now();
    let listed = { pages: 0, at: startedAt };
    while (!signal.aborted) {
      const starting = this.reflectors.filter(({ status }) => status.state === 'starting');
      if (starting.length === 0) return;
      const now = timing.now();
      const pages = this.reflectors.reduce((sum, { counts }) => sum + counts.pages, 0);
      if (pages > listed.pages) listed = { pages, at: now };
      if (now - listed.at >= quietMs || now - startedAt >= mostMs) {
        const missing = starting.map(({ name }) => name).join(' ');
        return log('warn', 'reporting without some resources', { missing });
      }
      await timing.wait(LOOK_AGAIN_MS, signal);
    }
  }

  /** Reads metrics-server first, then Prometheus for the nodes it lacks. */
  async #readUsage(signal: AbortSignal): Promise<UsageItem[]> {
    const { connection, timing, log } = this.#options;
    const where = this.state.podsByName();
    const reading = await readMetricsServer(connection, (key) => where.get(key));
    if (reading.state !== this.#metrics.state) {
      this.#metricsSince = timing.now();
      log(reading.state === 'ok' ? 'info' : 'warn', 'metrics.k8s.io', { state: reading.state, detail: reading.detail });
    }
    this.#metrics = reading;
    const told = new Set(reading.usage.flatMap((item) => (item.cpu_cores === null ? [] : [item.node_name])));
    const untold = [...this.state.nodes.objects.values()].filter(({ name }) => !told.has(name));
    return [...reading.usage, ...((await this.#prometheus?.usage(untold, signal)) ?? [])];
  }
}
