import type { ProcessPart } from '@plimsoll/contract/wire/report';
import { expect, it } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { changeAt, saveChanges } from '../../testing/notify.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import { connectionTo, processListOf } from '../../testing/process-lists.ts';
import { entriesOf, type EntryValues } from '../list-entries.ts';
import { founderOf } from '../../tenancy/ids.ts';

const QUARTER = 15 * 60_000;
const NOW = Math.floor(Date.now() / QUARTER) * QUARTER;
const ALL = { limit: 100, offset: 0 };
const RANGE = { from: NOW - QUARTER, to: NOW + QUARTER };
const TABLES = ['server_list', 'process_quarter', 'process_minute'];

const PROCESSES: ProcessPart[] = [...processListOf(1, 1), { ...processListOf(1, 1)[0]!, pid: 1, cpu_percent: null }];
const CONNECTIONS = Array.from({ length: 30 }, (_, port) => connectionTo(port, port));

describeEachPostgres('entries of lists', (db) => {
  it('are read the same as values and as the objects of earlier versions, by every reader', async () => {
    const storage = db.storage();
    const owner = ownerOf(await newAccount(storage));
    const agent = await enrolledAgent(storage, owner.organisationId);
    const report = { processes: PROCESSES, connections: CONNECTIONS, window_seconds: 60 };
    // The second is of no quarter of an hour; the alert keeps it.
    await storage.reports.accept(batchOf(agent, [itemOf(1, NOW, report), itemOf(2, NOW + 70_000, report)]));
    await saveChanges(storage, agent.serverKey, changeAt(NOW + 70_000));
    const server = await storage.servers.get(owner, agent.serverId);
    if (server === null) throw new Error('the server is not there');

    const exported = async (list: 'lists' | 'list_history' | 'process_minutes') => {
      const rows = [];
      for await (const row of storage.identity.export.rows(
        { owner: owner, personId: founderOf(owner.organisationId) },
        list,
      ))
        rows.push(row);
      return rows;
    };
    const frozen = async (rule: string) => {
      await db.sql('DELETE FROM alert_black_box');
      await saveChanges(storage, agent.serverKey, changeAt(NOW, { rule }));
      return (await db.sql<{ body: object }>('SELECT body FROM alert_black_box')).map(({ body }) => body);
    };
    const readAll = async () => ({
      fleet: await storage.lists.processes(owner, { rank: 'cpu' }, ALL, NOW + 70_000),
      server: await storage.lists.processes(owner, { rank: 'memory', serverId: agent.serverId }, ALL, NOW),
      range: await storage.lists.processes(owner, { rank: 'cpu', ...RANGE }, ALL, NOW),
      connections: await storage.lists.connections(owner, {}, ALL, NOW + 70_000),
      connectionsOfServer: await storage.lists.connections(owner, { serverId: agent.serverId }, ALL, NOW),
      connectionsOfRange: await storage.lists.connections(owner, RANGE, ALL, NOW),
      minutes: await storage.processMinutes.lists(server, RANGE),
      snapshots: await storage.processSnapshots.lists(server, RANGE),
      newest: await storage.processSnapshots.newest(server, RANGE),
      exported: [await exported('lists'), await exported('list_history'), await exported('process_minutes')],
    });
    const values = await readAll();
    const box = await frozen('first');
    expect(new Set(values.fleet.processes.map(({ pid }) => pid))).toEqual(new Set(PROCESSES.map(({ pid }) => pid)));
    expect(values.server.processes.find(({ pid }) => pid === 1)).toMatchObject(PROCESSES.at(-1)!);
    const ports = values.connectionsOfRange.connections.map(({ remote_port: port }) => port);
    expect(new Set(ports)).toEqual(new Set(CONNECTIONS.map(({ remote_port: port }) => port)));
    expect(JSON.stringify(values.exported)).toContain(JSON.stringify(PROCESSES[0]));

    // As values they would be too short to be compressed, and twice as long as compressed objects.
    const history = await db.sql<{ kind: string; entries: object[] }>(
      'SELECT kind, entries FROM server_list_history WHERE server_key = $1',
      [agent.serverKey],
    );
    expect(history.map(({ kind }) => kind)).toEqual(['connections', 'connections']);
    expect(history.flatMap(({ entries }) => entries).some((entry) => Array.isArray(entry))).toBe(false);

    for (const table of TABLES) {
      const rows = await db.sql<{ place: string; kind: string | undefined; entries: EntryValues[] }>(
        `SELECT ctid::text AS place, to_jsonb(t)->>'kind' AS kind, entries::json AS entries FROM ${table} t WHERE server_key = $1`,
        [agent.serverKey],
      );
      expect(rows.length).toBeGreaterThan(0);
      for (const { place, kind, entries } of rows) {
        expect(entries.every((entry) => Array.isArray(entry))).toBe(true);
        const objects = JSON.stringify(entriesOf(kind === 'connections' ? kind : 'processes', entries));
        await db.sql(`UPDATE ${table} SET entries = $1 WHERE server_key = $2 AND ctid::text = $3`, [
          objects,
          agent.serverKey,
          place,
        ]);
      }
    }
    expect(await readAll()).toEqual(values);
    expect(await frozen('second')).toEqual(box);
  });
});
