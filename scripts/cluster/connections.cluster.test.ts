import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Opened,
  type PlacedPod,
  type Policy,
  allowing,
  recordConnections,
  recordedConnections,
  stopRecording,
} from './testing/connections.ts';
import type { Dashboard } from './testing/dashboard.ts';
import { NAMESPACE, RELEASE, install, remove } from './testing/install.ts';
import { type KubernetesObject, helm, kubectl, list, until } from './testing/release.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  recordConnections();
  const egress = 'networkPolicy.egress.enabled=true,clusterCollector.podLogs=true';
  const fast = 'api.extraEnv[0].name=PLIMSOLL_REPORT_INTERVAL_SECONDS,api.extraEnv[0].value=5';
  ({ dashboard } = await install(['--set', egress, '--set-string', fast]));
});
afterAll(() => {
  stopRecording();
  remove();
});

interface Service extends KubernetesObject {
  spec: { clusterIP?: string };
}
interface Nodes {
  nodes: { agent: { kubelet_state: string } | null }[];
}

/** This cluster's network plugin enforces no policy: so what was connected is compared with what the policies allow. */
test('the policies allow each connection of our pods, and each of their rules was used', async () => {
  await until('every kubelet read', 150, async () => {
    const { nodes } = await dashboard.get<Nodes>('/api/kubernetes/nodes');
    return nodes.length === 2 && nodes.every(({ agent }) => agent?.kubelet_state === 'ok') ? true : null;
  });
  helm(['test', RELEASE, '-n', NAMESPACE, '--timeout', '170s']);
  const metrics = `/api/v1/namespaces/${NAMESPACE}/services/plimsoll-api-metrics:metrics/proxy/metrics`;
  expect(kubectl(['get', '--raw', metrics])).toContain('plimsoll_http_request_seconds');
  const policies = list<Policy>(['networkpolicies', '-n', NAMESPACE]);
  const everywhere = list<PlacedPod>(['pods', '-A']).filter(({ spec }) => spec.hostNetwork !== true);
  const podAt = (address: string) => everywhere.find(({ status }) => status.podIP === address);
  const isOurs = (pod: PlacedPod | undefined): pod is PlacedPod => pod?.metadata.namespace === NAMESPACE;
  const used = new Set<object>();
  const refused: string[] = [];
  const judge = (opened: Opened, own: PlacedPod, direction: 'ingress' | 'egress') => {
    const peer = podAt(direction === 'egress' ? opened.to : opened.from);
    const rules = allowing(policies, { own, peer, direction }, opened);
    // Kubelets probe from the node; every plugin allows that.
    if (rules?.length === 0 && (direction === 'egress' || peer !== undefined))
      refused.push(`${direction} ${own.metadata.name}: ${opened.from} → ${opened.to}:${String(opened.port)}`);
    for (const rule of rules ?? []) used.add(rule);
  };
  // A Service without a ready pod translates nothing: who asks it then reaches nobody.
  const services = new Set(list<Service>(['services', '-A']).map(({ spec }) => spec.clusterIP));
  const all = recordedConnections().filter(({ to }) => !services.has(to));
  for (const opened of all) {
    const [source, target] = [podAt(opened.from), podAt(opened.to)];
    if (isOurs(source)) judge(opened, source, 'egress');
    if (isOurs(target)) judge(opened, target, 'ingress');
  }
  expect(refused).toEqual([]);
  const unused = policies.flatMap(({ metadata, spec }) =>
    [...(spec.egress ?? []), ...(spec.ingress ?? [])]
      .filter((rule) => !used.has(rule))
      .map((rule) => `${metadata.name} ${JSON.stringify(rule)}`),
  );
  // The API calls nobody until a channel is set up.
  expect(unused).toEqual(['plimsoll-api {}']);
  console.log(`${String(all.length)} connections on two nodes`);
}, 400_000);
