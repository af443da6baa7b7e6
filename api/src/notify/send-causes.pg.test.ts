import { beforeEach, describe, expect, it } from 'vitest';
import type { CauseAnswer } from '@plimsoll/contract/wire/causes';
import { TestClock } from '../testing/app.ts';
import { enrolledAgent, newAccount } from '../testing/batches.ts';
import { exampleAnswer, exampleCause } from '../testing/cause.ts';
import { changeAt, driversOf, newChannel, saveChanges, testSecretBox } from '../testing/notify.ts';
import { testStorage } from '../testing/postgres.ts';
import type { Agent } from '../servers/types.ts';
import { founderOf } from '../tenancy/ids.ts';
import { type Owner, ownerOf } from '../tenancy/owner.ts';
import { sendDue } from './send-due.ts';
import type { Notification, Routing, SendResult } from './types.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const START = Date.parse('2026-02-01T12:00:00Z');
const FINDING = exampleCause().finding;
const LINE = `Likely cause: ${FINDING}`;

const db = testStorage();
let clock: TestClock;
let owner: Owner;
let agent: Agent;
let sent: Notification[];
let answer: SendResult;

beforeEach(async () => {
  await db.sql('DELETE FROM notify_channel');
  await db.sql('TRUNCATE server CASCADE');
  clock = new TestClock(START);
  owner = ownerOf(await newAccount(db.storage()));
  agent = await enrolledAgent(db.storage(), owner.organisationId, 'web-1');
  sent = [];
  answer = { outcome: 'delivered', detail: 'ok' };
});

const channel = (routing: Partial<Routing> = {}) =>
  newChannel(db.storage(), owner.organisationId, clock.now(), routing);
const change = (parts = {}) => saveChanges(db.storage(), agent.serverKey, changeAt(clock.now(), parts));
const send = () =>
  sendDue({
    storage: db.storage(),
    outbox: db.storage().notify.outbox,
    alertActing: db.storage().alertActing,
    drivers: driversOf({
      send: (_target, notification) => {
        if (answer.outcome === 'delivered') sent.push(notification);
        return Promise.resolve(answer);
      },
    }),
    secretBox: testSecretBox,
    clock,
    publicUrl: 'https://plimsoll.example',
    random: () => 1,
    observe: () => {},
  });
const pass = async (ms: number): Promise<void> => {
  clock.pass(ms / SECOND);
  await send();
};
const incidentId = async (): Promise<string> => {
  const { incidents } = await db.storage().incidents.list(owner, { state: 'open' }, { limit: 1, offset: 0 });
  return incidents[0]?.id ?? '';
};
const know = async (parts: Partial<CauseAnswer> = {}, findings: readonly string[] = [FINDING]) => {
  const kept = { answer: exampleAnswer(parts), findings };
  expect(await db.storage().incidentCauses.save(owner, await incidentId(), kept, clock.now())).toBe(true);
};
/** A channel has sent the message of an alert. */
const alerted = async (
  routing: Parameters<typeof channel>[0] = {},
  of: Parameters<typeof change>[0] = {},
): Promise<void> => {
  await channel(routing);
  await change(of);
  await pass(30 * SECOND);
};
/** The cause becomes known, and the next run sends it. */
const learn = async (...cause: Parameters<typeof know>): Promise<void> => {
  await know(...cause);
  await pass(15 * SECOND);
};
const texts = () => sent.map(({ title, lines }) => [title, ...lines]);

it('a message carries the cause that is known when it is sent, and no other message follows', async () => {
  await channel();
  await change();
  await know();
  await pass(30 * SECOND);
  expect(texts()).toEqual([['web-1: Memory 83 %, 3 over for 5 min, line 80 %', LINE]]);
  expect(sent[0]?.cause).toMatchObject({ mechanism: 'limit_below_peak', quote: null, next: 'Undo the rollout.' });
  await pass(MINUTE);
  await pass(MINUTE);
  expect(sent).toHaveLength(1);
});

it('is never delayed: the cause follows in one message of its own, once', async () => {
  await alerted();
  expect(texts()).toEqual([['web-1: Memory 83 %, 3 over for 5 min, line 80 %']]);
  await learn();
  expect(texts().slice(1)).toEqual([[`web-1: ${LINE}`]]);
  const { alerts } = await db.storage().alerts.list(owner, {}, { limit: 1, offset: 0 }, clock.now());
  expect(sent[1]).toMatchObject({
    level: 'warning',
    link: `https://plimsoll.example/alerts?alert=${alerts[0]?.id ?? ''}`,
    alerts: [{ alertId: alerts[0]?.id, state: 'repeated' }],
  });
  await know({}, ['Another cause.']);
  await pass(MINUTE);
  expect(sent).toHaveLength(2);
});

