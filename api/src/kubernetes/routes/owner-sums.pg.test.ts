/** GET /api/kubernetes/owners: sums of workloads and namespaces. */
import type { OwnersAnswer } from '@plimsoll/contract/wire/kubernetes';
import { beforeEach, expect, test } from 'vitest';
import { testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import * as kube from '../../testing/kubernetes.ts';
import { testStorage } from '../../testing/postgres.ts';
import { reportingCluster } from '../../testing/reporting-cluster.ts';

const db = testStorage();
const MB = 2 ** 20;
let app: TestApp;
let user: TestUser;

const amounts = (cpu: number | null, megabytes: number | null) => ({
  cpu_cores: cpu,
  memory_bytes: megabytes === null ? null : megabytes * MB,
});

beforeEach(async () => {
  app = testApp(db.storage());
  app.clock.ms = kube.NOW;
  user = await app.newUser();
  const cluster = await reportingCluster(app, user);
  const api = { kind: 'Deployment', name: 'api' };
  await cluster.report([
    kube.listing({
      pods: [
        cluster.pod('api-1', { owner: api, requests: amounts(0.5, 128), limits: amounts(1, 256) }),
        cluster.pod('api-2', { owner: api, requests: amounts(0.5, 128), limits: amounts(null, 256) }),
        cluster.pod('done', { owner: api, phase: 'Succeeded', requests: amounts(8, 9000), limits: amounts(8, 9000) }),
        cluster.pod('db-0', { owner: { kind: 'StatefulSet', name: 'db' }, requests: amounts(null, 512) }),
        cluster.pod('other', { namespace: 'data', owner: null }),
      ],
    }),
  ]);
});
const get = (query: string, who: TestUser = user) => app.call('GET', `/api/kubernetes/owners?${query}`, who);
const owners = async (query: string) => ((await get(query)).json.data as unknown as OwnersAnswer).owners;

test('a workload has the requests and limits of its unfinished pods, and says how many have none', async () => {
  expect(await owners('owner_kind=Deployment')).toMatchObject([
    {
      owner_name: 'api',
      pods: 3,
      requests: { cpu_cores: 1, memory_mb: 256 },
      limits: { cpu_cores: 1, memory_mb: 512 },
      without_cpu_limit: 1,
      without_memory_limit: 0,
    },
  ]);
});

test('a namespace sums all its pods and has no owner', async () => {
  const sums = await owners('by=namespace&sort=namespace');
  expect(sums.map(({ namespace, owner_kind: kind, pods }) => [namespace, kind, pods])).toEqual([
    ['data', null, 1],
    ['shop', null, 4],
  ]);
  expect(sums[1]).toMatchObject({ requests: { cpu_cores: 1, memory_mb: 768 }, without_memory_limit: 1 });
  expect(sums[0]?.requests).toEqual({ cpu_cores: null, memory_mb: null });
});

test('a bad grouping is named; another account sees none of it', async () => {
  const bad = await get('by=colour');
  expect([bad.status, bad.json.detail]).toEqual([400, expect.stringContaining('by')]);
  const other = await app.newUser();
  expect(((await get('by=namespace', other)).json.data as unknown as OwnersAnswer).owners).toEqual([]);
});
