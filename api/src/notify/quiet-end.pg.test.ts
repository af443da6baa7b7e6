import { randomUUID } from 'node:crypto';
import { ALERT_LEVELS } from '@plimsoll/contract/rules/limits';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ownerOf } from '../tenancy/owner.ts';
import type { Agent } from '../servers/types.ts';
import { TestClock } from '../testing/app.ts';
import { enrolledAgent, newAccount } from '../testing/batches.ts';
import { httpStandIn, type HttpStandIn } from '../testing/http-stand-in.ts';
import { changeAt, driversOf, saveChanges, testSecretBox } from '../testing/notify.ts';
import { testStorage } from '../testing/postgres.ts';
import { sealSecrets } from './channel-secrets.ts';
import { createTelegram } from './channels/telegram.ts';
import { sendDue, type SenderDeps } from './send-due.ts';
import type { OrganisationId } from '../tenancy/ids.ts';

const HOUR = 3600;
const TOKEN = '123456:AAAAAAAAAAAAAAAA';
const db = testStorage();
let telegram: HttpStandIn;
let clock: TestClock;
let agent: Agent;
let organisationId: OrganisationId;

beforeEach(async () => {
  await db.sql('DELETE FROM notify_channel');
  clock = new TestClock(Date.parse('2026-02-01T12:00:00Z'));
  organisationId = await newAccount(db.storage());
  agent = await enrolledAgent(db.storage(), organisationId, 'web-1');
  telegram = await httpStandIn();
  const id = randomUUID();
  await db.storage().notify.channels.create(
    ownerOf(organisationId),
    {
      id,
      type: 'telegram',
      name: 'Ops',
      settings: { chat_id: '-100200' },
      sealedSecrets: sealSecrets(testSecretBox, id, { bot_token: TOKEN }),
      secretEnds: { bot_token: 'AAAA' },
      routing: { levels: ALERT_LEVELS, tags: {}, quietHours: null, repeatMinutes: null },
    },
    clock.now(),
  );
});
afterEach(() => telegram.close());

const goDown = () => telegram.answer(() => ({ status: 502, body: '' }));
const comeBack = () => telegram.answer(() => ({ status: 200, body: '{"ok":true,"result":{}}' }));
const texts = () => telegram.received.map(({ body }) => (JSON.parse(body) as { text: string }).text.split('\n')[0]);
const deps = (parts: Partial<SenderDeps> = {}): SenderDeps => ({
  storage: db.storage(),
  outbox: db.storage().notify.outbox,
  alertActing: db.storage().alertActing,
  drivers: driversOf(createTelegram({ allowedRanges: [], timeoutMs: 2000 }, telegram.url)),
  secretBox: testSecretBox,
  clock,
  publicUrl: null,
  random: () => 1,
  observe: () => {},
  ...parts,
});
const change = (parts = {}) => saveChanges(db.storage(), agent.serverKey, changeAt(clock.now(), parts));
const pass = async (seconds: number, parts: Partial<SenderDeps> = {}) => {
  clock.pass(seconds);
  await sendDue(deps(parts));
};
const outcomes = async () =>
  (await db.storage().notify.deliveries.list(ownerOf(organisationId), {}, { limit: 100, offset: 0 })).deliveries.map(
    ({ outcome }) => outcome,
  );

it('says nothing of an alert that began and ended while Telegram was down', async () => {
  goDown();
  await change();
  for (let tries = 0; tries < 5; tries += 1) await pass(300);
  await change({ kind: 'updated', level: 'critical', value: 97, threshold: 95 });
  await pass(300);
  await change({ kind: 'resolved', value: 60 });
  await pass(300);
  comeBack();
  telegram.received.length = 0;
  await pass(HOUR);
  expect(telegram.received).toEqual([]);
  expect((await db.storage().notify.outbox.backlog()).waiting).toBe(0);
  expect(new Set(await outcomes())).toEqual(new Set(['failed']));
});

it('reports an alert that is still open when Telegram is back, and then its end', async () => {
  goDown();
  await change();
  await pass(HOUR);
  comeBack();
  telegram.received.length = 0;
  await pass(HOUR);
  await change({ kind: 'resolved', value: 60 });
  await pass(60);
  expect(texts()).toEqual([
    '<b>web-1: Memory 83 %, 3 over for 5 min, line 80 %</b>',
    '<b>web-1: Resolved after 2 h: Memory 60 %</b>',
  ]);
});

it('reports the end where a process ended in the middle of the message, also when Telegram is down afterwards', async () => {
  comeBack();
  await change();
  const settle = () => Promise.reject(new Error('killed'));
  await expect(pass(30, { outbox: { ...db.storage().notify.outbox, settle } })).rejects.toThrow('killed');
  expect(texts()).toHaveLength(1);
  goDown();
  await pass(HOUR);
  await change({ kind: 'resolved', value: 60 });
  comeBack();
  telegram.received.length = 0;
  await pass(HOUR);
  expect(texts()).toEqual(['<b>web-1: Resolved after 1 h 1 min: Memory 60 %</b>']);
});
