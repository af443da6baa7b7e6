import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Dashboard } from './testing/dashboard.ts';
import { NAMESPACE, install, remove } from './testing/install.ts';
import { removePrometheus, startPrometheus } from './testing/prometheus.ts';
import { kubectl, list, until } from './testing/release.ts';

/** Namespace of Prometheus, which ran before Plimsoll was installed. */
const MONITORING = 'monitoring';
const WORKLOADS = 'before-us';
const IMAGE = process.env.PLIMSOLL_TEST_IMAGE ?? '';
const HISTORY_STEP_MS = 300_000;
let dashboard: Dashboard;
let installedAt: number;

const crashing = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'crashes', namespace: WORKLOADS },
  spec: {
    selector: { matchLabels: { app: 'crashes' } },
    template: {
      metadata: { labels: { app: 'crashes' } },
      spec: {
        terminationGracePeriodSeconds: 1,
        containers: [
          {
            name: 'main',
            image: IMAGE,
            imagePullPolicy: 'IfNotPresent',
            command: ['/bin/sh', '-c', 'sleep 1; exit 3'],
          },
        ],
      },
    },
  },
};

/** Queries Prometheus itself, through the API server's proxy. */
const ask = (query: string): { value: [number, string] }[] =>
  (
    JSON.parse(
      kubectl([
        'get',
        '--raw',
        `/api/v1/namespaces/${MONITORING}/services/prometheus:9090/proxy/api/v1/query?query=${encodeURIComponent(query)}`,
      ]),
    ) as { data: { result: { value: [number, string] }[] } }
  ).data.result;

beforeAll(async () => {
  kubectl(['create', 'namespace', MONITORING]);
  startPrometheus(MONITORING, process.env.PLIMSOLL_TEST_PROMETHEUS ?? '');
  kubectl(['create', 'namespace', WORKLOADS]);
  kubectl(['apply', '-f', '-'], { input: JSON.stringify(crashing) });
  await until('CPU of two nodes and two restarts in Prometheus', 180, () => {
    const nodes = ask('rate(container_cpu_usage_seconds_total{id="/"}[5m])').length;
    const restarts = Number(
      ask(`sum(kube_pod_container_status_restarts_total{namespace="${WORKLOADS}"})`)[0]?.value[1],
    );
    return nodes === 2 && restarts >= 2 ? true : null;
  });
  // History is kept in buckets of five minutes: one has to end before the installation.
  const edge = Math.ceil(Date.now() / HISTORY_STEP_MS) * HISTORY_STEP_MS;
  await until('the edge of a bucket', HISTORY_STEP_MS / 1000 + 5, () => (Date.now() > edge + 1000 ? true : null));
  const there = `prometheus.url=http://prometheus.${MONITORING}.svc:9090`;
  // No node agent: the rungs below have to do.
  ({ dashboard, at: installedAt } = await install(['--set', `${there},nodeAgent.enabled=false`]));
}, 900_000);
afterAll(() => {
  kubectl(['delete', 'namespace', WORKLOADS, MONITORING]);
  removePrometheus(MONITORING);
  remove();
});

interface NodeEntry {
  node_name: string;
  metrics: { cpu_usage: number | null };
  origins: { cpu_usage: { source: string | null; age_seconds: number | null } };
}
interface Point {
  timestamp: number;
  cpu_usage: number | null;
  source?: string;
}
const names = () => list(['nodes']).map(({ metadata }) => metadata.name);

test('the last bucket before the installation is on the chart of every node, marked', async () => {
  for (const name of names()) {
    const told = await until(`history of ${name}`, 120, async () => {
      const { metrics } = await dashboard.get<{ metrics: Point[] }>(
        `/api/kubernetes/nodes/${name}/metrics/history?hours=1`,
      );
      const points = metrics.filter(({ source, cpu_usage }) => source === 'prometheus' && cpu_usage !== null);
      return points.length > 0 ? points : null;
    });
    for (const { timestamp } of told) expect(timestamp * 1000).toBeLessThan(installedAt);
  }
});

test('restarts from before the installation are counted, as many as the cluster counts', async () => {
  interface Pods {
    pods: { restarts_24h: number; restart_count: number; last_restart: { at: string } | null }[];
  }
  const agreed = await until('as many restarts as the cluster counts', 120, async () => {
    const { pods } = await dashboard.get<Pods>(`/api/kubernetes/pods?namespace=${WORKLOADS}`);
    const [pod] = pods;
    return pod && pod.restart_count >= 2 && pod.restarts_24h === pod.restart_count ? pod : null;
  });
  expect(agreed.restarts_24h).toBeGreaterThanOrEqual(2);
});

test('without node agent and metrics-server, Prometheus speaks for nodes and pods', async () => {
  const role = `${NAMESPACE}:plimsoll-cluster-collector`;
  interface Rule {
    apiGroups: string[];
  }
  const { rules } = JSON.parse(kubectl(['get', 'clusterrole', role, '-o', 'json'])) as { rules: Rule[] };
  const patch = (value: Rule[]) => {
    const operations = [{ op: 'replace', path: '/rules', value }];
    kubectl(['patch', 'clusterrole', role, '--type=json', '-p', JSON.stringify(operations)]);
  };
  patch(rules.filter(({ apiGroups }) => !apiGroups.includes('metrics.k8s.io')));
  try {
    const nodes = await until('both nodes by Prometheus', 330, async () => {
      const seen = (await dashboard.get<{ nodes: NodeEntry[] }>('/api/kubernetes/nodes')).nodes;
      return seen.every(({ origins }) => origins.cpu_usage.source === 'prometheus') ? seen : null;
    });
    for (const { metrics, origins } of nodes) {
      expect(metrics.cpu_usage).toBeGreaterThan(0);
      expect(origins.cpu_usage.age_seconds).toBeLessThan(180);
    }
    interface Pods {
      pods: { cpu_usage_cores: number | null; usage_origin: { source: string | null } }[];
    }
    const { pods } = await dashboard.get<Pods>('/api/kubernetes/pods?namespace=kube-system');
    const told = pods.filter(
      ({ usage_origin, cpu_usage_cores }) => usage_origin.source === 'prometheus' && cpu_usage_cores !== null,
    );
    expect(told.length).toBeGreaterThanOrEqual(8);
  } finally {
    patch(rules);
  }
}, 360_000);
