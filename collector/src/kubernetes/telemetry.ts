import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { ClusterCollector } from './report/cluster-collector.ts';
import type { Connection } from './watch/connection.ts';

/** Data of the endpoints; `collector` is null while another replica leads. */
export interface Observed {
  connection: Connection;
  collector: ClusterCollector | null;
  leading: boolean;
  /** Seconds since the election loop last turned; it turns every two. */
  loopAgeSeconds(): number;
}

/** An election loop that has not turned for so long hangs: the kubelet restarts us. */
const HUNG_AFTER_SECONDS = 60;

/** Serves /metrics, /healthz (alive) and /readyz (leads with all resources listed, or stands by). */
export function serveTelemetry(observed: Observed, port: number): Promise<Server> {
  const registry = newRegistry(observed);
  let collectsProcess = false;
  const server = createServer((request, answer) => {
    const path = (request.url ?? '/').split('?', 1)[0];
    if (path === '/metrics') {
      if (!collectsProcess) collectProcessMetrics(registry);
      collectsProcess = true;
      void registry.metrics().then((text) => answer.setHeader('content-type', registry.contentType).end(text));
      return;
    }
    const check = path === '/healthz' ? isAlive(observed) : path === '/readyz' ? isReady(observed) : null;
    answer.writeHead(check === null ? 404 : check ? 200 : 503, { 'content-type': 'text/plain' });
    answer.end(check === null ? 'not found\n' : check ? 'ok\n' : 'not ok\n');
  });
  server.headersTimeout = 5000;
  server.requestTimeout = 5000;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => resolve(server));
  });
}

const isAlive = (observed: Observed): boolean => observed.loopAgeSeconds() < HUNG_AFTER_SECONDS;
const isReady = (observed: Observed): boolean =>
  isAlive(observed) &&
  (!observed.leading || (observed.collector?.reflectors.every(({ status }) => status.state !== 'starting') ?? false));

/** Begins when somebody reads them: measuring how late the event loop is wakes the process a hundred times a second. */
function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  // Gauges whose names end as a counter's; promtool rejects them. The same figures by type stay.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`);
}

function newRegistry(observed: Observed): Registry {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge('plimsoll_cluster_leading', '1 while this replica leads', () => (observed.leading ? 1 : 0));
  gauge(
    'plimsoll_cluster_api_requests',
    'Requests to the API server since the start',
    () => observed.connection.requests,
  );
  gauge('plimsoll_cluster_pods', 'Pods in the projection', () => observed.collector?.state.pods.objects.size ?? 0);
  gauge('plimsoll_cluster_nodes', 'Nodes in the projection', () => observed.collector?.state.nodes.objects.size ?? 0);
  gauge(
    'plimsoll_cluster_delivered_timestamp_seconds',
    'When the last report was accepted, 0 never',
    () => (observed.collector?.reporter?.deliveredAt ?? 0) / 1000,
  );
  gauge(
    'plimsoll_cluster_report_failures',
    'Requests to the dashboard that failed',
    () => observed.collector?.reporter?.counts.failures ?? 0,
  );
  perResource(registers, observed);
  return registry;
}

/** lists, watches, events, brokenLines, unreadable and failures of each reflector, and whether it is well. */
function perResource(registers: Registry[], observed: Observed): void {
  const labelNames = ['resource', 'what'] as const;
  const counts = new Gauge({
    name: 'plimsoll_cluster_reflector',
    help: 'Events of the reflector of each resource since this replica leads',
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const { name, counts: own, status } of observed.collector?.reflectors ?? []) {
        for (const [what, count] of Object.entries(own)) this.set({ resource: name, what }, count);
        this.set({ resource: name, what: 'ok' }, status.state === 'ok' ? 1 : 0);
      }
    },
  });
  counts.reset();
}
