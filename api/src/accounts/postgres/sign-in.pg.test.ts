import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ownerOf, type Owner } from '../owner.ts';
import { newAccount } from '../../testing/batches.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';

const NOW = 1_770_000_000_000;
const HOUR = 3_600_000;

describeEachPostgres('signing in', (db) => {
  let owner: Owner;
  let stranger: Owner;
  const identity = () => db.storage().identity;
  const newSession = async (of: Owner, now: number, expiresAt = now + HOUR): Promise<Buffer> => {
    const tokenHash = randomBytes(32);
    await db.storage().sessions.create({ accountId: of.accountId, tokenHash, expiresAt }, now);
    return tokenHash;
  };
  beforeEach(async () => {
    owner = ownerOf(await newAccount(db.storage()));
    stranger = ownerOf(await newAccount(db.storage()));
  });

  describe('sessions', () => {
    it('are listed newest first with where they came from, those that ended left out', async () => {
      const [first, second] = [await newSession(owner, NOW), await newSession(owner, NOW + 1000)];
      await newSession(owner, NOW - 2 * HOUR, NOW);
      await newSession(stranger, NOW);
      const from = { userAgent: 'Firefox', address: '203.0.113.9', method: 'local' };
      await identity().sessionList.describe(second, from);
      const listed = await identity().sessionList.list(owner, NOW);
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
      expect(await identity().sessionList.list(owner, NOW + 2 * HOUR)).toEqual([]);
    });

    it('are ended by their owner only, each once', async () => {
      const tokenHash = await newSession(owner, NOW);
      const [session] = await identity().sessionList.list(owner, NOW);
      const id = session?.id ?? '';
      for (const wrong of [id, crypto.randomUUID(), 'nonsense', ''])
        expect([wrong, await identity().sessionList.revoke(stranger, wrong)]).toEqual([wrong, false]);
      expect(await db.storage().sessions.find(tokenHash, NOW)).not.toBeNull();
      expect(await identity().sessionList.revoke(owner, id)).toBe(true);
      expect(await db.storage().sessions.find(tokenHash, NOW)).toBeNull();
      expect(await identity().sessionList.revoke(owner, id)).toBe(false);
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
      const { teams } = identity();
      const subject = randomBytes(8).toString('hex');
      const known = { provider: 'oidc', subject } as const;
      const account = { email: `${subject}@example.org`, name: 'Ada', passwordHash: null, identity: known };
      await db.storage().accounts.create(account, NOW);
      const codeHash = randomBytes(32);
      const open = { codeHash, role: 'viewer', email: null, expiresAt: NOW + 1000 } as const;
      await teams.invite(owner, open, 5, NOW);
      const twin = { ...account, email: `twin-${subject}@example.org` };
      await expect(teams.signUp(codeHash, twin, NOW)).rejects.toMatchObject({ code: 'email_taken' });
      expect(await db.storage().accounts.findByEmail(twin.email)).toBeNull();
      expect(await teams.peek(codeHash, NOW)).not.toBeNull();
    });

    it('brings name and picture each time, and a GitHub name is not lost by another provider', async () => {
      const { identities } = identity();
      const described = { name: 'Ada L.', avatarUrl: 'https://example.org/a.png' };
      await identities.describe(owner.accountId, { ...described, githubUsername: 'ada' });
      await identities.describe(owner.accountId, { name: 'Ada', avatarUrl: null });
      expect(await db.storage().accounts.get(owner.accountId)).toMatchObject({
        name: 'Ada',
        avatarUrl: null,
        githubUsername: 'ada',
      });
    });
  });

  describe('a second factor', () => {
    const factor = () => identity().secondFactors;

    it('counts from its first code on, and begins anew with a new secret', async () => {
      const { accountId } = owner;
      expect(await factor().get(accountId)).toEqual({ secret: null, confirmed: false });
      expect(await factor().settle(accountId, 100, NOW)).toBe(false);
      await factor().begin(accountId, Buffer.from('one'));
      expect(await factor().get(accountId)).toEqual({ secret: Buffer.from('one'), confirmed: false });
      expect(await factor().settle(accountId, 100, NOW)).toBe(true);
      expect((await factor().get(accountId)).confirmed).toBe(true);
      await factor().begin(accountId, Buffer.from('two'));
      expect(await factor().get(accountId)).toEqual({ secret: Buffer.from('two'), confirmed: false });
      // The new secret's codes have steps of their own, and none is used.
      expect(await factor().settle(accountId, 100, NOW)).toBe(true);
    });

    it('takes no code twice, no older one, and one of two at once', async () => {
      const { accountId } = owner;
      await factor().begin(accountId, Buffer.from('secret'));
      expect(await factor().settle(accountId, 100, NOW)).toBe(true);
      for (const step of [100, 99, 1])
        expect([step, await factor().settle(accountId, step, NOW)]).toEqual([step, false]);
      const both = await Promise.all([factor().settle(accountId, 101, NOW), factor().settle(accountId, 101, NOW)]);
      expect(both.filter(Boolean)).toHaveLength(1);
    });

    it('is gone once removed, and nobody else’s is touched', async () => {
      for (const { accountId } of [owner, stranger]) {
        await factor().begin(accountId, Buffer.from('secret'));
        await factor().settle(accountId, 7, NOW);
      }
      await factor().remove(owner.accountId);
      expect(await factor().get(owner.accountId)).toEqual({ secret: null, confirmed: false });
      expect(await factor().settle(owner.accountId, 8, NOW)).toBe(false);
      expect(await factor().get(stranger.accountId)).toEqual({ secret: Buffer.from('secret'), confirmed: true });
    });
  });

  describe('the audit log', () => {
    it('is read newest first, page by page, with the true total, while entries come in', async () => {
      const { audit } = identity();
      const record = (of: Owner, action: string) =>
        audit.record({ accountId: of.accountId, action, address: '203.0.113.9', detail: { n: action } }, NOW);
      for (let n = 1; n <= 5; n += 1) await record(owner, `did-${String(n)}`);
      await record(stranger, 'theirs');
      const first = await audit.list(owner, { limit: 2, offset: 0 });
      expect([first.total, first.entries.map(({ action }) => action)]).toEqual([5, ['did-5', 'did-4']]);
      expect(first.entries[0]).toMatchObject({ at: NOW, address: '203.0.113.9', detail: { n: 'did-5' } });
      expect((await audit.list(owner, { limit: 2, offset: 4 })).entries.map(({ action }) => action)).toEqual(['did-1']);
      expect(await audit.list(owner, { limit: 2, offset: 9 })).toEqual({ entries: [], total: 5 });
    });
  });
});
