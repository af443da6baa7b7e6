import { beforeEach, describe, expect, it } from 'vitest';
import { ownerOf } from '../tenancy/owner.ts';
import type { SilenceDraft } from '../alerts/silence-match.ts';
import type { Agent } from '../servers/types.ts';
import { TestClock } from '../testing/app.ts';
import { enrolledAgent, newAccount } from '../testing/batches.ts';
import { changeAt, driversOf, newChannel, saveChanges, testSecretBox } from '../testing/notify.ts';
import { testStorage } from '../testing/postgres.ts';
import { sendDue } from './send-due.ts';
import { founderOf, type OrganisationId } from '../tenancy/ids.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-02-01T12:00:00Z');
const db = testStorage();

describe('the sender and silences', () => {
  let clock: TestClock;
  let organisationId: OrganisationId;
  let agent: Agent;
  let sent: string[];

  beforeEach(async () => {
    await db.sql('DELETE FROM notify_channel');
    clock = new TestClock(START);
    organisationId = await newAccount(db.storage());
    agent = await enrolledAgent(db.storage(), organisationId, 'web-1');
    sent = [];
    await newChannel(db.storage(), organisationId, clock.now());
  });

  const pass = async (minutes: number): Promise<void> => {
    clock.pass(minutes * 60);
    await sendDue({
      storage: db.storage(),
      outbox: db.storage().notify.outbox,
      alertActing: db.storage().alertActing,
      drivers: driversOf({
        send: (_target, { title }) => {
          sent.push(title);
          return Promise.resolve({ outcome: 'delivered', detail: 'ok' });
        },
      }),
      secretBox: testSecretBox,
      clock,
      publicUrl: null,
      random: () => 1,
      observe: () => {},
    });
  };
  const change = (parts = {}) => saveChanges(db.storage(), agent.serverKey, changeAt(clock.now(), parts));
  const by = () => ({ personId: founderOf(organisationId), now: clock.now() });
  const draft = (minutes: number, parts: Partial<SilenceDraft> = {}): SilenceDraft => ({
    serverId: null,
    tagKey: null,
    tagValue: null,
    metric: 'memory_usage',
    rule: null,
    subject: null,
    clusterId: null,
    namespace: null,
    comment: '',
    startsAt: clock.now(),
    endsAt: clock.now() + minutes * MINUTE,
    ...parts,
  });
  const silence = (minutes: number, parts: Partial<SilenceDraft> = {}) =>
    db.storage().silences.create(ownerOf(organisationId), draft(minutes, parts), by());

  it('sends nothing while it is silenced, and the alert once the silence ends while it fires', async () => {
    await silence(60);
    await change();
    await pass(1);
    await change({ kind: 'updated', level: 'critical', value: 97, threshold: 95 });
    await pass(58);
    expect(sent).toEqual([]);
    await pass(1);
    expect(sent).toEqual(['web-1: Now critical: Memory 97 %, 2 over for 6 min, line 95 %']);
    await pass(60);
    expect(sent).toHaveLength(1);
  });

  it('never sends an alert that opened and ended while it was silenced', async () => {
    await silence(60);
    await change();
    await pass(10);
    await change({ kind: 'resolved', value: 20 });
    await pass(10);
    await pass(60);
    expect(sent).toEqual([]);
    expect((await db.storage().notify.outbox.backlog()).waiting).toBe(0);
  });

  it('sends the end of a delivered alert after the silence', async () => {
    await change();
    await pass(1);
    await silence(60);
    await change({ kind: 'resolved', value: 20 });
    await pass(30);
    expect(sent).toHaveLength(1);
    await pass(30);
    expect(sent).toHaveLength(2);
    expect(sent[1]).toContain('Resolved after');
  });

  it('sends at once when the silence is deleted, or changed so that it no longer matches', async () => {
    const { id } = await silence(60);
    await change();
    await pass(5);
    const silences = db.storage().silences;
    expect(await silences.delete(ownerOf(organisationId), id, by())).toBe(true);
    await pass(0);
    expect(sent).toHaveLength(1);
    const second = await silence(60, { metric: 'cpu_usage' });
    await change({ rule: 'default-cpu', metric: 'cpu_usage', value: 91 });
    await pass(5);
    expect(sent).toHaveLength(1);
    await silences.update(ownerOf(organisationId), second.id, draft(60, { metric: 'disk_usage' }), clock.now());
    await pass(0);
    expect(sent).toHaveLength(2);
  });

  it.each([
    ['a tag of the server', { metric: null, tagKey: 'env', tagValue: 'prod' }, true],
    ['another value of the tag', { metric: null, tagKey: 'env', tagValue: 'test' }, false],
    ['another metric', { metric: 'cpu_usage' }, false],
    ['the key of the alert', { metric: null, rule: 'default-memory', subject: '' }, true],
    ['a namespace, which a host has not', { metric: null, namespace: 'shop' }, false],
    ['a silence that starts later', { startsAt: START + 30 * MINUTE }, false],
  ] as const)('is held by %s: %o %s', async (_name, parts, isHeld) => {
    await db.sql(`UPDATE server SET tags = '{"env": "prod"}' WHERE key = $1`, [agent.serverKey]);
    await silence(60, parts);
    await change();
    await pass(5);
    expect(sent).toHaveLength(isHeld ? 0 : 1);
  });

  it("is not held by another account's silence", async () => {
    const other = ownerOf(await newAccount(db.storage()));
    await db
      .storage()
      .silences.create(other, draft(60), { personId: founderOf(other.organisationId), now: clock.now() });
    await change();
    await pass(5);
    expect(sent).toHaveLength(1);
  });

  it('drops a repetition that waits when somebody acknowledges the alert', async () => {
    await db.sql(`UPDATE notify_channel SET routing = jsonb_set(routing, '{repeatMinutes}', '10')`);
    await change({ level: 'error', value: 92, threshold: 90 });
    await pass(1);
    await pass(10);
    expect(sent).toHaveLength(2);
    await pass(5);
    await db.storage().notify.outbox.repeat(clock.now() + 5 * MINUTE);
    await db.sql('UPDATE alert SET acknowledged_at = now() WHERE server_key = $1', [agent.serverKey]);
    await pass(5);
    await pass(60);
    expect(sent).toHaveLength(2);
    await change({ kind: 'updated', level: 'critical', value: 97, threshold: 95 });
    await pass(1);
    expect(sent).toHaveLength(3);
  });
});
