/** Reports of a cluster and of its nodes lead to causes, over the calls of the product. */
import { expect, it } from 'vitest';
import { testApp } from '../testing/app.ts';
import * as kube from '../testing/kubernetes.ts';
import { testStorage } from '../testing/postgres.ts';
import { answersOf, causesOf } from './testing/answers-of.ts';
import { atRest, program, told } from './testing/reported-host.ts';
import { reportedShop } from './testing/reported-shop.ts';

const db = testStorage();
const MB = 2 ** 20;

async function world() {
  const app = testApp(db.storage());
  app.clock.ms = kube.NOW - 3_600_000;
  const user = await app.newUser();
  const shop = await reportedShop(app, user);
  const web = shop.cluster.pod('web-1');
  return { app, user, shop, web };
}

it('a volume is full, and the pod that mounts it is well', async () => {
  const { app, user, shop } = await world();
  const owner = { kind: 'StatefulSet', name: 'db' };
  const db0 = shop.cluster.pod('db-0', { owner, labels: { app: 'db' }, claims: ['data'] });
  const workloads = [shop.workload('db', 1, { kind: 'StatefulSet' })];
  const volume = {
    namespace: 'shop',
    claim: 'data',
    used_bytes: 97 * MB,
    available_bytes: 3 * MB,
    capacity_bytes: 100 * MB,
  };
  const volumes = [{ ...volume, inodes_used: null, inodes_total: null }];
  await shop.hold(7, { pods: [db0], workloads }, { pods: [db0], part: { volumes } });
  expect(await causesOf(app, user)).toEqual(['shop/data: volume_full: The volume data is 97 % full. | 97 % used']);
});

it('a pod takes the CPU of the machine that has the alert, beside a change of another one', async () => {
  const { app, user, shop, web } = await world();
  const batch = shop.cluster.pod('batch-1', { owner: { kind: 'Deployment', name: 'batch' }, labels: { app: 'batch' } });
  const objects = [shop.object('ConfigMap', 'banner', { 'data.text': 'spring' })];
  const pods = [web, batch];
  const calm = { pods, cores: [0.1, 0.2], host: { processes: [program('python3', 20, shop.now() - 5000)] } };
  await shop.hold(40, { pods, workloads: [shop.workload('web'), shop.workload('batch')], objects }, calm);
  const changed = { objects: [shop.object('ConfigMap', 'banner', { 'data.text': 'summer' })] };
  const processes = [program('python3', 350, shop.now() - 8000)];
  await shop.hold(12, changed, { pods, cores: [0.1, 3.5], host: { ...atRest('node-1', 96), processes } });
  const [found] = await causesOf(app, user);
  expect(found).toMatch(
    /^node-1: noisy_neighbour: shop\/batch-1 takes the CPU of the node node-1.*uses 3\.5 of 4 cores/,
  );
});

it('a node is not ready since its disk fails, and its collector says so', async () => {
  const { app, user, shop, web } = await world();
  const pods = [web];
  await shop.hold(10, { pods, workloads: [shop.workload('web')] }, { pods });
  const since = shop.now();
  const failed = {
    ...told('io_error', since, 'blk_update_request: I/O error, dev sda, sector 1234'),
    process_name: 'sda',
  };
  const message = 'container runtime is down';
  const conditions = [{ type: 'Ready', status: 'False', reason: 'KubeletNotReady', message, since: since + 60 }];
  const nodes = [{ ...shop.cluster.node('node-1'), ready: false, conditions }, shop.cluster.node('node-2')];
  await shop.hold(1, { nodes }, { pods, host: { events: [failed] } });
  await shop.hold(6, {}, { pods });
  const [answered] = await answersOf(app, user);
  expect(answered?.answer).toMatchObject({
    causes: [
      { mechanism: 'reported_failure', finding: 'sda reports errors.', entities: [{ kind: 'disk', name: 'sda' }] },
    ],
    ruled_out: [{ text: 'The node node-1 is not ready.', reason: 'It follows from this: sda reports errors.' }],
  });
  expect(answered?.evidence.missing).toEqual([]);
});

it('the machine of a node without a collector is no server and nothing that could not be read', async () => {
  const { app, user, shop, web } = await world();
  await shop.hold(2, { pods: [web], workloads: [shop.workload('web')] });
  await shop.hold(6, { nodes: [{ ...shop.cluster.node('node-1'), ready: false }, shop.cluster.node('node-2')] });
  const [answered] = await answersOf(app, user);
  expect(answered?.answer.causes).toMatchObject([{ mechanism: 'node_not_ready' }]);
  expect(answered?.evidence).toMatchObject({ servers: [], missing: [] });
});

