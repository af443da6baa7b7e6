import { randomBytes } from 'node:crypto';
import type { EventPart, ProcessPart } from '@plimsoll/contract/wire/report';
import { expect, it } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { listing, nodeObject, podObject, testCluster, NOW } from '../../testing/kubernetes.ts';
import { changeAt, saveChanges } from '../../testing/notify.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import { openDatabase } from '../../database/database.ts';
import { silentLogger } from '../../database/connection.ts';
import type { AlertOutbox, TopListSnapshots } from '../store.ts';
import { createAlertStateStore } from './alert-states.ts';
import type { BlackBox } from '../acting/black-box.ts';

const MINUTE = 60_000;
const process = (pid: number, cpu: number, command = `/bin/p${pid}`): ProcessPart => ({
  pid,
  name: `p${pid}`,
  command,
  user: 'root',
  status: 'S',
  cpu_percent: cpu,
  memory_percent: 1,
  memory_bytes: 1024 * pid,
  threads: 1,
  started_at: 1,
});
const connection = (local_port: number, importance_score: number) => ({
  remote_ip: '10.0.0.0/24',
  remote_port: 1,
  local_port,
  protocol: 'tcp' as const,
  family: 'ipv4' as const,
  state: 'ESTABLISHED',
  pid: 1,
  importance_score,
});
const eventOf = (n: number, at: number): EventPart => ({
  id: `e${n}`,
  ts: at / 1e3,
  event_type: 'process_crash',
  severity: 'error',
  message: `event ${n}`,
  service_name: null,
  process_name: null,
});

