/** The machines of the demo: 22 hosts and 8 Kubernetes nodes in 6 regions. */

/** The work of a machine, which decides the shape of its figures. */
export type DemoRole = 'web' | 'database' | 'cache' | 'queue' | 'logs' | 'batch' | 'build' | 'backup' | 'edge' | 'node';

export interface DemoHost {
  name: string;
  role: DemoRole;
  region: string;
  cores: number;
  memoryGb: number;
  storageGb: number;
  tags: Readonly<Record<string, string>>;
  /** Makes the noise of each host its own. */
  seed: number;
  /** Set on a Kubernetes node. */
  cluster: string | null;
}

/** Hours that local time is ahead of UTC: load follows the working day of each region. */
export const REGION_HOURS: Readonly<Record<string, number>> = {
  'eu-central-1': 1,
  'eu-west-1': 0,
  'us-east-1': -5,
  'ap-southeast-1': 8,
  'sa-east-1': -3,
  'ap-southeast-2': 10,
};

type Row = [name: string, role: DemoRole, region: string, cores: number, memoryGb: number, storageGb: number];
const HOSTS: readonly Row[] = [
  ['web-fra-01', 'web', 'eu-central-1', 8, 32, 200],
  ['web-fra-02', 'web', 'eu-central-1', 8, 32, 200],
  ['web-fra-03', 'web', 'eu-central-1', 8, 32, 200],
  ['db-fra-01', 'database', 'eu-central-1', 16, 128, 2000],
  ['db-fra-02', 'database', 'eu-central-1', 16, 128, 2000],
  ['cache-fra-01', 'cache', 'eu-central-1', 4, 64, 100],
  ['logs-fra-01', 'logs', 'eu-central-1', 8, 32, 1000],
  ['web-dub-01', 'web', 'eu-west-1', 8, 32, 200],
  ['web-dub-02', 'web', 'eu-west-1', 8, 32, 200],
  ['queue-dub-01', 'queue', 'eu-west-1', 8, 32, 300],
  ['backup-dub-01', 'backup', 'eu-west-1', 4, 16, 8000],
  ['web-iad-01', 'web', 'us-east-1', 8, 32, 200],
  ['web-iad-02', 'web', 'us-east-1', 8, 32, 200],
  ['api-iad-01', 'web', 'us-east-1', 8, 32, 200],
  ['db-iad-01', 'database', 'us-east-1', 16, 128, 2000],
  ['web-sin-01', 'web', 'ap-southeast-1', 8, 32, 200],
  ['batch-sin-01', 'batch', 'ap-southeast-1', 16, 64, 500],
  ['web-gru-01', 'web', 'sa-east-1', 4, 16, 100],
  ['edge-gru-01', 'edge', 'sa-east-1', 2, 4, 40],
  ['web-syd-01', 'web', 'ap-southeast-2', 8, 32, 200],
  ['batch-syd-01', 'batch', 'ap-southeast-2', 16, 64, 500],
  ['build-syd-01', 'build', 'ap-southeast-2', 12, 48, 500],
];

export const CLUSTERS = [
  { name: 'prod-fra', region: 'eu-central-1', uid: 'demo-prod-fra' },
  { name: 'prod-iad', region: 'us-east-1', uid: 'demo-prod-iad' },
] as const;
const NODES_A_CLUSTER = 4;

const host = ([name, role, region, cores, memoryGb, storageGb]: Row, index: number): DemoHost => ({
  name,
  role,
  region,
  cores,
  memoryGb,
  storageGb,
  tags: { env: role === 'build' ? 'ci' : 'prod', team: role === 'database' ? 'data' : 'platform' },
  seed: index + 1,
  cluster: null,
});

const nodes = CLUSTERS.flatMap(({ name, region }, at) =>
  Array.from({ length: NODES_A_CLUSTER }, (_, index): DemoHost => ({
    ...host([`${name}-${String(index + 1)}`, 'node', region, 8, 32, 200], 100 + at * 10 + index),
    cluster: name,
  })),
);

export const FLEET: readonly DemoHost[] = [...HOSTS.map(host), ...nodes];

export const NODE_POOLS = ['general', 'batch'] as const;
/** Each pool has half of the nodes of a cluster. */
export const nodePoolOf = ({ seed }: DemoHost): string => NODE_POOLS[seed % NODE_POOLS.length] ?? NODE_POOLS[0];
