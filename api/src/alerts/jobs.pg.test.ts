import { beforeEach, expect, it } from 'vitest';
import { ChangeFeed, type Change } from '../live/change-feed.ts';
import { ownerOf, type Owner } from '../accounts/owner.ts';
import { RuleCache } from './rule-cache.ts';
import type { AlertStates } from './store.ts';
import type { Agent } from '../servers/types.ts';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../testing/batches.ts';
import { testStorage } from '../testing/postgres.ts';
import { markSilentJob } from './jobs.ts';

const db = testStorage();
const MINUTE = 60_000;
const STARTED = 1_770_000_000_000;
/** Two intervals of grace, three to be silent for. */
const GRACE = 5 * MINUTE;

let owner: Owner;
let agents: Agent[];
let heard: string[];
let changes: ChangeFeed;
beforeEach(async () => {
  await db.sql('TRUNCATE server CASCADE');
  owner = ownerOf(await newAccount(db.storage()));
  agents = [];
  for (const hostname of ['a', 'b', 'c']) agents.push(await enrolledAgent(db.storage(), owner.accountId, hostname));
  heard = [];
  changes = new ChangeFeed();
  changes.subscribe(owner.accountId, ({ topic, serverId }: Change) => heard.push(`${topic} ${String(serverId)}`));
});

const rulesOf = (): RuleCache =>
  new RuleCache({
    rules: db.storage().alertRules,
    changes,
    clock: { now: () => STARTED },
    reportIntervalSeconds: 60,
  });
const jobOf = (alertStates: AlertStates = db.storage().alertStates, startedAt = STARTED, alertRules = rulesOf()) =>
  markSilentJob({ alertStates, alertRules, changes, startedAt, reportIntervalSeconds: 60 });
const report = (agent: Agent, seq: number, at: number) =>
  db.storage().reports.accept(batchOf(agent, [itemOf(seq, at)], { receivedAt: at }));
const open = async (now: number) => {
  const { alerts } = await db.storage().alerts.list(owner, { status: 'active' }, { limit: 100, offset: 0 }, now);
  return alerts;
};

it('calls nobody silent before they had the chance to report to an API that was away', async () => {
  for (const agent of agents) await report(agent, 1, STARTED - 60 * MINUTE);
  expect(await jobOf().run(STARTED)).toBeNull();
  expect(await jobOf().run(STARTED + GRACE - 1)).toBeNull();
  expect(await open(STARTED + GRACE)).toEqual([]);
  expect(await jobOf().run(STARTED + GRACE)).toEqual({ opened: 3 });
});

it('opens one alert for each that missed three reports, tells its owner, and opens no second one', async () => {
  const now = STARTED + GRACE;
  await report(agents[0]!, 1, now - 3 * MINUTE - 1);
  await report(agents[1]!, 1, now - 3 * MINUTE);
  expect(await jobOf().run(now)).toEqual({ opened: 1 });
  expect(await open(now)).toMatchObject([
    { serverId: agents[0]?.serverId, level: 'critical', metric: 'offline', value: null, openedAt: now },
  ]);
  expect(heard).toEqual([`alerts ${agents[0]?.serverId ?? ''}`]);
  expect(await jobOf().run(now)).toBeNull();
  expect(await jobOf().run(now + 1)).toEqual({ opened: 1 });
  expect(await open(now + 1)).toHaveLength(2);
});

it('leaves a server alone whose report comes at the same moment: it is judged at the next turn', async () => {
  const now = STARTED + GRACE;
  for (const agent of agents) await report(agent, 1, now - 60 * MINUTE);
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
  expect(await jobOf(racing).run(now)).toEqual({ opened: 2 });
  expect(heard).toHaveLength(2);
  expect(await jobOf().run(now)).toEqual({ opened: 1 });
});

it('is opened once by two replicas that look at once', async () => {
  const now = STARTED + GRACE;
  for (const agent of agents) await report(agent, 1, now - 60 * MINUTE);
  await Promise.all([jobOf().run(now), jobOf().run(now)]);
  const opened = await open(now);
  expect(new Set(opened.map(({ serverId }) => serverId)).size).toBe(opened.length);
  await jobOf().run(now);
  expect(await open(now)).toHaveLength(3);
});
