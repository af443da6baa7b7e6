import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { envelope, item, listing, nodeObject, podObject } from '../../../api/src/testing/kubernetes.ts';
import { signIn, startApi, type ApiProcess } from '../faults/api-process.ts';
import { residentBytes } from '../faults/process-memory.ts';
import { linesOf, printLines, repeat, type Run, timed } from './dashboard/timed-calls.ts';

const CLUSTERS = 50;
const SILENT = 5;
const NODES = 100;
const PODS_A_NODE = 20;
const REPORT_MS = 60_000;
/** A cluster is silent after three minutes without a report. */
const SILENT_AFTER_MS = 190_000;
const MIB = 2 ** 20;
const GIB = 2 ** 30;
const REACH_MS = 150;
const BASELINE = '/healthz';

const use = { cpu_cores: 0.25, memory_bytes: 2 ** 27 };

interface Reporting {
  name: string;
  token: string;
}

function nodesOf(cluster: string) {
  return Array.from({ length: NODES }, (_, index) => nodeObject(`${cluster}-node-${String(index)}`));
}

function podsOf(cluster: string, node: number) {
  const nodeName = `${cluster}-node-${String(node)}`;
  return Array.from({ length: PODS_A_NODE }, (_, index) => {
    const owner = { kind: 'Deployment', name: `web-${String(index)}` } as const;
    const name = `${owner.name}-${String(node)}`;
    const namespace = `team-${String(index % 5)}`;
    return podObject(name, {
      uid: `${cluster}-${name}`,
      namespace,
      node_name: nodeName,
      owner,
      requests: use,
      limits: { cpu_cores: 0.5, memory_bytes: 2 ** 28 },
    });
  });
}

async function send(api: ApiProcess, { name, token }: Reporting, reports: object[]): Promise<Response> {
  const at = Date.now() / 1000;
  const head = { ...envelope(`uid-${name}`), sent_at: at };
  const body = { ...head, cluster: { ...head.cluster, name }, reports: reports.map((one) => ({ ...one, ts: at })) };
  return fetch(`${api.url}/api/agent/v1/cluster/reports`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    body: new Uint8Array(gzipSync(JSON.stringify(body))),
  });
}

/** Lists a cluster in items of 1,000 pods, one request each, as its collector does. */
async function list(api: ApiProcess, cluster: Reporting): Promise<void> {
  const whole = listing({ nodes: nodesOf(cluster.name) });
  const half = NODES / 2;
  for (const [first, last] of [
    [0, half],
    [half, NODES],
  ] as const) {
    const isEnd = last === NODES;
    const pods = Array.from({ length: last - first }, (_, index) => podsOf(cluster.name, first + index)).flat();
    const part = { ...whole, ...item({}), pods, nodes: first === 0 ? whole.nodes : [] };
    const { listing: of } = whole;
    const answer = await send(api, cluster, [{ ...part, listing: { ...of, complete: isEnd } }]);
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`a listing of ${cluster.name}: ${String(answer.status)} ${text}`);
  }
}

/** A minute of a cluster: the use of each node and its pods, and one pod that changed. */
function minuteOf({ name }: Reporting, round: number): object[] {
  const now = Date.now() / 1000;
  const usage = Array.from({ length: NODES }, (_, node) => ({
    node_name: `${name}-node-${String(node)}`,
    measured_at: now,
    window_seconds: 30,
    cpu_cores: 1.5,
    memory_working_set_bytes: 4 * GIB,
    pods: podsOf(name, node).map(({ uid }, index) => ({
      uid,
      cpu_cores: ((index + round) % 40) / 100,
      memory_working_set_bytes: ((index + round) % 200) * MIB,
    })),
  }));
  const [changed] = podsOf(name, round % NODES);
  return [item({ usage, pods: changed === undefined ? [] : [{ ...changed, restart_count: round }] })];
}

const pagesOf = (): [string, number][] => [
  ['/api/kubernetes/clusters/states', 2000],
  ['/api/kubernetes/clusters', 2000],
  ['/api/kubernetes/cluster/overview', 3000],
  ['/api/kubernetes/pods?limit=50', 3000],
  ['/api/kubernetes/pods?search=web-7&limit=50', 5000],
  ['/api/kubernetes/owners?limit=100', 5000],
  ['/api/kubernetes/nodes?limit=100', 5000],
  [BASELINE, 500],
];

export const help = `50 clusters of 100 nodes and 2,000 pods that report each minute as their collectors do, 5 of them silent after their
listing, while a browser has the pages of clusters open. The baseline is /healthz in the same run.
Reach: p95 150 ms, the API at most 400 MB more than before, the silent ones marked, and no other.
  --seconds N  how long to measure, once the silent ones are silent (default 180)`;

export async function main(argv: readonly string[]): Promise<void> {
  const seconds = Number(argv[argv.indexOf('--seconds') + 1 || argv.length] ?? 180);
  console.error(`load before: ${loadavg()[0]?.toFixed(1) ?? '?'}`);
  const api = await startApi();
  try {
    const session = await signIn(api.url);
    const asUser = { authorization: `Bearer ${session}`, 'accept-encoding': 'gzip' };
    const clusters: Reporting[] = [];
    for (let index = 0; index < CLUSTERS; index += 1) {
      const name = `c${String(index).padStart(2, '0')}`;
      const answer = await fetch(`${api.url}/api/user/cluster-tokens`, {
        method: 'POST',
        headers: { ...asUser, 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      });
      const { data } = (await answer.json()) as { data: { token: string } };
      clusters.push({ name, token: data.token });
    }
    await delay(5000);
    const before = residentBytes(api.pid());
    const begun = performance.now();
    for (const cluster of clusters) await list(api, cluster);
    console.error(`listed in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    const start = performance.now() + SILENT_AFTER_MS;
    const run: Run = {
      until: start + seconds * 1000,
      times: new Map(),
      measures: () => performance.now() >= start,
      refused: 0,
    };
    let most = 0;
    const watching = setInterval(() => {
      most = Math.max(most, residentBytes(api.pid()));
    }, 500);
    await Promise.all([
      ...clusters
        .slice(SILENT)
        .map((one) =>
          repeat(run, REPORT_MS, (round) => timed(run, 'a report', () => send(api, one, minuteOf(one, round)))),
        ),
      ...pagesOf().map(([path, everyMs]) =>
        repeat(run, everyMs, () => timed(run, path, () => fetch(api.url + path, { headers: asUser }))),
      ),
    ]);
    clearInterval(watching);
    const answer = await fetch(`${api.url}/api/kubernetes/clusters/states`, { headers: asUser });
    const { data } = (await answer.json()) as { data: { clusters: { name: string; silent: boolean }[] } };
    const silent = data.clusters.filter((one) => one.silent).map(({ name }) => name);
    if (run.refused > 0) console.error(`refused with 503: ${String(run.refused)}`);
    printLines(linesOf(run.times), { baseline: BASELINE, reachMs: REACH_MS });
    console.log(
      `memory of the API: ${(before / MIB).toFixed(0)} MB before, at most ${((most - before) / MIB).toFixed(0)} MB more`,
    );
    console.log(`silent: ${silent.toSorted().join(', ')}`);
  } finally {
    await api.remove();
  }
}