it('two causes are two lines', async () => {
  await channel();
  await change();
  await know({}, [FINDING, 'The disk of web-1 is full.']);
  await pass(30 * SECOND);
  expect(texts()[0]?.slice(1)).toEqual([LINE, 'Also likely: The disk of web-1 is full.']);
});

it('a channel that sent nothing about the incident sends no cause', async () => {
  await alerted({ levels: ['critical'] });
  await learn();
  expect(sent).toEqual([]);
});

it('nothing is sent when no cause was found, or when it is found after an hour', async () => {
  await alerted();
  await learn({ status: 'not_found', causes: [] }, []);
  expect(sent).toHaveLength(1);
  clock.pass(3600);
  await learn();
  expect(sent).toHaveLength(1);
});

it('what is over has no cause, and a cause that waits is dropped with it', async () => {
  await alerted();
  await know();
  answer = { outcome: 'failed', detail: 'down' };
  await pass(15 * SECOND);
  answer = { outcome: 'delivered', detail: 'ok' };
  await change({ kind: 'resolved', value: 40 });
  await pass(5 * MINUTE);
  expect(texts().slice(1)).toEqual([[expect.stringContaining('Resolved after')]]);
  expect(sent[1]?.cause).toBeNull();
  expect(await db.storage().notify.outbox.backlog()).toMatchObject({ waiting: 0 });
});

it('a cause that fails to be sent is tried again, and the rise of an alert is not held back by it', async () => {
  await alerted();
  await know();
  answer = { outcome: 'failed', detail: 'down' };
  await pass(15 * SECOND);
  await change({ kind: 'updated', level: 'critical', value: 97, threshold: 95 });
  answer = { outcome: 'delivered', detail: 'ok' };
  await pass(5 * MINUTE);
  expect(texts().slice(1)).toEqual([[expect.stringContaining('Now critical'), LINE]]);
  await pass(5 * MINUTE);
  expect(sent).toHaveLength(2);
});

describe('quiet hours and silences', () => {
  const quiet = (criticalPasses: boolean) => ({
    quietHours: { from: '12:00', to: '18:00', timeZone: 'UTC', criticalPasses },
  });

  it('hold the cause as they hold the alert', async () => {
    clock = new TestClock(START - MINUTE);
    await alerted(quiet(true));
    expect(sent).toHaveLength(1);
    clock.pass(60);
    await learn();
    expect(sent).toHaveLength(1);
    await pass(6 * 60 * MINUTE);
    expect(texts().slice(1)).toEqual([[`web-1: ${LINE}`]]);
  });

  it('let the cause of a critical alert pass with it', async () => {
    await alerted(quiet(true), { level: 'critical', value: 97, threshold: 95 });
    await learn();
    expect(sent).toHaveLength(2);
  });

  it('a silence that began after the alert holds the cause', async () => {
    await alerted();
    const all = {
      serverId: null,
      tagKey: null,
      tagValue: null,
      rule: null,
      subject: null,
      clusterId: null,
      namespace: null,
    };
    const period = { startsAt: clock.now(), endsAt: clock.now() + 60 * MINUTE, comment: '' };
    const by = { personId: founderOf(owner.organisationId), now: clock.now() };
    await db.storage().silences.create(owner, { ...all, ...period, metric: 'memory_usage' }, by);
    await learn();
    expect(sent).toHaveLength(1);
    await pass(60 * MINUTE);
    expect(texts().slice(1)).toEqual([[`web-1: ${LINE}`]]);
  });
});

describe('a log line', () => {
  it('is quoted only where an admin allowed it, and one at most', async () => {
    await channel();
    await change();
    const evidence = [...exampleCause().evidence, { text: 'second line', at: null, href: null, is_quote: true }];
    await know({ causes: [exampleCause({ evidence })] });
    await db.storage().notify.settings.put(owner, { quotesLogLines: true });
    await pass(30 * SECOND);
    expect(sent[0]?.cause?.quote).toBe('FATAL: out of memory in worker 3');
    expect(JSON.stringify(sent[0])).not.toContain('second line');
  });

  it('stays in the installation by default', async () => {
    await channel();
    await change();
    await know();
    await pass(30 * SECOND);
    expect(JSON.stringify(sent[0])).not.toContain('FATAL');
  });
});

it('an answer of the owner before is never sent to the next', async () => {
  const other = ownerOf(await newAccount(db.storage()));
  await change();
  await know();
  await db.sql('UPDATE server SET organisation_id = $1 WHERE key = $2', [other.organisationId, agent.serverKey]);
  await newChannel(db.storage(), other.organisationId, clock.now());
  await change({ kind: 'updated', level: 'critical', value: 97, threshold: 95 });
  await pass(30 * SECOND);
  expect(sent.map(({ cause }) => cause)).toEqual([null]);
});
