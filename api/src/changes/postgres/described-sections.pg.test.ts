import type { HostSection } from '@plimsoll/contract/rules/described-kinds';
import type { HostSectionPart } from '@plimsoll/contract/wire/described-object';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../servers/types.ts';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';

const START = Date.UTC(2026, 5, 1, 12);
const MINUTE = 60_000;

interface Row {
  kind: string;
  name: string;
  title: string;
  fields: { field: string; before: string | null; after: string | null }[];
  at: Date;
}

describeEachPostgres('the changes of a host', (db) => {
  let agent: Agent;
  const section = (name: HostSection, entries: Record<string, string>, form = 1): HostSectionPart => ({
    section: name,
    form,
    entries,
  });
  /** One report with these sections, in the given minute. */
  const item = (seq: number, described: HostSectionPart[], minute = seq) =>
    itemOf(seq, START + minute * MINUTE, { described });
  const send = (...items: ReturnType<typeof item>[]) => db.storage().reports.accept(batchOf(agent, items));
  const changes = () =>
    db.sql<Row>(
      `SELECT kind, name, title, fields, at FROM change
       WHERE server_key = $1 ORDER BY id`,
      [agent.serverKey],
    );

  beforeEach(async () => {
    agent = await enrolledAgent(db.storage(), await newAccount(db.storage()));
  });

  it('the first state of a section is no change, the next one is, at the time of its report', async () => {
    await send(item(1, [section('packages', { openssl: '3.0.1', nginx: '1.22' })]));
    await send(item(2, [section('packages', { openssl: '3.0.2', nginx: '1.22', curl: '8' })]));
    expect(await changes()).toEqual([
      {
        kind: 'packages',
        name: 'web-1',
        title: 'curl installed, openssl 3.0.1 → 3.0.2',
        fields: [
          { field: 'curl', was: 'set', before: null, after: '8', hidden: false },
          { field: 'openssl', was: 'changed', before: '3.0.1', after: '3.0.2', hidden: false },
        ],
        at: new Date(START + 2 * MINUTE),
      },
    ]);
  });

  it('a report that comes twice changes nothing', async () => {
    const [first, second] = [item(1, [section('ports', { '22/tcp': 'listening' })]), item(2, [section('ports', {})])];
    await send(first);
    await send(second);
    await send(first, second);
    await send(second);
    expect(await changes()).toHaveLength(1);
  });

  it('after an outage the newest report comes first: an older one adds nothing', async () => {
    const ports = (...open: string[]) => [
      section('ports', Object.fromEntries(open.map((port) => [port, 'listening']))),
    ];
    await send(item(1, ports('22')));
    await send(item(4, ports('22', '80', '443')));
    await send(item(2, ports('22', '80')), item(3, ports('22', '80', '81')));
    expect((await changes()).flatMap(({ fields }) => fields.map(({ field }) => field))).toEqual(['443', '80']);
  });

  it('a new form of a section is no change', async () => {
    await send(item(1, [section('sysctls', { 'vm.swappiness': '60' })]));
    await send(item(2, [section('sysctls', { swappiness: '60' }, 2)]));
    expect(await changes()).toEqual([]);
  });

  describe('100 edits, each of another entry', () => {
    const SECTIONS = ['packages', 'units', 'mounts', 'sysctls', 'ports'] as const;
    const edits = SECTIONS.flatMap((name) =>
      Array.from({ length: 20 }, (_, index) => [name, `entry-${String(index)}`] as const),
    );

    it.each([1, 2, 3])('each is one change under kill -9, repeats and an outage (seed %d)', async (seed) => {
      const state = new Map<HostSection, Record<string, string>>(SECTIONS.map((name) => [name, {}]));
      for (const [name, entry] of edits) state.set(name, { ...state.get(name), [entry]: 'old' });
      const whole = () => SECTIONS.map((name) => section(name, { ...state.get(name) }));
      let seq = 1;
      await send(item(seq, whole()));
      let waiting: ReturnType<typeof item>[] = [];
      const order = edits
        .map((edit, index) => ({ edit, key: Math.sin(seed * 1000 + index * 7919) }))
        .toSorted((a, b) => a.key - b.key);
      for (const [index, { edit }] of order.entries()) {
        const [name, entry] = edit;
        state.set(name, { ...state.get(name), [entry]: 'new' });
        seq += 1;
        // A collector that was killed sends every section after its start; one that was off saw nothing of some edits.
        if (index % 11 === 3) continue;
        const report = item(seq, index % 7 === 0 ? whole() : [section(name, { ...state.get(name) })]);
        waiting.push(report);
        if (index > 30 && index < 60) continue;
        // The newest first, as the sender does after an outage; some requests arrive twice.
        for (const one of waiting.toReversed()) await send(one);
        if (index % 5 === 0) await send(...waiting);
        waiting = [];
      }
      await send(item(seq + 1, whole()));
      await send(item(seq + 2, whole()));
      const found = (await changes()).flatMap(({ kind, fields }) => fields.map(({ field }) => `${kind} ${field}`));
      expect(found.toSorted()).toEqual(edits.map((edit) => edit.join(' ')).toSorted());
    });
  });
});