describeEachPostgres('the black box of an alert', (db) => {
  const fresh = async () => {
    const organisationId = await newAccount(db.storage());
    return { organisationId, agent: await enrolledAgent(db.storage(), organisationId) };
  };
  const boxes = (serverKey: number) =>
    db.sql<{ rule: string; body: BlackBox }>(
      `SELECT a.rule, b.body FROM alert_black_box b JOIN alert a ON a.id = b.alert_id
       WHERE a.server_key = $1 ORDER BY a.rule`,
      [serverKey],
    );

  it('holds the top processes and connections and the last 20 events before the alert opened', async () => {
    const { agent } = await fresh();
    const at = NOW - 10 * MINUTE;
    const processes = Array.from({ length: 40 }, (_, n) => process(n + 1, n));
    const events = Array.from({ length: 30 }, (_, n) => eventOf(n, at - n * 1000));
    const parts = { processes, connections: [connection(80, 10), connection(443, 90)], events };
    await db.storage().reports.accept(batchOf(agent, [itemOf(1, at, parts)]));
    // Spreads the events over the half minute before the alert.
    await db.sql(
      'UPDATE activity_event SET at = to_timestamp($2::float8 / 1000 - substr(event_id, 2)::int) WHERE server_key = $1',
      [agent.serverKey, at],
    );
    await saveChanges(db.storage(), agent.serverKey, changeAt(at));
    await db.storage().reports.accept(batchOf(agent, [itemOf(2, at + MINUTE, { processes: [process(99, 1)] })]));
    const [found, ...others] = await boxes(agent.serverKey);
    expect(others).toEqual([]);
    const { processes: list, connections, events: last, pods } = found!.body;
    expect([list?.sampledAt, list?.total, list?.entries.map(({ pid }) => pid)]).toEqual([
      at,
      40,
      Array.from({ length: 20 }, (_, n) => 40 - n),
    ]);
    expect(connections?.entries.map(({ local_port }) => local_port)).toEqual([443, 80]);
    expect(last.map(({ message }) => message)).toEqual(Array.from({ length: 20 }, (_, n) => `event ${n}`));
    expect(pods).toBeNull();
  });

  it('is one for each alert that opens, none for a change or an end, and stays as it was', async () => {
    const { agent } = await fresh();
    const at = NOW - 10 * MINUTE;
    await db.storage().reports.accept(batchOf(agent, [itemOf(1, at, { processes: [process(1, 5)] })]));
    const cpu = { rule: 'default-cpu', metric: 'cpu_usage' };
    await saveChanges(db.storage(), agent.serverKey, changeAt(at), changeAt(at, cpu));
    await db.storage().reports.accept(batchOf(agent, [itemOf(2, at + MINUTE, { processes: [process(2, 5)] })]));
    const later = { at: at + MINUTE };
    await saveChanges(db.storage(), agent.serverKey, changeAt(at, { ...later, kind: 'updated', value: 90 }));
    await saveChanges(db.storage(), agent.serverKey, changeAt(at, { ...later, kind: 'opened' }));
    await saveChanges(db.storage(), agent.serverKey, changeAt(at, { ...later, ...cpu, kind: 'resolved' }));
    const found = await boxes(agent.serverKey);
    expect(found.map(({ rule, body }) => [rule, body.processes?.entries.map(({ pid }) => pid)])).toEqual([
      ['default-cpu', [1]],
      ['default-memory', [1]],
    ]);
    await db.sql('DELETE FROM alert WHERE server_key = $1', [agent.serverKey]);
    expect(await boxes(agent.serverKey)).toEqual([]);
  });

  it('of a node holds its pods, broken ones first; of a server without lists it says so', async () => {
    const organisationId = await newAccount(db.storage());
    const cluster = await testCluster(db.storage(), organisationId, `c-${randomBytes(4).toString('hex')}`);
    const broken = podObject('broken', { phase: 'Pending', reason: 'ImagePullBackOff' });
    const elsewhere = podObject('elsewhere', { node_name: 'node-2' });
    await cluster.write(listing({ nodes: [nodeObject('node-1')], pods: [podObject('a'), broken, elsewhere] }));
    const node = { name: 'node-1', hostname: 'node-1', tokenHash: randomBytes(32) };
    const enrolled = await db.storage().kubernetes.reports.enrolNode(cluster.agent, node, NOW);
    const [server] = await db.sql<{ key: number }>('SELECT key FROM server WHERE id = $1', [enrolled?.serverId]);
    await saveChanges(db.storage(), server!.key, changeAt(NOW));
    const [found] = await boxes(server!.key);
    expect(found?.body).toMatchObject({ processes: null, connections: null, events: [] });
    expect(found?.body.pods).toMatchObject({ sampledAt: NOW, total: 2 });
    expect(found?.body.pods?.entries.map(({ name, reason }) => [name, reason])).toEqual([
      ['broken', 'ImagePullBackOff'],
      ['a', null],
    ]);
  });

  it('is there with its alert or not at all when the process is killed between the two', async () => {
    const { organisationId, agent } = await fresh();
    await db.storage().reports.accept(batchOf(agent, [itemOf(1, NOW, { processes: [process(1, 5)] })]));
    const database = openDatabase(db.connection(), silentLogger);
    const outbox: AlertOutbox = {
      enqueueChange: () => Promise.resolve(),
      enqueueOpen: () => Promise.resolve(),
      enqueueEnd: () => Promise.resolve(),
      wakeHeld: () => Promise.resolve(),
    };
    const topLists: TopListSnapshots = {
      take: async (client) => void (await client.query('SELECT pg_terminate_backend(pg_backend_pid())')),
    };
    const killed = createAlertStateStore(database, { topLists, outbox });
    await expect(killed.save(agent.serverKey, 0, {}, [changeAt(NOW)])).rejects.toThrow(/terminat/);
    await database.prisma.$disconnect();
    await database.pool.end();
    const list = () => db.storage().alerts.list(ownerOf(organisationId), {}, { limit: 10, offset: 0 }, NOW);
    expect([(await list()).total, await boxes(agent.serverKey)]).toEqual([0, []]);
    await saveChanges(db.storage(), agent.serverKey, changeAt(NOW));
    expect([(await list()).total, (await boxes(agent.serverKey)).length]).toEqual([1, 1]);
  });

  it('never costs the alert: hostile texts are stored, and a failure leaves the alert without it', async () => {
    const { organisationId, agent } = await fresh();
    await db.storage().reports.accept(batchOf(agent, [itemOf(1, NOW, { processes: [process(1, 5)] })]));
    // An older version may have stored what jsonb refuses.
    const hostile = JSON.stringify([process(1, 5, `a\u0000b\uD800${'x'.repeat(5000)}`)]);
    const values = [agent.serverKey, hostile];
    await db.sql(`UPDATE server_list SET entries = $2::json WHERE server_key = $1 AND kind = 'processes'`, values);
    await saveChanges(db.storage(), agent.serverKey, changeAt(NOW));
    const [found] = await boxes(agent.serverKey);
    expect(found?.body.processes?.entries[0]?.command.slice(0, 4)).toBe('a\uFFFDb\uFFFD');
    await db.sql('ALTER TABLE alert_black_box RENAME TO moved');
    await saveChanges(db.storage(), agent.serverKey, changeAt(NOW, { rule: 'default-cpu', metric: 'cpu_usage' }));
    await db.sql('ALTER TABLE moved RENAME TO alert_black_box');
    const listed = await db.storage().alerts.list(ownerOf(organisationId), {}, { limit: 10, offset: 0 }, NOW);
    expect([listed.total, (await boxes(agent.serverKey)).length]).toEqual([2, 1]);
  });
});
