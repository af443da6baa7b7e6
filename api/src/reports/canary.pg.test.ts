import { clusterEnvelope, clusterItem } from '@plimsoll/contract/wire/cluster-report';
import { reportEnvelope, reportItem } from '@plimsoll/contract/wire/report';
import { expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { filledSchema, type Filling } from '@plimsoll/contract/testing/filled-schema';
import * as kube from '../testing/kubernetes.ts';
import { testStorage } from '../testing/postgres.ts';
import { reportingCluster } from '../testing/reporting-cluster.ts';
import { tablesWith } from '../testing/tables.ts';

const db = testStorage();
const CANARY = 'Cnry7x';
/** Ways in which a secret stands in a text; each fits into the shortest text that could hold one. */
const CARRIERS = [`pw=${CANARY}`, `--pw ${CANARY}`, `x://u:${CANARY}@h`, `pwd: ${CANARY}`];

/**
 * Fields that identify an object. Everything else must not show the canary; a new field is checked without a change
 * here.
 */
const IDENTIFIERS: Record<string, string> = {
  boot_id: 'boot-1',
  'events.id': 'e1',
  'containers.id': 'c1',
  'kubernetes.node_name': 'node-1',
  'kubernetes.kubelet.name': 'kubelet',
  'kubernetes.pods.uid': 'pod-1',
  'kubernetes.pods.namespace': 'shop',
  'kubernetes.pods.name': 'pod-1',
  'kubernetes.pods.containers.name': 'web',
  'kubernetes.volumes.namespace': 'shop',
  'kubernetes.volumes.claim': 'claim',
  // One letter, which no secret fits into.
  'processes.status': 'S',
};
const CLUSTER_IDENTIFIERS: Record<string, string> = {
  'listing.id': '0'.repeat(32),
  'nodes.uid': 'node-uid',
  'nodes.name': 'node-1',
  'nodes.boot_id': 'boot-1',
  'pods.uid': 'pod-1',
  'pods.namespace': 'shop',
  'pods.name': 'pod-1',
  'pods.node_name': 'node-1',
  'pods.owner.kind': 'Deployment',
  'pods.owner.name': 'web',
  'pods.containers.name': 'web',
  'pods.claims': 'claim',
  'pods.placement': 'aaaaaaaaaaaa',
  'placements.hash': 'aaaaaaaaaaaa',
  'placements.node_affinity.labels': 'zone in (a)',
  'placements.node_affinity.fields': 'metadata.name in (node-1)',
  'placements.pod_affinity.selector': 'app in (web)',
  'placements.pod_affinity.namespaces': 'shop',
  'placements.pod_affinity.namespace_selector': 'team',
  'placements.pod_anti_affinity.selector': 'app in (web)',
  'placements.pod_anti_affinity.namespaces': 'shop',
  'placements.pod_anti_affinity.namespace_selector': 'team',
  'placements.spread.selector': 'app in (web)',
  'volumes.node_affinity.labels': 'zone in (a)',
  'volumes.node_affinity.fields': 'metadata.name in (node-1)',
  'workloads.uid': 'workload',
  'workloads.namespace': 'shop',
  'workloads.name': 'web',
  'volumes.uid': 'volume',
  'volumes.namespace': 'shop',
  'volumes.name': 'claim',
  'events.uid': 'event',
  'events.namespace': 'shop',
  'events.kind': 'Pod',
  'events.name': 'pod-1',
  'events.object_uid': 'pod-1',
  'ends.pod_uid': 'pod-1',
  'ends.namespace': 'shop',
  'ends.pod_name': 'pod-1',
  'ends.node_name': 'node-1',
  'ends.owner.kind': 'Deployment',
  'ends.owner.name': 'web',
  'ends.container': 'web',
  'objects.uid': 'object-1',
  'objects.namespace': 'shop',
  'objects.name': 'web',
  'objects.digest_key': '0'.repeat(8),
  'objects.digests': '0'.repeat(16),
  'usage.node_name': 'node-1',
  'usage.pods.uid': 'pod-1',
  'history.nodes.node_name': 'node-1',
  'history.nodes.pods': 'pod-1',
  'deleted.nodes': 'gone',
  'deleted.pods': 'gone',
  'deleted.workloads': 'gone',
  'deleted.volumes': 'gone',
  'deleted.objects': 'gone',
  'readers.name': 'pods',
};

const numberAt = (path: string): number => {
  const edge = kube.SECONDS - (kube.SECONDS % 300);
  if (path === 'history.from') return edge - 300;
  if (path === 'history.to') return edge;
  return /(?:^|[._])(?:at|ts|since)$/.test(path) ? kube.SECONDS - 1 : 1;
};
const filling = (carrier: string, identifiers: Record<string, string>): Filling => ({
  text: (path) => identifiers[path] ?? carrier,
  key: carrier,
  number: numberAt,
});

test.each(CARRIERS)('no row shows a secret that stands as %s in any text of a report', async (carrier) => {
  const app = testApp(db.storage());
  app.clock.ms = kube.NOW;
  const cluster = await reportingCluster(app, await app.newUser());
  const clusterFilling = filling(carrier, CLUSTER_IDENTIFIERS);
  const head = filledSchema(clusterEnvelope, {
    ...clusterFilling,
    text: (path) => ({ 'cluster.uid': cluster.id, 'collector.id': 'c' })[path] ?? carrier,
  }) as object;
  const { seq, ...item } = filledSchema(clusterItem, clusterFilling) as Record<string, unknown>;
  const reports = [
    { ...item, seq, deleted: undefined },
    { ...item, seq: 2, listing: undefined },
  ];
  const told = await cluster.report(reports, { ...head, reports });
  expect([told.status, told.json]).toMatchObject([200, { accepted: [1, 2], rejected: [] }]);

  const enrolled = await app.call('POST', '/api/agent/v1/nodes/enrol', {
    token: cluster.token,
    body: { node_name: 'node-1', boot_id: 'boot-1', hostname: carrier },
  });
  const agent = enrolled.json as unknown as { server_id: string; agent_token: string };
  const hostFilling = filling(carrier, IDENTIFIERS);
  const envelope = filledSchema(reportEnvelope, {
    ...hostFilling,
    text: (path) => ({ server_id: agent.server_id, stream_id: '0'.repeat(32), boot_id: 'boot-1' })[path] ?? carrier,
  }) as object;
  const stored = await app.call('POST', '/api/agent/v1/reports', {
    token: agent.agent_token,
    body: { ...envelope, sent_at: kube.SECONDS, reports: [filledSchema(reportItem, hostFilling)] },
  });
  expect([stored.status, stored.json]).toMatchObject([200, { rejected: [] }]);

  expect(await tablesWith(db, CANARY)).toEqual([]);
  // Proves that the texts reached the tables.
  expect(await tablesWith(db, '[redacted]')).toEqual(
    expect.arrayContaining([
      'activity_event',
      'cluster',
      'described_object',
      'kube_event',
      'kube_node',
      'kube_placement',
      'kube_pod',
      'dropped_report',
      'server_fact',
      'server_list',
      'server_parts',
    ]),
  );
});
