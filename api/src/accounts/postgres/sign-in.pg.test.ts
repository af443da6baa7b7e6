import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ownerOf, type Owner } from '../../tenancy/owner.ts';
import type { AuditAction } from '../../tenancy/types.ts';
import { createMember } from '../sign-up-invited.ts';
import { newPerson } from '../../testing/batches.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import { ownOrganisationOf, type PersonId } from '../../tenancy/ids.ts';

const NOW = 1_770_000_000_000;
const HOUR = 3_600_000;

describeEachPostgres('signing in', (db) => {
  let person: PersonId;
  let stranger: PersonId;
  const identity = () => db.storage().identity;
  const newSession = async (personId: PersonId, now: number, expiresAt = now + HOUR): Promise<Buffer> => {
    const tokenHash = randomBytes(32);
    await db.storage().sessions.create({ personId, tokenHash, expiresAt }, now);
    return tokenHash;
  };
  beforeEach(async () => {
    person = await newPerson(db.storage());
    stranger = await newPerson(db.storage());
  });

  describe('sessions', () => {
    it('are listed newest first with where they came from, those that ended left out', async () => {
      const from = { userAgent: 'Firefox', address: '203.0.113.9', method: 'local' };
      const first = await newSession(person, NOW);
      const tokenHash = randomBytes(32);
      await db
        .storage()
        .sessions.create({ personId: person, tokenHash, expiresAt: NOW + 1000 + HOUR, from }, NOW + 1000);
      await newSession(person, NOW - 2 * HOUR, NOW);
      await newSession(stranger, NOW);
      const listed = await identity().sessionList.list(person, NOW);
      expect(listed).toMatchObject([
        {
          createdAt: NOW + 1000,
          expiresAt: NOW + 1000 + HOUR,
          userAgent: 'Firefox',
          address: '203.0.113.9',
          method: 'local',
        },
        { createdAt: NOW, expiresAt: NOW + HOUR, userAgent: null, address: null, method: null },
      ]);
      expect((await db.storage().sessions.find(first, NOW))?.id).toBe(listed[1]?.id);
      expect(await identity().sessionList.list(person, NOW + 2 * HOUR)).toEqual([]);
    });

    it('are ended by their owner only, each once', async () => {
      const tokenHash = await newSession(person, NOW);
      const [session] = await identity().sessionList.list(person, NOW);
      const id = session?.id ?? '';
      for (const wrong of [id, crypto.randomUUID(), 'nonsense', ''])
        expect([wrong, await identity().sessionList.revoke(stranger, wrong)]).toEqual([wrong, false]);
      expect(await db.storage().sessions.find(tokenHash, NOW)).not.toBeNull();
      expect(await identity().sessionList.revoke(person, id)).toBe(true);
      expect(await db.storage().sessions.find(tokenHash, NOW)).toBeNull();
      expect(await identity().sessionList.revoke(person, id)).toBe(false);
    });
  });

  describe('a sign-in at a provider', () => {
    const begin = async (expiresAt = NOW + HOUR): Promise<Buffer> => {
      const state = randomBytes(32);
      const flow = {
        provider: 'oidc' as const,
        verifier: 'v',
        nonce: 'n',
        bindingHash: Buffer.alloc(32, 5),
        invitationHash: Buffer.alloc(32, 6),
        expiresAt,
      };
      await identity().flows.create(state, flow);
      return state;
    };

    it('is found once by its state, with all that binds it', async () => {
      const state = await begin();
      expect(await identity().flows.consume(randomBytes(32), NOW)).toBeNull();
      expect(await identity().flows.consume(state, NOW)).toEqual({
        provider: 'oidc',
        verifier: 'v',
        nonce: 'n',
        bindingHash: Buffer.alloc(32, 5),
        invitationHash: Buffer.alloc(32, 6),
      });
      expect(await identity().flows.consume(state, NOW)).toBeNull();
    });

    it('is given to one of ten who come with the same state at once', async () => {
      const state = await begin();
      const found = await Promise.all(Array.from({ length: 10 }, () => identity().flows.consume(state, NOW)));
      expect(found.filter((one) => one !== null)).toHaveLength(1);
    });

    it('is over at its end, and goes with the next one', async () => {
      const [old, young] = [await begin(NOW), await begin()];
      expect(await identity().flows.consume(old, NOW)).toBeNull();
      await identity().flows.consume(young, NOW);
      expect(await db.sql('SELECT FROM sign_in_flow WHERE state_hash = ANY($1)', [[old, young]])).toEqual([]);
    });
  });

  describe('an identity', () => {
    it('is keyed on provider and subject, and links one account', async () => {
      const { identities } = identity();
      const subject = randomBytes(8).toString('hex');
      const signUp = (email: string) =>
        db
          .storage()
          .accounts.create({ email, name: email, passwordHash: null, identity: { provider: 'github', subject } }, NOW);
      const { id } = await signUp(`${subject}@example.org`);
      expect(await identities.find('github', subject)).toBe(id);
      expect(await identities.find('google', subject)).toBeNull();
      expect(await identities.find('github', `${subject}0`)).toBeNull();
      const twin = `twin-${subject}@example.org`;
      await expect(signUp(twin)).rejects.toMatchObject({ code: 'email_taken' });
      expect(await identities.find('github', subject)).toBe(id);
      // Neither half of the second one stays.
      expect(await db.storage().accounts.findByEmail(twin)).toBeNull();
    });

    it('costs no invitation when another account has it', async () => {
      const { teams } = db.storage().tenancy;
      const subject = randomBytes(8).toString('hex');
      const known = { provider: 'oidc', subject } as const;
      const account = { email: `${subject}@example.org`, name: 'Ada', passwordHash: null, identity: known };
      await db.storage().accounts.create(account, NOW);
      const codeHash = randomBytes(32);
      const open = { codeHash, role: 'viewer', email: null, expiresAt: NOW + 1000, createdBy: null } as const;
      await teams.invite(ownerOf(ownOrganisationOf(person)), open, 5, NOW);
      const twin = { ...account, email: `twin-${subject}@example.org` };
      const signUp = db.storage().inTransaction((stores) => createMember(stores, codeHash, twin, NOW));
      await expect(signUp).rejects.toMatchObject({ code: 'email_taken' });
      expect(await db.storage().accounts.findByEmail(twin.email)).toBeNull();
      expect(await teams.peek(codeHash, NOW)).not.toBeNull();
    });

    it('brings name and picture each time, and a GitHub name is not lost by another provider', async () => {
      const { identities } = identity();
      const described = { name: 'Ada L.', avatarUrl: 'https://example.org/a.png' };
      await identities.describe(person, { ...described, githubUsername: 'ada' });
      await identities.describe(person, { name: 'Ada', avatarUrl: null });
      expect(await db.storage().accounts.get(person)).toMatchObject({
        name: 'Ada',
        avatarUrl: null,
        githubUsername: 'ada',
      });
    });
  });

  describe('a second factor', () => {
    const factor = () => identity().secondFactors;

    it('counts from its first code on, and begins anew with a new secret once it is off', async () => {
      const personId = person;
      expect(await factor().get(personId)).toEqual({ secret: null, confirmed: false });
      expect(await factor().settle(personId, 100, NOW)).toBe(false);
      await factor().begin(personId, Buffer.from('one'));
      expect(await factor().get(personId)).toEqual({ secret: Buffer.from('one'), confirmed: false });
      expect(await factor().settle(personId, 100, NOW)).toBe(true);
      expect((await factor().get(personId)).confirmed).toBe(true);
      expect(await factor().begin(personId, Buffer.from('two'))).toBe(false);
      expect((await factor().get(personId)).secret).toEqual(Buffer.from('one'));
      await factor().remove(personId);
      expect(await factor().begin(personId, Buffer.from('two'))).toBe(true);
      expect(await factor().get(personId)).toEqual({ secret: Buffer.from('two'), confirmed: false });
      // The new secret's codes have steps of their own, and none is used.
      expect(await factor().settle(personId, 100, NOW)).toBe(true);
    });

    it('takes no code twice, no older one, and one of two at once', async () => {
      const personId = person;
      await factor().begin(personId, Buffer.from('secret'));
      expect(await factor().settle(personId, 100, NOW)).toBe(true);
      for (const step of [100, 99, 1])
        expect([step, await factor().settle(personId, step, NOW)]).toEqual([step, false]);
      const both = await Promise.all([factor().settle(personId, 101, NOW), factor().settle(personId, 101, NOW)]);
      expect(both.filter(Boolean)).toHaveLength(1);
    });

    it('is gone once removed, and nobody else’s is touched', async () => {
      for (const personId of [person, stranger]) {
        await factor().begin(personId, Buffer.from('secret'));
        await factor().settle(personId, 7, NOW);
      }
      await factor().remove(person);
      expect(await factor().get(person)).toEqual({ secret: null, confirmed: false });
      expect(await factor().settle(person, 8, NOW)).toBe(false);
      expect(await factor().get(stranger)).toEqual({ secret: Buffer.from('secret'), confirmed: true });
    });
  });

  describe('the audit log', () => {
    it('is read newest first, page by page, with the true total, while entries come in', async () => {
      const { audit } = db.storage().tenancy;
      const [owner, other] = [ownerOf(ownOrganisationOf(person)), ownerOf(ownOrganisationOf(stranger))];
      const by = { person: { id: person, name: 'Ada' }, token: { id: person, name: 'ci' }, address: '203.0.113.9' };
      const record = ({ organisationId }: Owner, action: string) =>
        audit.record({ ...by, organisationId }, action as AuditAction, { n: action }, NOW);
      for (let n = 1; n <= 5; n += 1) await record(owner, `did-${String(n)}`);
      await record(other, 'theirs');
      const first = await audit.list(owner, { limit: 2, offset: 0 });
      expect([first.total, first.entries.map(({ action }) => action)]).toEqual([5, ['did-5', 'did-4']]);
      expect(first.entries[0]).toMatchObject({ at: NOW, ...by, detail: { n: 'did-5' } });
      expect((await audit.list(owner, { limit: 2, offset: 4 })).entries.map(({ action }) => action)).toEqual(['did-1']);
      expect(await audit.list(owner, { limit: 2, offset: 9 })).toEqual({ entries: [], total: 5 });
    });
  });
});