it('the question about a pod that has crashed for hours finds the rollout that began it', async () => {
  const { app, user, shop } = await world();
  const image = (tag: string) => ({
    objects: [shop.object('Deployment', 'web', { 'containers.app.image': `web:${tag}` })],
  });
  await shop.hold(2, { pods: [], workloads: [shop.workload('web', 0)], ...image('1') });
  const first = shop.now();
  const ends = (count: number) => ({
    restart_count: count,
    last_termination: { reason: 'Error', message: 'panic: no DATABASE_URL', exit_code: 1, finished_at: shop.now() },
  });
  const crashing = (count: number) => {
    const waits = { status: 'waiting', reason: 'CrashLoopBackOff', ready: false, image: 'web:2' } as const;
    const containers = [kube.container({ ...waits, ...ends(count) })];
    return shop.cluster.pod('web-2', { created_at: first, ready: false, restart_count: count, containers });
  };
  const endOf = (count: number) =>
    kube.endOf(crashing(count), count, { at: shop.now(), reason: 'Error', exit_code: 1, memory_limit_bytes: null });
  await shop.hold(1, { ...image('2'), pods: [crashing(1)], ends: [endOf(0)] });
  for (let count = 2; count < 6; count += 1) {
    app.clock.pass(1800);
    await shop.hold(1, { pods: [crashing(count)], ends: [endOf(count - 1)] });
  }
  const explain = { kind: 'pod', namespace: 'shop', pod: 'web-2' };
  const asked = await app.call('POST', '/api/ai/chat', { token: user.token, body: { question: 'Why?', explain } });
  expect(asked.text).toMatch(/Deployment shop\/web fails since its rollout/);
});

it('the pod in question is found among 600 that are well', async () => {
  const { app, user, shop } = await world();
  const others = Array.from({ length: 600 }, (_, index) =>
    shop.cluster.pod(`web-${String(index)}`, { created_at: shop.now() - 60 }),
  );
  const probe = (path: string) => ({
    objects: [shop.object('Deployment', 'zoo', { 'containers.app.readinessProbe': `GET ${path}` })],
  });
  await shop.hold(1, { pods: others, ...probe('/ready') });
  const owner = { kind: 'Deployment', name: 'zoo' };
  const created = { created_at: shop.now(), owner, labels: { app: 'zoo' }, ready: false };
  const zoo = shop.cluster.pod('zoo-1', { ...created, containers: [kube.container({ ready: false })] });
  await shop.hold(1, { pods: [...others, zoo], ...probe('/missing') });
  const explain = { kind: 'pod', namespace: 'shop', pod: 'zoo-1' };
  const asked = await app.call('POST', '/api/ai/chat', { token: user.token, body: { question: 'Why?', explain } });
  expect(asked.text).toMatch(/zoo.*1 of 1 pods are not ready/);
});

it('a rollout that went well is not accused of an alert of the machine that its pod runs on', async () => {
  const { app, user, shop, web } = await world();
  const image = (tag: string) => ({
    objects: [shop.object('Deployment', 'web', { 'containers.app.image': `web:${tag}` })],
  });
  const host = { processes: [program('nginx', 20, shop.now() - 90_000)] };
  await shop.hold(20, { pods: [web], workloads: [shop.workload('web')], ...image('1') }, { pods: [web], host });
  const newer = shop.cluster.pod('web-2', { created_at: shop.now() });
  const full = { ...host, ...atRest('node-1', 12, 96) };
  await shop.hold(6, { pods: [newer], ...image('2') }, { pods: [newer], host: full });
  const [answered] = await answersOf(app, user);
  expect(answered?.evidence.changes).toHaveLength(1);
  expect(JSON.stringify(answered?.answer.causes)).not.toMatch(/web/);
});

it('a pod needs more CPU since its image changed, and its node has the alert', async () => {
  const { app, user, shop, web } = await world();
  const batch = shop.cluster.pod('batch-1', { owner: { kind: 'Deployment', name: 'batch' }, labels: { app: 'batch' } });
  const image = (tag: string) => ({
    objects: [
      shop.object('Deployment', 'web', { 'containers.app.image': `web:${tag}` }),
      shop.object('Deployment', 'batch', { 'containers.app.image': 'batch:7' }),
    ],
  });
  const calm = { cores: [0.2, 0.2], host: { processes: [program('node', 20, shop.now() - 90_000)] } };
  const workloads = [shop.workload('web'), shop.workload('batch')];
  await shop.hold(40, { pods: [web, batch], workloads, ...image('1') }, { pods: [web, batch], ...calm });
  const newer = shop.cluster.pod('web-2', { created_at: shop.now() });
  const host = { ...atRest('node-1', 96), processes: [program('node', 340, shop.now())] };
  await shop.hold(12, { pods: [newer, batch], ...image('2') }, { pods: [newer, batch], cores: [3.4, 0.2], host });
  const [found] = await causesOf(app, user);
  expect(found).toMatch(
    /^node-1: cpu_after_change: shop\/web-2 takes the CPU .* web-2 uses [23](?:\.\d)? of 4 cores.*its rollout at .*: image web:1 → web:2/,
  );
});

it('the usage of a pod with a CPU limit is read where its neighbour has the alert', async () => {
  const { app, user, shop, web } = await world();
  const limits = { ...kube.container().limits, cpu_cores: 0.2 };
  const owner = { kind: 'Deployment', name: 'slow' };
  const slow = shop.cluster.pod('slow-1', { owner, labels: { app: 'slow' }, containers: [kube.container({ limits })] });
  const looping = shop.cluster.pod('web-1', {
    ...web,
    ready: false,
    reason: 'CrashLoopBackOff',
    containers: [kube.container({ ready: false, status: 'waiting', reason: 'CrashLoopBackOff', restart_count: 9 })],
  });
  const workloads = [shop.workload('web', 0), shop.workload('slow')];
  await shop.hold(20, { pods: [looping, slow], workloads }, { pods: [looping, slow], cores: [0, 0.2] });
  const [answered] = await answersOf(app, user);
  const seen = answered?.evidence.pods.find(({ name }) => name === 'slow-1');
  expect(seen?.cpuCores.map(({ value }) => value)).toContain(0.2);
});
