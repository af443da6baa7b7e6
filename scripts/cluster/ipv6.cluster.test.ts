import { isIPv6 } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Dashboard } from './testing/dashboard.ts';
import { NAMESPACE, RELEASE, install, remove } from './testing/install.ts';
import { type KubernetesObject, helm, list, until } from './testing/release.ts';

/** Every Service has an address of IPv6 alone, so nothing of the release can reach another part by IPv4. */
let dashboard: Dashboard;

beforeAll(async () => {
  ({ dashboard } = await install(['--set', 'service.ipFamilyPolicy=SingleStack,service.ipFamilies={IPv6}']));
});
afterAll(remove);

interface Service extends KubernetesObject {
  spec: { clusterIPs: string[] };
}
interface Slice extends KubernetesObject {
  addressType: string;
  endpoints: { addresses: string[]; conditions: { ready: boolean } }[];
}

test('each Service has one address, of IPv6, and the API is ready behind it', () => {
  const services = list<Service>(['services', '-n', NAMESPACE]);
  expect(services.length).toBeGreaterThan(0);
  for (const { metadata, spec } of services)
    expect([metadata.name, spec.clusterIPs.map((address) => isIPv6(address) || address)]).toEqual([
      metadata.name,
      [true],
    ]);
  const slices = list<Slice>(['endpointslices', '-n', NAMESPACE, '-l', 'kubernetes.io/service-name=plimsoll-api']);
  expect(slices.map(({ addressType }) => addressType)).toEqual(['IPv6']);
  expect(slices[0]?.endpoints.map(({ conditions }) => conditions.ready)).toEqual([true]);
});

interface Nodes {
  nodes: { agent: { last_seen_at: string | null } | null; metrics: { cpu_usage: number | null } }[];
}

test('both nodes report their figures over it', async () => {
  expect(dashboard.url).toMatch(/^http:\/\/\[[0-9a-f:]+\]:\d+$/);
  const nodes = await until('figures of two nodes', 150, async () => {
    const seen = await dashboard.get<Nodes>('/api/kubernetes/nodes');
    const known = seen.nodes.filter(({ metrics, agent }) => metrics.cpu_usage !== null && agent?.last_seen_at);
    return known.length === 2 ? known : null;
  });
  for (const { metrics } of nodes) expect(metrics.cpu_usage).toBeGreaterThan(0);
});

test('helm test: the API, its database and every node', () => {
  const output = helm(['test', RELEASE, '-n', NAMESPACE, '--timeout', '170s']);
  expect(output.match(/Phase: +Succeeded/g)).toHaveLength(2);
});
