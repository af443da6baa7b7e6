import { beforeEach, describe, expect, it } from 'vitest';
import { ChangeFeed, type Change } from '../live/change-feed.ts';
import { ownerOf, type Owner } from '../tenancy/owner.ts';
import { RuleCache } from './rule-cache.ts';
import type { AlertStates } from './store.ts';
import type { Agent } from '../servers/types.ts';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../testing/batches.ts';
import { ALWAYS_RECEIVING } from '../testing/ingest-watch.ts';
import { testStorage } from '../testing/postgres.ts';
import { createPostgresStorage } from '../postgres-storage.ts';
import { markSilentJob } from './jobs.ts';

const db = testStorage();
const MINUTE = 60_000;
const NOW = 1_770_000_000_000;

let owner: Owner;
let agents: Agent[];
let heard: string[];
let changes: ChangeFeed;
beforeEach(async () => {
  await db.sql('TRUNCATE server CASCADE');
  owner = ownerOf(await newAccount(db.storage()));
  agents = [];
  for (const hostname of ['a', 'b', 'c'])
    agents.push(await enrolledAgent(db.storage(), owner.organisationId, hostname));
  heard = [];
  changes = new ChangeFeed();
  changes.subscribe(owner.organisationId, ({ topic, serverId }: Change) => heard.push(`${topic} ${String(serverId)}`));
});

const rulesOf = (): RuleCache =>
  new RuleCache({
    rules: db.storage().alertRules,
    changes,
    clock: { now: () => NOW },
    reportIntervalSeconds: 60,
  });
const jobOf = (parts: Partial<Parameters<typeof markSilentJob>[0]> = {}) =>
  markSilentJob({
    ...db.storage(),
    ingestWatch: ALWAYS_RECEIVING,
    alertRules: rulesOf(),
    changes,
    reportIntervalSeconds: 60,
    ...parts,
  });
const report = (agent: Agent, seq: number, at: number) =>
  db.storage().reports.accept(batchOf(agent, [itemOf(seq, at)], { receivedAt: at }));
const open = async (now: number) => {
  const { alerts } = await db.storage().alerts.list(owner, { status: 'active' }, { limit: 100, offset: 0 }, now);
  return alerts;
};

const OPENED = { opened: 0, outages: 0, ended: 0 };

it('opens one alert for each that missed three reports, tells its owner, and opens no second one', async () => {
  await report(agents[0]!, 1, NOW - 3 * MINUTE - 1);
  await report(agents[1]!, 1, NOW - 3 * MINUTE);
  expect(await jobOf().run(NOW)).toEqual({ ...OPENED, opened: 1 });
  expect(await open(NOW)).toMatchObject([
    { serverId: agents[0]?.serverId, level: 'critical', metric: 'offline', value: null, openedAt: NOW },
  ]);
  expect(heard).toEqual([`alerts ${agents[0]?.serverId ?? ''}`]);
  expect(await jobOf().run(NOW)).toBeNull();
  expect(await jobOf().run(NOW + 1)).toEqual({ ...OPENED, opened: 1 });
  expect(await open(NOW + 1)).toHaveLength(2);
});

it('leaves a server alone whose report comes at the same moment: it is judged at the next turn', async () => {
  for (const agent of agents.slice(0, 2)) await report(agent, 1, NOW - 60 * MINUTE);
  const states = db.storage().alertStates;
  // The first save finds that a report of its server got there first.
  let saves = 0;
  const racing: AlertStates = {
    ...states,
    save: async (key, version, tracks, changed) => {
      saves += 1;
      if (saves === 1) await states.save(key, version, tracks, []);
      return states.save(key, version, tracks, changed);
    },
  };
  expect(await jobOf({ alertStates: racing }).run(NOW)).toEqual({ ...OPENED, opened: 1 });
  expect(heard).toHaveLength(1);
  expect(await jobOf().run(NOW)).toEqual({ ...OPENED, opened: 1 });
});

it('is opened once by two replicas that look at once', async () => {
  for (const agent of agents.slice(0, 2)) await report(agent, 1, NOW - 60 * MINUTE);
  await Promise.all([jobOf().run(NOW), jobOf().run(NOW)]);
  const opened = await open(NOW);
  expect(new Set(opened.map(({ serverId }) => serverId)).size).toBe(opened.length);
  await jobOf().run(NOW);
  expect(await open(NOW)).toHaveLength(2);
});

describe('after a gap of the installation', () => {
  const job = () => jobOf({ ingestWatch: db.storage().ingestWatch });
  /** Looks every 15 seconds, as replicas do. */
  const lookUntil = async (from: number, to: number): Promise<number> => {
    let opened = 0;
    for (let now = from; now <= to; now += 15_000) {
      const result = (await job().run(now)) as { opened: number; outages: number } | null;
      opened += (result?.opened ?? 0) + (result?.outages ?? 0);
    }
    return opened;
  };
  /** The API has run for an hour; every server reported a minute ago. */
  const running = async (): Promise<void> => {
    await db.sql('DELETE FROM ingest_watch');
    for (const agent of agents) await report(agent, 1, NOW - MINUTE);
    await job().run(NOW - 60 * MINUTE);
    await db.sql('UPDATE ingest_watch SET seen_at = to_timestamp($1), paused_until = to_timestamp(0)', [
      (NOW - 15_000) / 1000,
    ]);
    await job().run(NOW);
  };

  // A collector waits before it tries again: here for as long as it may after such a gap.
  it.each([
    [0.5, 1],
    [2.5, 2.5],
    [5, 5],
  ])('a restart of the API that takes %d minutes opens no alert', async (minutes, waitMinutes) => {
    await running();
    const back = NOW + minutes * MINUTE;
    const wait = waitMinutes * MINUTE;
    expect(await lookUntil(back, back + wait - 15_000)).toBe(0);
    for (const agent of agents) await report(agent, 2, back + wait - 10_000);
    expect(await lookUntil(back + wait, back + wait + 2 * MINUTE)).toBe(0);
  });

  it('a second replica that starts pauses nothing', async () => {
    await running();
    for (const minute of [0, 1, 2]) {
      for (const agent of agents.slice(1)) await report(agent, minute + 2, NOW + minute * MINUTE + 5000);
      if (minute < 2) await lookUntil(NOW + minute * MINUTE + 15_000, NOW + (minute + 1) * MINUTE);
    }
    const replica = jobOf({ ingestWatch: createPostgresStorage({ connection: db.connection() }).ingestWatch });
    expect(await replica.run(NOW + 2 * MINUTE + 16_000)).toEqual({ ...OPENED, opened: 1 });
  });

  it('a server that is gone after the gap gets its alert when the pause ends', async () => {
    await running();
    const back = NOW + 5 * MINUTE;
    expect(await lookUntil(back, back)).toBe(0);
    for (const agent of agents.slice(1)) await report(agent, 2, back + 10_000);
    for (const seq of [3, 4, 5, 6])
      for (const agent of agents.slice(1)) await report(agent, seq, back + (seq - 2) * MINUTE + 10_000);
    expect(await lookUntil(back + 15_000, back + 5 * MINUTE - 1)).toBe(0);
    expect(await lookUntil(back + 5 * MINUTE, back + 5 * MINUTE + 30_000)).toBe(1);
  });

  it('silence while the API runs is judged, also of every server at once', async () => {
    await running();
    expect(await lookUntil(NOW + 15_000, NOW + 2 * MINUTE)).toBe(0);
    expect(await lookUntil(NOW + 2 * MINUTE + 15_000, NOW + 3 * MINUTE)).toBe(1);
  });
});
