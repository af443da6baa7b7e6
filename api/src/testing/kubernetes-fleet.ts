import { POD_PHASES, type PodPhase } from '@plimsoll/contract/rules/kubernetes-limits';
import * as fc from 'fast-check';
import { endOf, item, listing, nodeObject, podObject, SECONDS, type TestCluster } from './kubernetes.ts';

const DAY = 86_400;
export const NODE_NAMES = ['node-1', 'node-2', 'node-3'] as const;
const OWNERS = [
  null,
  { kind: 'Deployment', name: 'web' },
  { kind: 'StatefulSet', name: 'web' },
  { kind: 'Deployment', name: 'api' },
  { kind: 'CronJob', name: 'Nightly' },
] as const;

interface FleetEnd {
  ageSeconds: number;
  restarted: boolean;
  oom: boolean;
}
/**
 * A pod as a test thinks of it. Figures are whole eighths and powers of two: their sums are exact in single precision.
 */
export interface FleetPod {
  /** 0 or 1: which of two clusters. */
  cluster: 0 | 1;
  uid: string;
  namespace: string;
  name: string;
  node: string | null;
  phase: PodPhase;
  owner: { kind: string; name: string } | null;
  ageSeconds: number;
  restartCount: number;
  cpuRequest: number | null;
  memoryLimit: number | null;
  memoryRequest: number | null;
  usage: { ageSeconds: number; cpuCores: number | null; memoryBytes: number | null } | null;
  ends: FleetEnd[];
  /** It was there and is not any more. */
  gone: boolean;
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { freq: 3 });
const megabytes = fc.integer({ min: 1, max: 8 }).map((n) => n * 2 ** 20);
/** Few different values, so that ties happen; the edges of buckets and windows among them. */
const pod: fc.Arbitrary<Omit<FleetPod, 'uid' | 'name'>> = fc.record({
  cluster: fc.constantFrom(0, 1),
  namespace: fc.constantFrom('shop', 'data', 'kube-system'),
  node: maybe(fc.constantFrom(...NODE_NAMES)),
  phase: fc.constantFrom(...POD_PHASES),
  owner: fc.constantFrom(...OWNERS),
  ageSeconds: fc.constantFrom(0, 3599, 3600, 86_399, 86_400, 604_800, 2_591_999, 2_592_000, 9_000_000),
  restartCount: fc.integer({ min: 0, max: 3 }),
  cpuRequest: maybe(fc.integer({ min: 1, max: 8 }).map((n) => n / 8)),
  memoryLimit: maybe(megabytes),
  memoryRequest: maybe(megabytes),
  usage: maybe(
    fc.record({
      ageSeconds: fc.constantFrom(0, 60, 179, 180, 600),
      cpuCores: maybe(fc.integer({ min: 0, max: 4 }).map((n) => n / 8)),
      memoryBytes: maybe(megabytes),
    }),
  ),
  ends: fc.array(
    fc.record({
      ageSeconds: fc.constantFrom(5, 3600, DAY - 1, DAY, 3 * DAY),
      restarted: fc.boolean(),
      oom: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  gone: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
});

/** Up to `most` pods of two clusters, named so that case and digits matter to a search and an order. */
export const fleets = (most: number): fc.Arbitrary<FleetPod[]> =>
  fc.array(pod, { maxLength: most }).map((pods) =>
    pods.map((one, index) => ({
      ...one,
      uid: `pod-${String(index).padStart(3, '0')}`,
      name: `${one.owner?.name.toLowerCase() ?? 'lone'}-${String(index)}`,
    })),
  );

const objectOf = (one: FleetPod) =>
  podObject(one.name, {
    uid: one.uid,
    namespace: one.namespace,
    node_name: one.node,
    phase: one.phase,
    owner: one.owner,
    created_at: SECONDS - one.ageSeconds,
    restart_count: one.restartCount,
    requests: { cpu_cores: one.cpuRequest, memory_bytes: one.memoryRequest },
    limits: { cpu_cores: null, memory_bytes: one.memoryLimit },
    containers: [],
  });

/** Writes the pods of one cluster as its collector would: all of them, then that some are gone. */
export async function writeFleet(cluster: TestCluster, pods: readonly FleetPod[]): Promise<void> {
  const ends = pods.flatMap((one) =>
    one.ends.map(({ ageSeconds, restarted, oom }, run) =>
      endOf(objectOf(one), run, { restarted, at: SECONDS - ageSeconds, reason: oom ? 'OOMKilled' : 'Error' }),
    ),
  );
  const usage = pods.flatMap(({ uid, usage: used }) =>
    used === null
      ? []
      : [
          {
            node_name: NODE_NAMES[0],
            measured_at: SECONDS - used.ageSeconds,
            window_seconds: 15,
            cpu_cores: 1,
            memory_working_set_bytes: 1,
            pods: [{ uid, cpu_cores: used.cpuCores, memory_working_set_bytes: used.memoryBytes }],
          },
        ],
  );
  const nodes = NODE_NAMES.map((name) => nodeObject(name));
  await cluster.write(listing({ nodes, pods: pods.map(objectOf), ends }));
  await cluster.write(...usage.map((one) => item({ usage: [one] })));
  const gone = pods.filter((one) => one.gone).map(({ uid }) => uid);
  await cluster.write(item({ deleted: { nodes: [], pods: gone, workloads: [], volumes: [] } }));
}
