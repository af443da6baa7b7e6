import type { ClusterItem } from '@plimsoll/contract/wire/cluster-report';
import type { PermissionsAnswer } from '@plimsoll/contract/wire/kubernetes';
import { beforeEach, describe, expect, it } from 'vitest';
import { testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import * as kube from '../../testing/kubernetes.ts';
import { testStorage } from '../../testing/postgres.ts';
import { reportingCluster, type ReportingCluster } from '../../testing/reporting-cluster.ts';

const ALL = ['nodes', 'pods', 'workloads', 'volumes'] as const;
const ID = 'a'.repeat(32);
const SEVERAL = 24;
type Listed = Pick<ClusterItem, 'nodes' | 'pods' | 'workloads' | 'volumes'>;

describe('an object that cannot be stored', () => {
  const db = testStorage();
  let app: TestApp;
  let user: TestUser;
  let cluster: ReportingCluster;
  const count = async (table: string): Promise<number> => {
    const [row] = await db.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${table} JOIN cluster c ON c.key = cluster_key
       WHERE c.uid = $1 ${table === 'kube_pod' || table === 'kube_node' ? 'AND gone_at IS NULL' : ''}`,
      [cluster.id],
    );
    return row?.n ?? 0;
  };
  const counts = async () => ({
    nodes: await count('kube_node'),
    pods: await count('kube_pod'),
    workloads: await count('kube_workload'),
    volumes: await count('kube_volume'),
  });
  const openAlerts = () =>
    db.sql<{ metric: string; name: string | null }>(
      `SELECT metric, object_name AS name FROM alert JOIN cluster c ON c.key = cluster_key
       WHERE c.uid = $1 AND resolved_at IS NULL ORDER BY metric, object_name`,
      [cluster.id],
    );
  const incomplete = async () => {
    const { json } = await app.call('GET', '/api/kubernetes/permissions', { token: user.token });
    const { permissions } = json.data as unknown as PermissionsAnswer;
    return permissions.filter(({ state }) => state === 'incomplete').map(({ reader, detail }) => [reader, detail]);
  };
  const names = Array.from({ length: SEVERAL }, (_, index) => String(index));
  const whole = () => ({
    nodes: names.map((name) => cluster.node(`n${name}`)),
    pods: names.map((name) =>
      cluster.pod(name, {
        owner: null,
        ...(Number(name) < 3 ? { reason: 'CrashLoopBackOff', containers: [LOOPING] } : {}),
      }),
    ),
    workloads: names.map((name) => ({
      uid: `w${name}-${cluster.id}`,
      kind: 'Deployment' as const,
      namespace: 'shop',
      name,
      created_at: kube.SECONDS,
      desired: 1,
      ready: 1,
      suspended: false,
      last_run_at: null,
    })),
    volumes: names.map((name) => ({
      uid: `v${name}-${cluster.id}`,
      namespace: 'shop',
      name,
      phase: 'Bound',
      storage_class: null,
      capacity_bytes: 5,
      requested_bytes: 5,
    })),
  });
  const LOOPING = kube.container({ status: 'waiting', reason: 'CrashLoopBackOff', ready: false, restart_count: 3 });
  /** Sends a complete listing in which `change` made the first object of a kind bad. */
  const list = async (kind: keyof Listed, change: (object: Record<string, unknown>) => unknown, keep = SEVERAL) => {
    const objects = whole();
    const [first, ...rest] = objects[kind];
    const changed = [change({ ...first }), ...rest.slice(0, keep - 1)];
    const answer = await cluster.report([{ ...kube.listing({ ...objects, [kind]: changed }) }]);
    expect([answer.status, answer.text.includes('"rejected":[]')]).toEqual([200, true]);
  };
  const EVERY = { nodes: SEVERAL, pods: SEVERAL, workloads: SEVERAL, volumes: SEVERAL };

  beforeEach(async () => {
    app = testApp(db.storage());
    app.clock.ms = kube.NOW;
    user = await app.newUser();
    cluster = await reportingCluster(app, user);
    await cluster.report([kube.listing(whole())]);
  });

  it('keeps its open alerts for as long as it is refused', async () => {
    const [pod, ...pods] = whole().pods;
    const hold = async (minutes: number, parts: object): Promise<void> => {
      for (let minute = 0; minute < minutes; minute += 1) {
        app.clock.pass(60);
        await cluster.report([{ ...kube.listing({}), ...whole(), ...parts }]);
      }
    };
    await hold(6, {});
    const before = await openAlerts();
    expect(before.map(({ name }) => name)).toEqual(['0', '1', '2']);
    await hold(15, { pods: [{ ...pod, phase: 'Sleeping' }, ...pods] });
    expect(await openAlerts()).toEqual(before);
    await hold(15, { pods });
    expect((await openAlerts()).map(({ name }) => name)).toEqual(['1', '2']);
  });

  it.each([
    ['pods', 'phase', 'Sleeping', 'pods'],
    ['pods', 'reason', 5, 'pods'],
    ['pods', 'containers', 'none', 'pods'],
    ['pods', 'restart_count', 2 ** 60, 'pods'],
    ['pods', 'uid', 'é', 'pods'],
    ['nodes', 'conditions', [5], 'nodes'],
    ['nodes', 'ready', 'yes', 'nodes'],
    ['workloads', 'ready', 1e300, 'deployments'],
    ['workloads', 'kind', 'Job', 'workloads'],
    ['volumes', 'phase', null, 'persistentvolumeclaims'],
  ] as const)('of %s with a bad %s (%j) keeps its last state', async (kind, field, value, reader) => {
    await list(kind, (object) => ({ ...object, [field]: value }));
    expect(await counts()).toEqual(EVERY);
    const rows = await incomplete();
    expect(rows).toHaveLength(1);
    expect(rows[0]?.[0]).toBe(reader);
    expect(rows[0]?.[1]).toContain(`${kind === 'nodes' ? 'n0' : 'shop/0'}: ${field}`);
    await cluster.report([kube.listing(whole())]);
    expect(await incomplete()).toEqual([]);
  });

  it('keeps what is unlisted from staying: all other objects are as the listing says', async () => {
    await list('pods', (pod) => ({ ...pod, phase: 'Sleeping' }), 10);
    expect(await counts()).toEqual({ ...EVERY, pods: 10 });
  });

  it.each([
    ['pods', 'requests', { cpu_cores: 1, memory_bytes: 2 ** 60 }, 'pods'],
    ['nodes', 'capacity', { cpu_cores: -1, memory_bytes: 'x', ephemeral_bytes: 1e300, pods: 1.5 }, 'nodes'],
    ['volumes', 'capacity_bytes', 9_223_372_036_853_727_232, 'persistentvolumeclaims'],
  ] as const)('is none for a figure of %s out of range in %s', async (kind, field, value, reader) => {
    await list(kind, (object) => ({ ...object, [field]: value }));
    expect(await counts()).toEqual(EVERY);
    const rows = await incomplete();
    expect(rows.map(([name]) => name)).toEqual([reader]);
    expect(rows[0]?.[1]).toContain(field);
  });

  it('without any name ends the deletions of its kind only', async () => {
    const objects = whole();
    const bad = { ...objects, pods: [5, ...objects.pods.slice(0, 3)], volumes: [] };
    await cluster.report([{ ...kube.listing({}), ...bad }]);
    expect(await counts()).toEqual({ ...EVERY, volumes: 0 });
  });

  describe('a lost item of a listing', () => {
    const part = (parts: object, complete: boolean, more = {}) => ({
      ...kube.item({}),
      ...parts,
      listing: { id: ID, complete, covers: ALL, ...more },
    });
    it.each([
      ['is rejected with its listing', () => part({ ts: 'x' }, false)],
      ['has a listing that cannot be read', () => ({ ...kube.item({}), listing: 5 })],
      ['is no object', () => 'garbage'],
    ])('that %s: nothing is deleted', async (_how, bad) => {
      await cluster.report([bad()]);
      await cluster.report([part({ nodes: whole().nodes }, true)]);
      expect(await counts()).toEqual(EVERY);
      await cluster.report([kube.listing({})]);
      expect(await counts()).toEqual({ nodes: 0, pods: 0, workloads: 0, volumes: 0 });
    });

    it('with its request: the last item counts the others, and nothing is deleted', async () => {
      await cluster.report([part({ nodes: whole().nodes }, false)]);
      await cluster.report([part({}, true, { items: 3 })]);
      expect(await counts()).toEqual(EVERY);
      await cluster.report([part({ nodes: whole().nodes }, false), part({}, true, { items: 2 })]);
      expect(await counts()).toEqual({ nodes: SEVERAL, pods: 0, workloads: 0, volumes: 0 });
    });
  });
});
