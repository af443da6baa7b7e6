import { ALERT_LEVELS, ALERT_STATUSES, type AlertLevel, type AlertStatus } from '@plimsoll/contract/rules/limits';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { ownerOf, type Owner } from '../../tenancy/owner.ts';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import type { AlertChange, AlertFilter } from '../types.ts';
import type { Agent } from '../../servers/types.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Math.floor(Date.now() / HOUR) * HOUR;
const PAGE = 4;

/** An alert as a test thinks of it. */
interface Told {
  /** Which of two servers; the second one is silent. */
  server: 0 | 1;
  rule: string;
  level: AlertLevel;
  metric: 'cpu_usage' | 'offline';
  openedAgo: number;
  /** Resolved half-way to now. */
  resolved: boolean;
}
/** Few moments, so that many alerts open at the same one. */
const alerts: fc.Arbitrary<Told[]> = fc
  .array(
    fc.record({
      server: fc.constantFrom(0, 1),
      level: fc.constantFrom(...ALERT_LEVELS),
      metric: fc.constantFrom('cpu_usage', 'offline'),
      openedAgo: fc.constantFrom(5, 10, 60, 120).map((minutes) => minutes * MINUTE),
      resolved: fc.boolean(),
    }),
    { maxLength: 25 },
  )
  .map((all) =>
    all.map((one, index) => {
      // A server has one offline alert at a time: the end of one ends them all.
      const isSecond = all.slice(0, index).some(({ server, metric }) => server === one.server && metric === 'offline');
      return { ...one, metric: isSecond ? 'cpu_usage' : one.metric, rule: `rule-${String(index)}` };
    }),
  );

const sometimes = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
interface Question {
  server: 0 | 1 | undefined;
  level: AlertLevel | undefined;
  status: AlertStatus | undefined;
  fromAgo: number | undefined;
  toAgo: number | undefined;
}
const questions: fc.Arbitrary<Question> = fc.record({
  server: sometimes(fc.constantFrom(0, 1)),
  level: sometimes(fc.constantFrom(...ALERT_LEVELS)),
  status: sometimes(fc.constantFrom(...ALERT_STATUSES)),
  fromAgo: sometimes(fc.constantFrom(60 * MINUTE, 30 * MINUTE)),
  toAgo: sometimes(fc.constantFrom(10 * MINUTE, 0)),
});

const statusOf = ({ resolved, metric, server }: Told): AlertStatus => {
  if (resolved) return 'resolved';
  return metric !== 'offline' && server === 1 ? 'unknown' : 'active';
};
/** An alert that still fires ends in the future. */
const endedAgo = ({ resolved, openedAgo }: Told): number => (resolved ? openedAgo / 2 : Number.NEGATIVE_INFINITY);
const isAsked = (one: Told, { server, level, status, fromAgo, toAgo }: Question): boolean =>
  (server === undefined || one.server === server) &&
  (level === undefined || one.level === level) &&
  (status === undefined || statusOf(one) === status) &&
  (fromAgo === undefined || endedAgo(one) <= fromAgo) &&
  (toAgo === undefined || one.openedAgo > toAgo);

const changeOf = ({ rule, level, metric, openedAgo }: Told, parts: Partial<AlertChange> = {}): AlertChange => ({
  kind: 'opened',
  rule,
  metric,
  subject: '',
  level,
  title: rule,
  message: `${rule} fires`,
  value: 81.5,
  threshold: 80,
  at: NOW - openedAgo,
  ...parts,
});

