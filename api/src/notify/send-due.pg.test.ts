import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Agent } from '../servers/types.ts';
import { TestClock } from '../testing/app.ts';
import { enrolledAgent, newAccount } from '../testing/batches.ts';
import { changeAt, driversOf, newChannel, saveChanges, testSecretBox } from '../testing/notify.ts';
import { testStorage } from '../testing/postgres.ts';
import { ownerOf } from '../tenancy/owner.ts';
import { LEASE_MS } from './retry.ts';
import { sendDue, type SenderDeps } from './send-due.ts';
import type { Outbox } from './store.ts';
import type { ChannelDriver, Notification, Routing, SendResult } from './types.ts';
import type { OrganisationId } from '../tenancy/ids.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const START = Date.parse('2026-02-01T12:00:00Z');

class Crash extends Error {}

/** Points where the process ends, as if killed: nothing after that point runs. */
const STEPS = [
  'before repeat',
  'after repeat',
  'before claim',
  'after claim',
  'before send',
  'after send',
  'before settle',
  'after settle',
] as const;
type Step = (typeof STEPS)[number];

const db = testStorage();

describe('the sender', () => {
  let clock: TestClock;
  let organisationId: OrganisationId;
  let agent: Agent;
  let sent: Notification[];
  let answer: (now: number) => SendResult;

  beforeEach(async () => {
    // Channels of the tests before would be due too.
    await db.sql('DELETE FROM notify_channel');
    clock = new TestClock(START);
    organisationId = await newAccount(db.storage());
    agent = await enrolledAgent(db.storage(), organisationId, 'web-1');
    sent = [];
    answer = () => ({ outcome: 'delivered', detail: 'ok' });
  });

  const outbox = () => db.storage().notify.outbox;
  const deps = (parts: Partial<SenderDeps> = {}, driver: Partial<ChannelDriver> = {}): SenderDeps => ({
    storage: db.storage(),
    outbox: outbox(),
    alertActing: db.storage().alertActing,
    drivers: driversOf({
      send: (_target, notification) => {
        const result = answer(clock.now());
        if (result.outcome === 'delivered') sent.push(notification);
        return Promise.resolve(result);
      },
      ...driver,
    }),
    secretBox: testSecretBox,
    clock,
    publicUrl: 'https://plimsoll.example',
    random: () => 1,
    observe: () => {},
    ...parts,
  });
  const open = (parts = {}) => saveChanges(db.storage(), agent.serverKey, changeAt(clock.now(), parts));
  const pass = async (ms: number, parts: Partial<SenderDeps> = {}): Promise<void> => {
    clock.pass(ms / SECOND);
    await sendDue(deps(parts));
  };
  /** Moves the clock to when something can be sent: a row is due, and its channel is neither leased nor told to wait. */
  const passToDue = async (): Promise<void> => {
    const [row] = await db.sql<{ at: number }>(
      `SELECT extract(epoch FROM max(x))::float8 * 1000 AS at FROM (SELECT min(due_at) AS x FROM notify_outbox
       UNION ALL SELECT leased_until FROM notify_channel UNION ALL SELECT send_after FROM notify_channel) AS times`,
    );
    clock.ms = Math.max(clock.ms, Math.ceil(row?.at ?? 0));
  };
  const titles = () => sent.map(({ title }) => title);
  const outcomes = async () =>
    (await db.storage().notify.deliveries.list(ownerOf(organisationId), {}, { limit: 1000, offset: 0 })).deliveries
      .map(({ outcome }) => outcome)
      .toReversed();
  const channel = (routing: Partial<Routing> = {}) => newChannel(db.storage(), organisationId, clock.now(), routing);

  it('waits 30 s and sends one message for all alerts of a server', async () => {
    await channel();
    await open();
    await pass(10 * SECOND);
    await open({ rule: 'default-cpu', metric: 'cpu_usage', value: 91 });
    await pass(19 * SECOND);
    expect(sent).toEqual([]);
    await pass(SECOND);
    expect(sent).toMatchObject([
      {
        title: 'web-1: 2 alerts',
        lines: ['Memory 83 %, 3 over for 5 min, line 80 %', 'CPU 91 %, 11 over for 5 min, line 80 %'],
      },
    ]);
    expect(sent[0]?.link).toBe(`https://plimsoll.example/alerts?server_id=${agent.serverId}`);
    await pass(HOUR);
    expect(sent).toHaveLength(1);
  });

  it('sends the rise of a level again, not a new value and not a fall', async () => {
    await channel();
    await open();
    await pass(30 * SECOND);
    await open({ kind: 'updated', value: 84 });
    await pass(HOUR);
    await open({ kind: 'updated', level: 'critical', value: 97, threshold: 95 });
    await pass(30 * SECOND);
    await open({ kind: 'updated', level: 'warning', value: 90 });
    await pass(HOUR);
    expect(titles()).toEqual([
      'web-1: Memory 83 %, 3 over for 5 min, line 80 %',
      'web-1: Now critical: Memory 97 %, 2 over for 1 h 6 min, line 95 %',
    ]);
  });

  it('sends nothing of an alert that ends while its message waits for others', async () => {
    await channel();
    await open({ rule: 'default-offline', metric: 'offline', level: 'critical' });
    clock.pass(29);
    await open({ kind: 'resolved', rule: 'default-offline', metric: 'offline', level: 'critical' });
    await pass(HOUR);
    expect([sent, (await outbox().backlog()).waiting]).toEqual([[], 0]);
  });

  it('reports the end with its duration, and only to a channel that reported the alert', async () => {
    await channel();
    await open();
    await pass(30 * SECOND);
    await channel();
    clock.pass(12 * 60 - 30);
    await open({ kind: 'resolved', value: 71 });
    await pass(30 * SECOND);
    expect(titles().slice(1)).toEqual(['web-1: Resolved after 12 min: Memory 71 %']);
  });

  it('sends no end of an alert that the provider refused', async () => {
    await channel();
    answer = () => ({ outcome: 'refused', detail: 'no such chat' });
    await open();
    await pass(30 * SECOND);
    answer = () => ({ outcome: 'delivered', detail: 'ok' });
    await open({ kind: 'resolved' });
    await pass(HOUR);
    expect([sent, await outcomes()]).toEqual([[], ['refused']]);
  });

  it('sends again what the provider took without confirming it: one repetition, nothing lost, and the end is sent', async () => {
    await channel();
    const unconfirmed = (): SendResult => ({ outcome: 'failed', detail: 'no answer', mayHaveArrived: true });
    const arrived: Notification[] = [];
    let next: () => SendResult = unconfirmed;
    const driver: Partial<ChannelDriver> = {
      send: (_target, notification) => {
        arrived.push(notification);
        return Promise.resolve(next());
      },
    };
    await open();
    clock.pass(30);
    await sendDue(deps({}, driver));
    next = () => ({ outcome: 'delivered', detail: 'ok' });
    await passToDue();
    await sendDue(deps({}, driver));
    expect(arrived.map(({ title }) => title)).toEqual(Array(2).fill('web-1: Memory 83 %, 3 over for 5 min, line 80 %'));
    // Another alert ends before the channel confirms that it fires: people may have read it, so its end is sent.
    next = unconfirmed;
    await open({ rule: 'default-cpu', metric: 'cpu_usage', value: 91 });
    clock.pass(30);
    await sendDue(deps({}, driver));
    next = () => ({ outcome: 'delivered', detail: 'ok' });
    await open({ kind: 'resolved', rule: 'default-cpu', metric: 'cpu_usage', value: 40 });
    clock.pass(30);
    await sendDue(deps({}, driver));
    expect(arrived.at(-1)?.alerts).toMatchObject([{ state: 'resolved' }]);
    expect([await outcomes(), (await outbox().backlog()).waiting]).toEqual([
      ['failed', 'delivered', 'failed', 'delivered'],
      0,
    ]);
  });

  it('honours Retry-After and doubles the wait up to 5 minutes', async () => {
    await channel();
    answer = () => ({ outcome: 'failed', detail: '429', retryAfterSeconds: 90 });
    await open();
    await pass(30 * SECOND);
    await pass(89 * SECOND);
    expect(await outcomes()).toEqual(['failed']);
    answer = () => ({ outcome: 'failed', detail: 'down' });
    const waits: number[] = [];
    for (let tries = 0; tries < 11; tries += 1) {
      const before = clock.now();
      await passToDue();
      waits.push((clock.now() - before) / SECOND);
      await sendDue(deps());
    }
    expect(waits.slice(1)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  });

  it('gives up after 24 hours, and the log says so', async () => {
    await channel();
    answer = () => ({ outcome: 'failed', detail: 'down' });
    await open();
    await pass(30 * SECOND);
    for (let hours = 0; hours < 25; hours += 1) await pass(HOUR);
    const all = await outcomes();
    expect([all.at(-1), all.length, (await outbox().backlog()).waiting]).toEqual(['gave_up', 25, 0]);
  });

  it('repeats a critical alert, not a warning, at the interval of the channel until it is acknowledged', async () => {
    await channel({ repeatMinutes: 60 });
    const critical = { level: 'critical' as const, value: 97, threshold: 95 };
    await open(critical);
    await open({ rule: 'default-cpu', metric: 'cpu_usage', value: 91 });
    await pass(30 * SECOND);
    await pass(59 * MINUTE);
    expect(sent).toHaveLength(1);
    await pass(MINUTE);
    expect(titles()[1]).toBe('web-1: Still critical: Memory 97 %, 2 over for 1 h 6 min, line 95 %');
    await db.sql('UPDATE alert SET acknowledged_at = now() WHERE server_key = $1', [agent.serverKey]);
    await pass(HOUR * 5);
    expect(sent).toHaveLength(2);
  });

  it('holds messages in quiet hours and lets critical ones pass', async () => {
    const quietHours = { from: '11:00', to: '13:00', timeZone: 'UTC', criticalPasses: true };
    await channel({ quietHours });
    await open();
    await pass(30 * SECOND);
    expect(sent).toEqual([]);
    await open({ rule: 'default-cpu', metric: 'cpu_usage', level: 'critical', value: 99, threshold: 95 });
    await pass(30 * SECOND);
    expect(titles()).toEqual(['web-1: CPU 99 %, 4 over for 5 min, line 95 %']);
    await pass(HOUR);
    expect(titles()[1]).toBe('web-1: Memory 83 %, 3 over for 5 min, line 80 %');
  });

  it.each([
    [
      { rule: 'default-io-wait', metric: 'io_wait', value: 15, threshold: 10 },
      'IO wait 15 %, 5 over for 1 h, line 10 %',
    ],
    [
      { rule: 'default-load', metric: 'load_per_core', value: 2.5, threshold: 2 },
      'Load 2.5 per core, 0.5 over for 15 min, line 2 per core',
    ],
    [
      {
        rule: 'default-unit-failed',
        metric: 'systemd_unit_failed',
        subject: 'nginx',
        title: 'Systemd unit failed: nginx',
        value: null,
      },
      'Systemd unit failed: nginx',
    ],
  ])('says shortly what is over its line and by how much: %j', async (parts, text) => {
    await channel();
    await open(parts);
    await pass(30 * SECOND);
    expect(titles()).toEqual([`web-1: ${text}`]);
  });

  it('says how long the report is missing when the message is sent, by the rule in force', async () => {
    const { alertRules } = db.storage();
    const { id } = await alertRules.create(
      ownerOf(organisationId),
      {
        metric: 'offline',
        target: { kind: 'all' },
        lines: [{ level: 'critical', threshold: null }],
        forMs: 6 * MINUTE,
        keepFiringForMs: 0,
        hysteresisPoints: 0,
        enabled: true,
      },
      clock.now(),
    );
    await channel();
    await open({ rule: id, metric: 'offline', level: 'critical', value: null, threshold: null });
    await pass(MINUTE);
    expect(titles()).toEqual(['web-1: No report for 7 min']);
  });

  it('sends nothing of a server that changed hands', async () => {
    await channel();
    await open();
    await db.storage().servers.transfer(agent, await newAccount(db.storage()));
    await pass(30 * SECOND);
    expect([sent, (await outbox().backlog()).waiting]).toEqual([[], 0]);
  });

  it('lets one of ten processes send each message', async () => {
    for (let i = 0; i < 5; i += 1) await channel();
    await open();
    clock.pass(30);
    await Promise.all(Array.from({ length: 10 }, () => sendDue(deps())));
    expect(sent).toHaveLength(5);
  });

  it('sends nothing after it hung as long as its lease: another process has sent the message', async () => {
    await channel();
    await open();
    clock.pass(30);
    const { alertActing } = db.storage();
    const hang: SenderDeps['alertActing'] = {
      ofAlerts: async (...given) => {
        const acting = await alertActing.ofAlerts(...given);
        clock.pass(LEASE_MS / SECOND);
        await sendDue(deps());
        return acting;
      },
    };
    await sendDue(deps({ alertActing: hang }));
    expect(titles()).toHaveLength(1);
    await pass(HOUR);
    expect(titles()).toHaveLength(1);
  });

  it('drops what waits when the transaction of the alert fails', async () => {
    await channel();
    const broken = changeAt(clock.now(), { level: null as never });
    await expect(saveChanges(db.storage(), agent.serverKey, changeAt(clock.now()), broken)).rejects.toThrow('level');
    expect((await outbox().backlog()).waiting).toBe(0);
  });

  describe('loses nothing and repeats at most one message per crash', () => {
    /** An outbox and a driver that end the process at the step: the first time, and again when the channel is back. */
    const crashing = (step: Step, isBackAt: number): { deps: SenderDeps; crashes: () => number } => {
      const crashed: number[] = [];
      const at = (now: Step): void => {
        const isBack = clock.now() >= isBackAt;
        if (now !== step || crashed.length >= (isBack ? 2 : 1)) return;
        crashed.push(clock.now());
        throw new Crash(step);
      };
      const around = async <T>(name: 'repeat' | 'claim' | 'send' | 'settle', work: () => Promise<T>): Promise<T> => {
        at(`before ${name}`);
        const result = await work();
        if (result !== null) at(`after ${name}`);
        return result;
      };
      const real = outbox();
      const wrapped: Outbox = {
        repeat: (now) => around('repeat', () => real.repeat(now)),
        claim: (now, lease) => around('claim', () => real.claim(now, { ...lease, id: randomUUID() })),
        settle: (held, settlement) => around('settle', () => real.settle(held, settlement)),
        tellCauses: (now) => real.tellCauses(now),
        backlog: () => real.backlog(),
        nextDueAt: () => real.nextDueAt(),
      };
      const plainDeps = deps({ outbox: wrapped });
      const send: ChannelDriver['send'] = (target, notification) =>
        around('send', () => plainDeps.drivers.webhook.send(target, notification));
      return { deps: { ...plainDeps, drivers: driversOf({ send }) }, crashes: () => crashed.length };
    };
    const DOWN = { '0 s': 0, '10 s': 10 * SECOND, '5 min': 5 * MINUTE, '1 h': HOUR, '24 h': 24 * HOUR };
    const downs = Object.keys(DOWN);
    /** Repeated messages of each step, in the order of `DOWN`. */
    const table = new Map<Step, number[]>(STEPS.map((step) => [step, []]));

    it.each(STEPS.flatMap((step) => downs.map((down) => [step, down] as const)))(
      'crash %s, channel down for %s',
      async (step, down) => {
        await channel();
        await open();
        clock.pass(30);
        const isBackAt = clock.now() + DOWN[down as keyof typeof DOWN];
        answer = (now) =>
          now >= isBackAt ? { outcome: 'delivered', detail: 'ok' } : { outcome: 'failed', detail: 'down' };
        const process = crashing(step, isBackAt);
        const run = async (isOver: () => Promise<boolean>): Promise<void> => {
          for (let tries = 0; tries < 2000 && !(await isOver()); tries += 1) {
            try {
              await sendDue(process.deps);
            } catch (error) {
              if (!(error instanceof Crash)) throw error;
            }
            await passToDue();
          }
        };
        const isEmpty = async (): Promise<boolean> => (await outbox().backlog()).waiting === 0;
        await run(isEmpty);
        const firing = sent.length;
        await open({ kind: 'resolved', value: 40 });
        clock.pass(30);
        await run(isEmpty);
        const resolved = sent.length - firing;
        const repeated = firing + resolved - 2;
        const lost = 2 - Math.min(firing, 1) - Math.min(resolved, 1);
        table.get(step)?.push(repeated);
        expect(process.crashes()).toBe(2);
        expect([lost, repeated <= process.crashes()]).toEqual([0, true]);
        expect((await outcomes()).includes('gave_up')).toBe(false);
      },
      60_000,
    );

    it('as often as the table of docs/alerts.md says', () => {
      const rows = [...table].map(([step, repeated]) => `| ${[step, ...repeated].join(' | ')} |`);
      const head = `| killed | ${downs.map((down) => `down ${down}`).join(' | ')} |`;
      const docs = readFileSync(new URL('../../../docs/alerts.md', import.meta.url), 'utf8');
      expect(docs).toContain(
        [head, `|${' --- |'.repeat(downs.length + 1)}`, ...rows].map((row) => `  ${row}`).join('\n'),
      );
    });
  });
});
