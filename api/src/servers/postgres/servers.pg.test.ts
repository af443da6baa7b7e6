import type { Report } from '@plimsoll/contract/wire/report';
import { beforeEach, expect, it } from 'vitest';
import { ownerOf, type Owner } from '../../tenancy/owner.ts';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { fullReport } from '../../testing/full-report.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import type { Agent, ServerSelection } from '../types.ts';

const MINUTE = 60_000;
const NOW = Math.floor(Date.now() / MINUTE) * MINUTE;
const OTHER_STREAM = 'f'.repeat(32);

describeEachPostgres('servers', (db) => {
  let owner: Owner;
  let agent: Agent;
  const servers = () => db.storage().servers;
  const recordOf = async (of: Owner, serverId: string) => (await servers().get(of, serverId))?.server ?? null;

  beforeEach(async () => {
    owner = ownerOf(await newAccount(db.storage()));
    agent = await enrolledAgent(db.storage(), owner.organisationId);
  });

  it('were last seen when any of their spools was, the old one or the one after a reinstallation', async () => {
    const { reports } = db.storage();
    const streams = [
      { at: NOW - 60 * MINUTE },
      { at: NOW, streamId: OTHER_STREAM, bootId: 'boot-2' },
      { at: NOW - 30 * MINUTE },
    ];
    for (const [index, { at, ...stream }] of streams.entries())
      await reports.accept(batchOf(agent, [itemOf(index + 1, at, {}, stream.bootId)], { ...stream, receivedAt: at }));
    expect((await recordOf(owner, agent.serverId))?.lastSeenAt).toBe(NOW);
    expect((await servers().listAll(owner)).map(({ server }) => server.lastSeenAt)).toEqual([NOW]);
  });

  it('are called what their last report says, not what they were enrolled as', async () => {
    expect((await recordOf(owner, agent.serverId))?.hostname).toBe('web-1');
    const { system } = fullReport('renamed', NOW / 1000) as Partial<Report>;
    await db.storage().reports.accept(batchOf(agent, [itemOf(1, NOW, system ? { system } : {})]));
    expect((await recordOf(owner, agent.serverId))?.hostname).toBe('renamed');
  });

  it('have their samples read from one moment up to another, not at it, newest first', async () => {
    const items = [1, 2, 3, 4].map((seq) => itemOf(seq, NOW + seq * MINUTE));
    await db.storage().reports.accept(batchOf(agent, items));
    const server = await servers().get(owner, agent.serverId);
    if (!server) throw new Error('the server is not there');
    const range = { from: NOW + MINUTE, to: NOW + 4 * MINUTE };
    const list = async (limit: number, offset: number) => {
      const { samples, total } = await db.storage().history.listSamples(server, range, { limit, offset });
      return [total, ...samples.map(({ sampleAt }) => (sampleAt - NOW) / MINUTE)];
    };
    expect(await list(10, 0)).toEqual([3, 3, 2, 1]);
    expect(await list(1, 1)).toEqual([3, 2]);
    expect(await list(10, 3)).toEqual([3]);
  });

  it('are listed in the order they came in, also after one was changed', async () => {
    const { organisationId } = owner;
    const ids = [agent.serverId];
    for (const name of ['web-2', 'web-3']) ids.push((await enrolledAgent(db.storage(), organisationId, name)).serverId);
    const first = await servers().get(owner, agent.serverId);
    if (first) await servers().update(first, { displayName: 'renamed', tags: { a: 'b' } });
    expect((await servers().listAll(owner)).map(({ server }) => server.id)).toEqual(ids);
  });

  it('are listed page by page: all, by id, and by the time of the latest sample', async () => {
    const { organisationId } = owner;
    const agents = [agent];
    for (const name of ['web-2', 'web-3']) agents.push(await enrolledAgent(db.storage(), organisationId, name));
    const foreign = await enrolledAgent(db.storage(), await newAccount(db.storage()));
    for (const [index, one] of [...agents.slice(1), foreign].entries())
      await db.storage().reports.accept(batchOf(one, [itemOf(1, NOW + index * MINUTE)]));
    const [first, second, third] = agents.map(({ serverId }) => serverId);
    const list = async (filter: Omit<ServerSelection, 'limit' | 'offset'>, limit = 10, offset = 0) => {
      const found = await servers().list(owner, { ...filter, limit, offset });
      return [found.total, ...found.servers.map(({ server }) => server.id)];
    };
    expect(await list({})).toEqual([3, first, second, third]);
    expect(await list({}, 1, 1)).toEqual([3, second]);
    expect(await list({}, 1, 3)).toEqual([3]);
    expect(await list({ ids: [third ?? '', first ?? '', foreign.serverId] })).toEqual([2, first, third]);
    expect(await list({ sampled: {} })).toEqual([2, second, third]);
    expect(await list({ sampled: { from: NOW, to: NOW + MINUTE } })).toEqual([1, second]);
    expect(await list({ sampled: { from: NOW + 1 } })).toEqual([1, third]);
    const whole = await servers().listAll(owner);
    expect((await servers().list(owner, { limit: 10, offset: 0 })).servers).toEqual(whole);
  });

  it('pass to a new owner without the token of the old one', async () => {
    const other = ownerOf(await newAccount(db.storage()));
    expect((await recordOf(owner, agent.serverId))?.enrolmentTokenId).toMatch(/^[0-9a-f-]{36}$/);
    expect(await servers().transfer(agent, other.organisationId)).toBe(true);
    expect(await recordOf(owner, agent.serverId)).toBeNull();
    expect(await servers().listAll(owner)).toEqual([]);
    expect(await recordOf(other, agent.serverId)).toMatchObject({
      id: agent.serverId,
      organisationId: other.organisationId,
      enrolmentTokenId: null,
    });
  });

  it('stay where they are when the new owner has the machine already', async () => {
    const other = ownerOf(await newAccount(db.storage()));
    const theirs = await enrolledAgent(db.storage(), other.organisationId);
    await db.sql('UPDATE server SET machine_hash = (SELECT machine_hash FROM server WHERE key = $1) WHERE key = $2', [
      agent.serverKey,
      theirs.serverKey,
    ]);
    expect(await servers().transfer(agent, other.organisationId)).toBe(false);
    expect((await recordOf(owner, agent.serverId))?.organisationId).toBe(owner.organisationId);
    expect(await recordOf(other, agent.serverId)).toBeNull();
  });
});
