import { expect, it } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import type { AcceptedItem } from '../../reports/types.ts';

const MINUTE = 60_000;
const NOW = Math.floor(Date.now() / MINUTE) * MINUTE;
const START = NOW - 10 * 60 * MINUTE;
const at = (minutes: number): number => START + minutes * MINUTE;
/** Reports of consecutive minutes and seqs; `up` counts from the boot at minute `bootedAt`. */
const run = (from: number, to: number, seq: number, bootedAt: number, bootId: string): AcceptedItem[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    ...itemOf(seq + index, at(from + index), {}, bootId),
    up: (from + index - bootedAt) * 60,
  }));

describeEachPostgres('gaps', (db) => {
  it('are found, explained from the ledger and cut to the range', async () => {
    const organisationId = await newAccount(db.storage());
    const agent = await enrolledAgent(db.storage(), organisationId);
    const { reports, gaps, servers, agents } = db.storage();
    const items = [
      ...run(0, 60, 1, -1000, 'a'),
      // A reboot after 5 min, then the agent stops for 30, then 20 reports are given up, then 20 are on their way.
      ...run(65, 100, 62, 64, 'b'),
      ...run(130, 160, 98, 64, 'b'),
      ...run(181, 200, 149, 64, 'b'),
      ...run(221, 240, 189, 64, 'b'),
    ];
    const dropped = [{ from: 129, to: 148, n: 20, why: 'spool_full' }];
    for (let index = 0; index < items.length; index += 60) {
      await reports.accept(batchOf(agent, items.slice(index, index + 60), { dropped }));
    }
    await agents.signOff(agent, 'stop', at(241));
    const server = await servers.get(ownerOf(organisationId), agent.serverId);
    if (!server) throw new Error('the server is not there');
    const found = await gaps.list(server, { from: START, to: NOW });
    expect(found.map(({ from, to, reason }) => [(from - START) / MINUTE, (to - START) / MINUTE, reason])).toEqual([
      [60, 65, 'rebooted'],
      [100, 130, 'agent_stopped'],
      [160, 181, 'dropped'],
      [200, 221, 'link_lost'],
      [240, 600, 'agent_stopped'],
    ]);
    const cut = await gaps.list(server, { from: at(110), to: at(120) });
    expect(cut).toMatchObject([{ from: at(110), to: at(120), reason: 'agent_stopped', serverId: agent.serverId }]);
    await reports.accept(batchOf(agent, run(201, 220, 169, 64, 'b')));
    expect((await gaps.list(server, { from: START, to: NOW })).map(({ reason }) => reason)).not.toContain('link_lost');
  });

  it('name a suspension that the collector reported after it', async () => {
    const organisationId = await newAccount(db.storage());
    const agent = await enrolledAgent(db.storage(), organisationId);
    const { reports, gaps, servers } = db.storage();
    const resume = (minute: number) => ({
      id: `resume-${String(minute)}`,
      ts: at(minute) / 1000,
      event_type: 'system_resume' as const,
      service_name: null,
      process_name: 'plimsoll',
      message: 'The host was suspended for 30 min',
      severity: 'info' as const,
    });
    const [back, ...rest] = run(130, 160, 12, -1000, 'a');
    if (!back) throw new Error('no report');
    const items = [
      ...run(90, 100, 1, -1000, 'a'),
      { ...back, report: { ...back.report, events: [resume(130)] } },
      ...rest,
      ...run(190, 200, 43, -1000, 'a'),
    ];
    await reports.accept(batchOf(agent, items));
    const server = await servers.get(ownerOf(organisationId), agent.serverId);
    if (!server) throw new Error('the server is not there');
    const found = await gaps.list(server, { from: START, to: at(200) });
    expect(found.map(({ from, reason }) => [(from - START) / MINUTE, reason])).toEqual([
      [100, 'suspended'],
      [160, 'agent_stopped'],
    ]);
  });

  it('are counted as unexplained when their reports never came', async () => {
    const { reports, maintenance } = db.storage();
    const agent = await enrolledAgent(db.storage(), await newAccount(db.storage()));
    const before = await maintenance.countUnexplained(NOW);
    await reports.accept(
      batchOf(agent, [itemOf(3, NOW), itemOf(10, NOW + MINUTE), itemOf(20, NOW + 30 * 60 * MINUTE)], {
        dropped: [{ from: 5, to: 6, n: 2, why: 'spool_full' }],
      }),
    );
    expect(await maintenance.countUnexplained(NOW + 26 * 60 * MINUTE)).toBe(before);
    const missing = [1, 2, 4, 7, 8, 9];
    expect(await maintenance.countUnexplained(NOW + 27 * 60 * MINUTE)).toBe(before + missing.length);
  });

  it('are none while reports come, and none before the first', async () => {
    const organisationId = await newAccount(db.storage());
    const agent = await enrolledAgent(db.storage(), organisationId);
    const server = await db.storage().servers.get(ownerOf(organisationId), agent.serverId);
    if (!server) throw new Error('the server is not there');
    expect(await db.storage().gaps.list(server, { from: START, to: NOW })).toEqual([]);
    await db.storage().reports.accept(batchOf(agent, run(590, 600, 1, 0, 'a')));
    expect(await db.storage().gaps.list(server, { from: START, to: NOW })).toEqual([]);
  });
});
