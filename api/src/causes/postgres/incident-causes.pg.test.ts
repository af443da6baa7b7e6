import { beforeEach, expect, it } from 'vitest';
import type { CauseAnswer } from '@plimsoll/contract/wire/causes';
import { TestClock } from '../../testing/app.ts';
import { enrolledAgent, newAccount } from '../../testing/batches.ts';
import { exampleAnswer } from '../../testing/cause.ts';
import { changeAt, saveChanges } from '../../testing/notify.ts';
import { testStorage } from '../../testing/postgres.ts';
import type { Agent } from '../../servers/types.ts';
import { type Owner, ownerOf } from '../../tenancy/owner.ts';
import { DUE } from '../freshness.ts';

const db = testStorage();
let clock: TestClock;
let owner: Owner;

beforeEach(async () => {
  await db.sql('TRUNCATE server, incident CASCADE');
  clock = new TestClock(Date.parse('2026-02-01T12:00:00Z'));
  owner = ownerOf(await newAccount(db.storage()));
});

const causes = () => db.storage().incidentCauses;
const claim = async (most = 100): Promise<string[]> =>
  (await causes().claimDue(clock.now(), most)).map(({ incidentId }) => incidentId);
const open = async (hostname: string, parts = {}): Promise<Agent> => {
  const agent = await enrolledAgent(db.storage(), owner.organisationId, hostname);
  await saveChanges(db.storage(), agent.serverKey, changeAt(clock.now(), parts));
  return agent;
};
const incidents = async () =>
  (await db.storage().incidents.list(owner, {}, { limit: 100, offset: 0 })).incidents.map(({ id }) => id);
const save = (id: string, answer: CauseAnswer = exampleAnswer(), findings = ['It is the rollout.']) =>
  causes().save(owner, id, { answer, findings }, clock.now());

it('a new incident is due at once, and for one replica only', async () => {
  await open('web-1');
  const [id] = await incidents();
  const [first, second] = await Promise.all([claim(), claim()]);
  expect([...first, ...second]).toEqual([id]);
  expect(await claim()).toEqual([]);
});

it('is due again when an alert joins, but not within 20 s', async () => {
  const agent = await open('web-1');
  await claim();
  await save((await incidents())[0] ?? '');
  const cpu = { rule: 'default-cpu', metric: 'cpu_usage', title: 'CPU usage above 80%' };
  clock.pass(19);
  await saveChanges(db.storage(), agent.serverKey, changeAt(clock.now(), cpu));
  expect(await claim()).toEqual([]);
  clock.pass(1);
  expect(await claim()).toHaveLength(1);
});

it('is computed again while it is young, because evidence arrives late; then only when alerts join', async () => {
  await open('web-1');
  const [id = ''] = await incidents();
  let times = 0;
  for (let minute = 0; minute < 30; minute += 1) {
    const due = await claim();
    times += due.length;
    if (due.length > 0) await save(id);
    clock.pass(60);
  }
  expect(times).toBe(DUE.youngMs / DUE.againMs);
});

it('an incident whose computation failed is tried again after a minute, however old it is', async () => {
  await open('web-1');
  await claim();
  clock.pass(3600);
  expect(await claim()).toHaveLength(1);
  clock.pass(59);
  expect(await claim()).toEqual([]);
  clock.pass(1);
  expect(await claim()).toHaveLength(1);
});

it('a resolved incident is not due', async () => {
  const agent = await open('web-1');
  await saveChanges(db.storage(), agent.serverKey, changeAt(clock.now() + 1000, { kind: 'resolved', value: 1 }));
  expect(await claim()).toEqual([]);
});

it('at most 30 a minute, those without an answer and the gravest first', async () => {
  for (let index = 0; index < 40; index += 1) await open(`web-${String(index)}`);
  await open('gravest', { level: 'critical' });
  const run = await causes().claimDue(clock.now(), 1);
  const [gravest] = await db.sql<{ id: string }>(`SELECT id FROM incident WHERE level = 'critical'`);
  expect(run.map(({ incidentId }) => incidentId)).toEqual([gravest?.id]);
  const claimed = await claim();
  expect(claimed).toHaveLength(DUE.aMinute - 1);
  clock.pass(59);
  expect(await claim()).toEqual([]);
  clock.pass(1);
  const waited = (await incidents()).filter((id) => id !== gravest?.id && !claimed.includes(id));
  expect(waited).toHaveLength(11);
  expect(
    await causes()
      .claimDue(clock.now(), 11)
      .then((due) => due.map(({ incidentId }) => incidentId).toSorted()),
  ).toEqual(waited.toSorted());
});

it('keeps the newest answer, for its owner only, as long as the incident', async () => {
  await open('web-1');
  const [id = ''] = await incidents();
  expect(await causes().get(owner, id)).toBeNull();
  await save(id);
  const newer = exampleAnswer({ symptoms: 7 });
  await save(id, newer);
  expect(await causes().get(owner, id)).toEqual(newer);
  const other = ownerOf(await newAccount(db.storage()));
  expect(await causes().get(other, id)).toBeNull();
  expect(await causes().save(other, id, { answer: newer, findings: [] }, clock.now())).toBe(false);
  await db.sql('DELETE FROM alert WHERE incident_id = $1', [id]);
  await db.sql('DELETE FROM incident WHERE id = $1', [id]);
  expect(await db.sql('SELECT * FROM incident_cause')).toEqual([]);
});

it('a server that changes hands takes no answer along, and its open incident is due again', async () => {
  const agent = await open('web-1');
  const [id = ''] = await incidents();
  await claim();
  await save(id);
  const next = ownerOf(await newAccount(db.storage()));
  await db.sql('UPDATE server SET organisation_id = $1 WHERE key = $2', [next.organisationId, agent.serverKey]);
  const list = async () => (await db.storage().incidents.list(next, {}, { limit: 1, offset: 0 })).incidents;
  expect(await causes().get(owner, id)).toBeNull();
  expect(await causes().get(next, id)).toBeNull();
  expect(await list()).toMatchObject([{ id, likelyCause: null }]);
  clock.pass(20);
  expect(await causes().claimDue(clock.now(), 1)).toEqual([{ incidentId: id, organisationId: next.organisationId }]);
  expect(await list()).toMatchObject([{ likelyCause: null }]);
  expect(await db.sql('SELECT answer, findings FROM incident_cause')).toEqual([{ answer: null, findings: [] }]);
});

it('lists show the first sentence', async () => {
  await open('web-1');
  const [id = ''] = await incidents();
  await save(id, exampleAnswer(), ['First.', 'Second.']);
  const listed = await db.storage().incidents.list(owner, {}, { limit: 1, offset: 0 });
  expect(listed.incidents).toMatchObject([{ likelyCause: 'First.' }]);
  const { alerts } = await db.storage().alerts.list(owner, {}, { limit: 1, offset: 0 }, clock.now());
  expect(alerts).toMatchObject([{ incident: { id, likelyCause: 'First.' } }]);
});

it('an answer that another version stored in another form is computed again', async () => {
  await open('web-1');
  const [id = ''] = await incidents();
  await save(id);
  await db.sql(`UPDATE incident_cause SET answer = '{"status": "of another form"}'`);
  expect(await causes().get(owner, id)).toBeNull();
});
