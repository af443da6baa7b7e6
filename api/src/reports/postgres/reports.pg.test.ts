import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';

const MINUTE = 60_000;
/** A whole number of minutes, so that expected times are easy to read. */
const NOW = Math.floor(Date.now() / MINUTE) * MINUTE;

describeEachPostgres('reports', (db) => {
  const fresh = async () => {
    const organisationId = await newAccount(db.storage());
    return { owner: ownerOf(organisationId), agent: await enrolledAgent(db.storage(), organisationId) };
  };

  it('stores a report, its sample and the latest state', async () => {
    const { owner, agent } = await fresh();
    const answer = await db.storage().reports.accept(batchOf(agent, [itemOf(1, NOW)]));
    expect(answer).toEqual({
      outcome: 'stored',
      storedSeqs: [1],
      ackUpto: 1,
      ackAlso: [],
      organisationId: agent.organisationId,
      wasRefused: false,
      alertState: {
        tracks: {},
        version: 0,
        newest: null,
        offline: false,
        refused: false,
        diskTrends: [],
        memoryTrend: null,
      },
    });
    const server = await db.storage().servers.get(owner, agent.serverId);
    expect(server?.latest.sample).toMatchObject({ sampleAt: NOW, cpuPercent: 1, memoryPercent: 0.1, diskPercent: 40 });
    expect(server?.latest.filesystems).toHaveLength(1);
    expect(server?.server).toMatchObject({ memoryTotalBytes: 1000, storageTotalBytes: 100, lastSeenAt: NOW + 100 });
  });

  it('takes a replay without a second row and acknowledges it again', async () => {
    const { agent } = await fresh();
    const batch = batchOf(agent, [itemOf(1, NOW), itemOf(2, NOW + MINUTE)]);
    await db.storage().reports.accept(batch);
    expect(await db.storage().reports.accept(batch)).toEqual({
      outcome: 'stored',
      storedSeqs: [],
      ackUpto: 2,
      ackAlso: [],
      organisationId: agent.organisationId,
      wasRefused: false,
      alertState: {
        tracks: {},
        version: 0,
        newest: NOW + MINUTE,
        offline: false,
        refused: false,
        diskTrends: [],
        memoryTrend: null,
      },
    });
    const rows = await db.sql('SELECT 1 FROM host_sample WHERE server_key = $1', [agent.serverKey]);
    expect(rows).toHaveLength(2);
  });

  it('refuses a known seq with other content and stores nothing of that batch', async () => {
    const { agent } = await fresh();
    await db.storage().reports.accept(batchOf(agent, [itemOf(1, NOW)]));
    const clone = batchOf(agent, [itemOf(1, NOW, { up: 99 }), itemOf(2, NOW + MINUTE)]);
    expect(await db.storage().reports.accept(clone)).toEqual({ outcome: 'conflict' });
    const rows = await db.sql('SELECT 1 FROM host_sample WHERE server_key = $1', [agent.serverKey]);
    expect(rows).toHaveLength(1);
  });

  it('refuses a batch that holds a seq twice with different content', async () => {
    const { agent } = await fresh();
    const batch = batchOf(agent, [itemOf(1, NOW), itemOf(1, NOW, { up: 99 })]);
    expect(await db.storage().reports.accept(batch)).toMatchObject({ outcome: 'conflict' });
  });

  it('settles refused seqs and dropped ranges of any size without a row each', async () => {
    const { agent } = await fresh();
    const answer = await db.storage().reports.accept(
      batchOf(agent, [itemOf(2_000_000_001, NOW)], {
        rejected: [{ seq: 1, code: 'out_of_range' }],
        dropped: [
          { from: 2, to: 2_000_000_000, n: 5, why: 'spool_full' },
          { from: 9, to: 3, n: 1, why: 'backwards, so it names nothing' },
        ],
      }),
    );
    expect(answer).toMatchObject({ outcome: 'stored', ackUpto: 2_000_000_001, ackAlso: [] });
  });

  it('does not settle what was only thinned', async () => {
    const { agent } = await fresh();
    const dropped = [{ from: 1, to: 4, n: 4, why: 'thinned' }];
    const answer = await db.storage().reports.accept(batchOf(agent, [itemOf(5, NOW)], { dropped }));
    expect(answer).toMatchObject({ ackUpto: 0, ackAlso: [5] });
  });

  it('lets a late item fill history but not overwrite newer state', async () => {
    const { owner, agent } = await fresh();
    await db.storage().reports.accept(batchOf(agent, [itemOf(9, NOW)]));
    await db.storage().reports.accept(batchOf(agent, [itemOf(8, NOW - MINUTE)]));
    const server = await db.storage().servers.get(owner, agent.serverId);
    expect(server?.latest.sample).toMatchObject({ sampleAt: NOW, cpuPercent: 9 });
    if (!server) return;
    const history = await db
      .storage()
      .history.listSamples(server, { from: NOW - 5 * MINUTE, to: NOW + MINUTE }, { limit: 10, offset: 0 });
    expect(history.samples.map((sample) => sample.cpuPercent)).toEqual([9, 8]);
    expect(history.total).toBe(2);
  });

  it('keeps a fact that a later report lacks', async () => {
    const { owner, agent } = await fresh();
    await db.storage().reports.accept(batchOf(agent, [itemOf(1, NOW)]));
    const bare = itemOf(2, NOW + MINUTE);
    delete bare.report.memory;
    await db.storage().reports.accept(batchOf(agent, [bare]));
    const server = await db.storage().servers.get(owner, agent.serverId);
    expect(server?.server.memoryTotalBytes).toBe(1000);
    expect(server?.latest.sample?.memoryPercent).toBeNull();
  });

  it('stores each report once when the same batch comes ten times at once', async () => {
    const { agent } = await fresh();
    const batch = batchOf(agent, [itemOf(1, NOW), itemOf(2, NOW + MINUTE)]);
    const answers = await Promise.all(Array.from({ length: 10 }, () => db.storage().reports.accept(batch)));
    expect(answers.every((answer) => answer.outcome === 'stored' && answer.ackUpto === 2)).toBe(true);
    expect(
      answers.flatMap((answer) => (answer.outcome === 'stored' ? answer.storedSeqs : [])).toSorted((a, b) => a - b),
    ).toEqual([1, 2]);
  });

  it('lets one of two writers with different content win, whole, however they race', async () => {
    const { agent } = await fresh();
    const rivals = Array.from({ length: 30 }, async (_, round) => {
      const streamId = round.toString(16).padStart(32, '0');
      const at = NOW - round * 5 * MINUTE;
      const first = [itemOf(1, at), itemOf(2, at + MINUTE)];
      const second = [itemOf(2, at + MINUTE, { up: 8 }), itemOf(3, at + 2 * MINUTE)];
      const answers = await Promise.all(
        [first, second].map((items) => db.storage().reports.accept(batchOf(agent, items, { streamId }))),
      );
      const rows = await db.sql<{ seq: string }>(
        `SELECT seq FROM report_ledger JOIN report_stream s ON s.key = stream_key WHERE s.stream_id = $1 ORDER BY seq`,
        [streamId],
      );
      return { outcomes: answers.map(({ outcome }) => outcome), seqs: rows.map(({ seq }) => Number(seq)) };
    });
    for (const { outcomes, seqs } of await Promise.all(rivals)) {
      expect(outcomes.toSorted()).toEqual(['conflict', 'stored']);
      expect(seqs).toEqual(outcomes[0] === 'stored' ? [1, 2] : [2, 3]);
    }
  });

  it('remembers the last known skew of the clock', async () => {
    const { agent } = await fresh();
    expect(await db.storage().reports.clockSkew(agent)).toBeNull();
    await db.storage().reports.accept(batchOf(agent, [itemOf(1, NOW)], { clockSkewSeconds: -12.5 }));
    await db.storage().reports.accept(batchOf(agent, [itemOf(2, NOW + 1)]));
    expect(await db.storage().reports.clockSkew(agent)).toBe(-12.5);
  });

  it('answers server_deleted once the server is gone, also for a batch on its way', async () => {
    const { owner, agent } = await fresh();
    await db.storage().reports.accept(batchOf(agent, [itemOf(1, NOW)]));
    const server = await db.storage().servers.get(owner, agent.serverId);
    if (!server) throw new Error('the server is not there');
    const [, late] = await Promise.all([
      db.storage().servers.delete(server, NOW),
      db.storage().reports.accept(batchOf(agent, [itemOf(2, NOW + MINUTE)])),
    ]);
    expect(['stored', 'server_deleted']).toContain(late.outcome);
    const after = await db.storage().reports.accept(batchOf(agent, [itemOf(3, NOW)], { streamId: 'f'.repeat(32) }));
    expect(after.outcome).toBe('server_deleted');
    expect(await db.storage().agents.findByToken(agent.tokenHash)).toEqual({ state: 'server_deleted' });
    for (const table of ['host_sample', 'server_latest', 'server_fact', 'report_stream']) {
      expect(await db.sql(`SELECT 1 FROM ${table} WHERE server_key = $1`, [agent.serverKey])).toHaveLength(0);
    }
  });

  it('stores nothing for a token that died since it was looked up, nor for another server', async () => {
    const { owner, agent } = await fresh();
    const other = (await fresh()).agent;
    const [known, foreign] = [itemOf(1, NOW), itemOf(2, NOW + MINUTE)];
    expect(await db.storage().reports.accept(batchOf(agent, [known]))).toMatchObject({ outcome: 'stored' });
    const borrowed = { ...agent, serverKey: other.serverKey };
    expect(await db.storage().reports.accept(batchOf(borrowed, [foreign]))).toEqual({ outcome: 'token_unknown' });
    await db.sql('DELETE FROM agent_token WHERE token_hash = $1', [agent.tokenHash]);
    expect(await db.storage().reports.accept(batchOf(agent, [foreign]))).toEqual({ outcome: 'token_unknown' });
    const server = await db.storage().servers.get(owner, agent.serverId);
    expect(server?.latest.sample?.sampleAt).toBe(NOW);
    const keys = [agent.serverKey, other.serverKey];
    expect(await db.sql('SELECT 1 FROM host_sample WHERE server_key = ANY($1)', [keys])).toHaveLength(1);
    expect(await db.sql('SELECT 1 FROM report_stream WHERE server_key = $1', [other.serverKey])).toEqual([]);
  });

  it('names the owner as of now and the alerts as they stood before', async () => {
    const { agent } = await fresh();
    const next = await newAccount(db.storage());
    const { reports, servers, alertStates } = db.storage();
    await reports.accept(batchOf(agent, [itemOf(1, NOW)]));
    const tracks = { rule: [{ phase: 'pending' as const, since: NOW }] };
    expect(await alertStates.save(agent.serverKey, 0, tracks, [])).toBe(true);
    expect(await servers.transfer(agent, next)).toBe(true);
    const answer = await reports.accept(batchOf(agent, [itemOf(2, NOW + MINUTE)]));
    const alertState = {
      tracks,
      version: 1,
      newest: NOW,
      offline: false,
      refused: false,
      diskTrends: [],
      memoryTrend: null,
    };
    expect(answer).toMatchObject({ outcome: 'stored', organisationId: next, alertState });
    const asked = await alertStates.load(agent.serverKey, [NOW + MINUTE]);
    expect(asked).toEqual(alertState);
  });

  it('knows no token it never gave', async () => {
    expect(await db.storage().agents.findByToken(randomBytes(32))).toEqual({ state: 'unknown' });
  });
});