describeEachPostgres('alerts', (db) => {
  let owner: Owner;
  let agents: [Agent, Agent];
  const states = () => db.storage().alertStates;
  const list = (filter: AlertFilter, page = { limit: 1000, offset: 0 }) =>
    db.storage().alerts.list(owner, filter, page, NOW);
  const save = async (agent: Agent, changes: AlertChange[]): Promise<void> => {
    const { version, tracks } = await states().load(agent.serverKey, [NOW]);
    if (!(await states().save(agent.serverKey, version, tracks, changes))) throw new Error('somebody else saved');
  };

  const newFleet = async (): Promise<void> => {
    const organisationId = await newAccount(db.storage());
    owner = ownerOf(organisationId);
    agents = [
      await enrolledAgent(db.storage(), organisationId, 'speaks'),
      await enrolledAgent(db.storage(), organisationId, 'silent'),
    ];
    // The first reported a second ago, the second longer ago than three of its intervals.
    for (const [index, ago] of [1000, 181_000].entries()) {
      const batch = batchOf(agents[index]!, [itemOf(1, NOW - ago)], { receivedAt: NOW - ago });
      await db.storage().reports.accept(batch);
    }
  };
  beforeEach(newFleet);

  it('are filtered, counted and cut into pages as by hand, each on one page', async () => {
    await fc.assert(
      fc.asyncProperty(alerts, fc.array(questions, { minLength: 6, maxLength: 6 }), async (told, asked) => {
        await newFleet();
        for (const [index, agent] of agents.entries()) {
          const mine = told.filter(({ server }) => server === index);
          const ended = mine.filter(({ resolved }) => resolved);
          await save(
            agent,
            mine.map((one) => changeOf(one)),
          );
          await save(
            agent,
            ended.map((one) => changeOf(one, { kind: 'resolved', at: NOW - endedAgo(one) })),
          );
        }
        for (const question of asked) {
          const { server, level, status, fromAgo, toAgo } = question;
          const filter: AlertFilter = {
            ...(server !== undefined && { serverId: agents[server].serverId }),
            ...(level !== undefined && { level }),
            ...(status !== undefined && { status }),
            ...(fromAgo !== undefined && { from: NOW - fromAgo }),
            ...(toAgo !== undefined && { to: NOW - toAgo }),
          };
          const wanted = told.filter((one) => isAsked(one, question));
          const found: { id: string; title: string; openedAt: number; status: AlertStatus }[] = [];
          for (let offset = 0; offset <= wanted.length; offset += PAGE) {
            const page = await list(filter, { limit: PAGE, offset });
            expect(page.total).toBe(wanted.length);
            found.push(...page.alerts);
          }
          // Alerts of one moment are ordered by id: else a page repeats one and loses another.
          const byTime = found.toSorted((a, b) => b.openedAt - a.openedAt || (a.id < b.id ? -1 : 1));
          expect(found.map(({ id }) => id)).toEqual(byTime.map(({ id }) => id));
          expect(Object.fromEntries(found.map((one) => [one.title, one.status]))).toEqual(
            Object.fromEntries(wanted.map((one) => [one.rule, statusOf(one)])),
          );
          expect(found).toHaveLength(wanted.length);
        }
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });

  it('are found again on the same page while others open', async () => {
    const open = (rule: string, openedAgo: number) =>
      changeOf({ server: 0, rule, level: 'warning', metric: 'cpu_usage', openedAgo, resolved: false });
    await save(
      agents[0],
      Array.from({ length: 9 }, (_, index) => open(`old-${String(index)}`, HOUR)),
    );
    const before = (await list({ to: NOW - MINUTE }, { limit: 3, offset: 3 })).alerts.map(({ id }) => id);
    await save(agents[0], [open('new', 0)]);
    expect((await list({ to: NOW - MINUTE }, { limit: 3, offset: 3 })).alerts.map(({ id }) => id)).toEqual(before);
  });

  describe('the state between two reports', () => {
    const change = (parts: Partial<AlertChange>): AlertChange =>
      changeOf(
        { server: 0, rule: 'r', level: 'warning', metric: 'cpu_usage', openedAgo: 5 * MINUTE, resolved: false },
        parts,
      );
    const tracks = { key: [{ phase: 'pending' as const, since: NOW }] };

    it('is saved on what it was decided on, or not at all', async () => {
      const { serverKey } = agents[0];
      expect(await states().load(serverKey, [NOW])).toMatchObject({ version: 0, tracks: {} });
      expect(await states().save(serverKey, 0, tracks, [change({})])).toBe(true);
      const { version } = await states().load(serverKey, [NOW]);
      expect(await states().save(serverKey, 0, {}, [change({ kind: 'resolved', at: NOW })])).toBe(false);
      expect(await states().save(serverKey, version + 1, {}, [change({ kind: 'resolved', at: NOW })])).toBe(false);
      expect((await list({})).alerts).toMatchObject([{ status: 'active', title: 'r' }]);
      expect(await states().load(serverKey, [NOW])).toMatchObject({ version, tracks });
    });

    it('lets one of ten who decide at once through', async () => {
      const { serverKey } = agents[0];
      const saved = await Promise.all(
        Array.from({ length: 10 }, () => states().save(serverKey, 0, tracks, [change({})])),
      );
      expect(saved.filter(Boolean)).toHaveLength(1);
      expect((await list({})).total).toBe(1);
    });

    it('opens one alert a rule and subject; a level, a value and the end are written to that one', async () => {
      await save(agents[0], [change({}), change({}), change({ subject: '/var' })]);
      expect((await list({})).total).toBe(2);
      await save(agents[0], [change({ kind: 'updated', level: 'critical', value: 97, threshold: 95, at: NOW })]);
      const opened = (await list({ level: 'critical' })).alerts;
      expect(opened).toMatchObject([{ value: 97, threshold: 95, openedAt: NOW - 5 * MINUTE, resolvedAt: null }]);
      await save(agents[0], [change({ kind: 'resolved', value: 12, at: NOW })]);
      expect((await list({ status: 'resolved' })).alerts).toMatchObject([
        { level: 'critical', value: 12, resolvedAt: NOW, openedAt: NOW - 5 * MINUTE },
      ]);
      // A resolved alert stays as it was; the next breach is an alert of its own.
      await save(agents[0], [change({ kind: 'updated', value: 1, at: NOW }), change({ at: NOW })]);
      expect((await list({ status: 'resolved' })).alerts).toMatchObject([{ value: 12 }]);
      expect((await list({})).total).toBe(3);
    });

    it('knows the newest sample beside those asked about', async () => {
      const { serverKey } = agents[0];
      expect((await states().load(serverKey, [NOW])).newest).toBe(NOW - 1000);
      expect((await states().load(serverKey, [NOW - 1000])).newest).toBeNull();
    });
  });

  describe('silence', () => {
    const silent = async (now = NOW) => {
      const found = await states().listSilent(now);
      return found
        .filter(({ organisationId }) => organisationId === owner.organisationId)
        .map(({ serverId }) => serverId);
    };

    it('begins after three intervals, and is told of once', async () => {
      expect(await silent(NOW - 1000)).toEqual([]);
      expect(await silent()).toEqual([agents[1].serverId]);
      expect(await silent(NOW + 180_000)).toHaveLength(2);
      await save(agents[1], [changeOf({ ...OFFLINE, server: 1 })]);
      expect(await silent()).toEqual([]);
      expect((await states().load(agents[1].serverKey, [NOW])).offline).toBe(true);
    });

    it('is none of a server that never reported, or was taken out on purpose since', async () => {
      await enrolledAgent(db.storage(), owner.organisationId, 'installing');
      await db.storage().agents.signOff(agents[1], 'uninstall', NOW - 180_000);
      expect(await silent()).toEqual([]);
      await db.storage().reports.accept(batchOf(agents[1], [itemOf(2, NOW)], { receivedAt: NOW }));
      expect(await silent(NOW + HOUR)).toContain(agents[1].serverId);
    });
  });
});

const OFFLINE = { rule: 'o', level: 'critical', metric: 'offline', openedAgo: 0, resolved: false } as const;
