import { CLUSTERS, FLEET, type DemoHost } from './fleet.ts';
import { noise } from './figures.ts';
import { CRASHING, type Stories } from './stories.ts';

export type Cluster = (typeof CLUSTERS)[number];
export type Workload = [namespace: string, name: string, replicas: number, cores: number, memoryMb: number];
/** 200 pods a cluster. */
export const WORKLOADS: readonly Workload[] = [
  ['shop', 'frontend', 24, 0.12, 180],
  ['shop', 'catalog', 18, 0.1, 420],
  ['shop', 'cart', 12, 0.06, 160],
  ['shop', 'checkout', 8, 0.08, 240],
  ['shop', 'recommendations', 14, 0.12, 380],
  ['payments', 'gateway', 12, 0.07, 220],
  ['payments', 'ledger', 8, 0.06, 360],
  ['payments', 'fraud', 6, 0.16, 520],
  ['search', 'query', 14, 0.14, 400],
  ['search', 'indexer', 6, 0.18, 640],
  ['messaging', 'broker', 6, 0.1, 480],
  ['messaging', 'mailer', 10, 0.02, 90],
  ['identity', 'accounts', 10, 0.05, 170],
  ['identity', 'sessions', 8, 0.03, 110],
  ['platform', 'ingress', 8, 0.1, 140],
  ['platform', 'cert-manager', 3, 0.01, 60],
  ['platform', 'external-dns', 2, 0.01, 40],
  ['monitoring', 'prometheus', 2, 0.2, 900],
  ['monitoring', 'exporter', 16, 0.01, 30],
  ['kube-system', 'coredns', 5, 0.02, 50],
  ['kube-system', 'proxy', 8, 0.01, 40],
];
export const CRASHING_PODS = 3;

export const nodesOf = (cluster: Cluster): readonly DemoHost[] => FLEET.filter((host) => host.cluster === cluster.name);

export interface DemoPod {
  uid: string;
  namespace: string;
  workload: string;
  name: string;
  node: string;
  cores: number;
  memoryMb: number;
  limitMb: number;
  /** Set on a pod of the crashing image. */
  crashes: boolean;
}

export const isCrashing = (cluster: Cluster, [namespace, name]: Workload): boolean =>
  cluster.name === CRASHING.cluster && namespace === CRASHING.namespace && name === CRASHING.name;
const suffix = (seed: number): string =>
  Math.floor(noise(seed, 7) * 36 ** 5)
    .toString(36)
    .padStart(5, '0');

/** The pods of a cluster at a moment: a deployment that crashes keeps most of its old pods. */
export function podsOf(cluster: Cluster, at: number, stories: Stories): DemoPod[] {
  const nodes = nodesOf(cluster);
  // Keeps the pod names of the clusters apart.
  const serialOf = CLUSTERS.indexOf(cluster) * 1_000_000;
  let serial = 0;
  return WORKLOADS.flatMap((workload, row) => {
    const [namespace, name, replicas, cores, memoryMb] = workload;
    const broken = isCrashing(cluster, workload) && at >= stories.deployedAt ? CRASHING_PODS : 0;
    return Array.from({ length: replicas }, (_, index): DemoPod => {
      const crashes = index < broken;
      const set = suffix(row * 97 + (crashes ? 5000 : 0) + serialOf);
      serial += 1;
      const pod = `${name}-${set}-${suffix(row * 1000 + index + (crashes ? 90_000 : 0) + serialOf)}`;
      return {
        uid: `${cluster.uid}-${pod}`,
        namespace,
        workload: name,
        name: pod,
        node: nodes[serial % nodes.length]?.name ?? '',
        cores: cores * (0.7 + noise(serial, 1) * 0.6),
        memoryMb: memoryMb * (0.8 + noise(serial, 2) * 0.4),
        limitMb: crashes ? 256 : Math.ceil((memoryMb * 1.6) / 64) * 64,
        crashes,
      };
    });
  });
}
