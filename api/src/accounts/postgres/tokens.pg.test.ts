import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { newAccount, newPerson } from '../../testing/batches.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;

describeEachPostgres('accounts and tokens', (db) => {
  const enrol = async (
    enrolmentTokenId: string,
    machineHash: Buffer,
    cloned = false,
    organisationId: OrganisationId | null = null,
  ) => {
    const tokenHash = randomBytes(32);
    const request = {
      enrolmentTokenId,
      organisationId,
      machineHash,
      hostname: 'web-1',
      tokenHash,
      cloned,
      tags: { env: 'prod' },
      reportIntervalSeconds: 60,
    };
    return { tokenHash, ...(await db.storage().agents.enrol(request, NOW)) };
  };
  const enrolmentToken = (organisationId: OrganisationId | null) =>
    db.storage().enrolmentTokens.create(
      {
        owner: organisationId === null ? null : ownerOf(organisationId),
        tokenHash: randomBytes(32),
        expiresAt: NOW + HOUR,
        createdBy: null,
      },
      NOW,
    );

  it('hands what belongs to the instance to the first account, and nothing to the second', async () => {
    const token = await enrolmentToken(null);
    const { serverId } = await enrol(token.id, randomBytes(32));
    expect(await db.storage().accounts.count()).toBe(0);
    expect(await db.storage().accounts.oldest()).toBeNull();
    const both = await Promise.all([newAccount(db.storage()), newAccount(db.storage())]);
    const lists = await Promise.all(both.map((id) => db.storage().servers.listAll(ownerOf(id))));
    expect(lists.flat().map(({ server }) => server.id)).toEqual([serverId]);
    expect(await db.storage().accounts.count()).toBe(2);
    expect(both).toContain((await db.storage().accounts.oldest())?.id);
    const younger = await db
      .storage()
      .accounts.create({ email: 'younger@example.org', name: '', passwordHash: null }, NOW + HOUR);
    expect((await db.storage().accounts.oldest())?.id).not.toBe(younger.id);
    const late = await enrol(token.id, randomBytes(32));
    const { rows } = { rows: await db.sql('SELECT organisation_id FROM server WHERE id = $1', [late.serverId]) };
    expect(rows[0]).not.toEqual({ organisation_id: null });
  });

  it('refuses a second account with the address, in whatever case', async () => {
    const account = { email: 'Ada@Example.org', name: 'Ada', passwordHash: 'hash' };
    const created = await db.storage().accounts.create(account, NOW);
    expect(created).toMatchObject({ email: 'ada@example.org', isActive: true, createdAt: NOW, lastLoginAt: null });
    await expect(db.storage().accounts.create({ ...account, email: 'ada@EXAMPLE.org' }, NOW)).rejects.toMatchObject({
      code: 'email_taken',
    });
    expect(await db.storage().accounts.findByEmail('ADA@example.org')).toMatchObject({ passwordHash: 'hash' });
    await db.storage().accounts.recordLogin(created.id, NOW + 5);
    expect(await db.storage().accounts.get(created.id)).toMatchObject({ lastLoginAt: NOW + 5 });
  });

  it('finds no account by a wrong id or address', async () => {
    expect(await db.storage().accounts.get('not-a-uuid')).toBeNull();
    expect(await db.storage().accounts.get(randomUUID())).toBeNull();
    expect(await db.storage().accounts.findByEmail('nobody@example.org')).toBeNull();
  });

  it('finds a session until it expires or is revoked', async () => {
    const personId = await newPerson(db.storage());
    const tokenHash = randomBytes(32);
    const session = await db.storage().sessions.create({ personId, tokenHash, expiresAt: NOW + HOUR }, NOW);
    expect(await db.storage().sessions.find(tokenHash, NOW)).toEqual({
      ...session,
      personName: 'Ada',
      membership: { organisationId: session.personId, role: 'admin' },
    });
    expect(await db.storage().sessions.find(tokenHash, NOW + HOUR)).toBeNull();
    expect(await db.storage().sessions.find(randomBytes(32), NOW)).toBeNull();
    await db.storage().sessions.revoke(tokenHash);
    expect(await db.storage().sessions.find(tokenHash, NOW)).toBeNull();
  });

  it('finds no session of an account that was switched off', async () => {
    const personId = await newPerson(db.storage());
    const tokenHash = randomBytes(32);
    await db.storage().sessions.create({ personId, tokenHash, expiresAt: NOW + HOUR }, NOW);
    await db.sql('UPDATE account SET is_active = false WHERE id = $1', [personId]);
    expect(await db.storage().sessions.find(tokenHash, NOW)).toBeNull();
  });

  it('lets a code be used once, in time, and only by the browser it is bound to', async () => {
    const codes = db.storage().signInCodes;
    const [codeHash, bindingHash] = [randomBytes(32), randomBytes(32)];
    await codes.create({ codeHash, personId: null, bindingHash, expiresAt: NOW + 1 }, NOW);
    expect(await codes.consume(codeHash, randomBytes(32), NOW)).toBeNull();
    expect(await codes.consume(codeHash, null, NOW)).toBeNull();
    expect(await codes.consume(codeHash, bindingHash, NOW + 1)).toBeNull();
    expect(await codes.peek(codeHash, NOW)).toEqual({ personId: null });
    const uses = await Promise.all(Array.from({ length: 5 }, () => codes.consume(codeHash, bindingHash, NOW)));
    expect(uses.filter((use) => use !== null)).toEqual([{ personId: null }]);
    expect(await codes.peek(codeHash, NOW)).toBeNull();
  });

  it('knows an enrolment token until it expires', async () => {
    const organisationId = await newAccount(db.storage());
    const tokenHash = randomBytes(32);
    const tokens = db.storage().enrolmentTokens;
    const entry = { owner: ownerOf(organisationId), tokenHash, expiresAt: NOW + HOUR, createdBy: null };
    const { id } = await tokens.create(entry, NOW);
    expect(await tokens.find(tokenHash, NOW)).toEqual({ id, organisationId });
    expect(await tokens.find(tokenHash, NOW + HOUR)).toBeNull();
    expect(await tokens.find(randomBytes(32), NOW)).toBeNull();
  });

  it('gives one machine of one owner one server, and its older token dies', async () => {
    const organisationId = await newAccount(db.storage());
    const token = await enrolmentToken(organisationId);
    const machine = randomBytes(32);
    const first = await enrol(token.id, machine, false, organisationId);
    const second = await enrol(token.id, machine, false, organisationId);
    expect(second.serverId).toBe(first.serverId);
    expect(await db.storage().agents.findByToken(first.tokenHash)).toEqual({ state: 'unknown' });
    expect(await db.storage().agents.findByToken(second.tokenHash)).toMatchObject({
      state: 'known',
      agent: { serverId: first.serverId, organisationId },
    });
    const clone = await enrol(token.id, machine, true, organisationId);
    expect(clone.serverId).not.toBe(first.serverId);
    const other = await newAccount(db.storage());
    const elsewhere = await enrol((await enrolmentToken(other)).id, machine, false, other);
    expect(elsewhere.serverId).not.toBe(first.serverId);
  });

  it('lets both tokens work until the new one is used', async () => {
    const token = await enrolmentToken(await newAccount(db.storage()));
    const { tokenHash } = await enrol(token.id, randomBytes(32));
    const found = await db.storage().agents.findByToken(tokenHash);
    if (found.state !== 'known') throw new Error('the token just given is unknown');
    const [lost, next] = [randomBytes(32), randomBytes(32)];
    await db.storage().agents.offerToken(found.agent, lost, NOW);
    await db.storage().agents.offerToken(found.agent, next, NOW);
    expect(await db.storage().agents.findByToken(lost)).toEqual({ state: 'unknown' });
    expect(await db.storage().agents.findByToken(tokenHash)).toMatchObject({ state: 'known' });
    expect(await db.storage().agents.findByToken(next)).toMatchObject({ state: 'known' });
    expect(await db.storage().agents.findByToken(tokenHash)).toEqual({ state: 'unknown' });
    expect(await db.storage().agents.findByToken(next)).toMatchObject({ state: 'known' });
  });

  it('marks a server uninstalled on that goodbye only', async () => {
    const organisationId = await newAccount(db.storage());
    const { tokenHash, serverId } = await enrol((await enrolmentToken(organisationId)).id, randomBytes(32));
    const found = await db.storage().agents.findByToken(tokenHash);
    if (found.state !== 'known') throw new Error('the token just given is unknown');
    await db.storage().agents.signOff(found.agent, 'restart', NOW);
    const uninstalledAt = async () =>
      (await db.storage().servers.get(ownerOf(organisationId), serverId))?.server.uninstalledAt;
    expect(await uninstalledAt()).toBeNull();
    await db.storage().agents.signOff(found.agent, 'uninstall', NOW + 1);
    expect(await uninstalledAt()).toBe(NOW + 1);
  });

  it('answers for a foreign server as for an unknown one', async () => {
    const { serverId } = await enrol((await enrolmentToken(await newAccount(db.storage()))).id, randomBytes(32));
    const stranger = ownerOf(await newAccount(db.storage()));
    expect(await db.storage().servers.get(stranger, serverId)).toBeNull();
    expect(await db.storage().servers.get(stranger, randomUUID())).toBeNull();
    expect(await db.storage().servers.get(stranger, "' OR 1=1")).toBeNull();
    expect(await db.storage().servers.listAll(stranger)).toEqual([]);
  });

  it('answers a ping, and keeps no token as it was given', async () => {
    await expect(db.storage().ping()).resolves.toBeUndefined();
    const columns = await db.sql<{ type: string }>(
      `SELECT data_type AS type FROM information_schema.columns WHERE column_name LIKE '%\\_hash' AND column_name <> 'password_hash' AND table_schema = 'public'`,
    );
    expect(columns.length).toBeGreaterThan(5);
    expect(new Set(columns.map(({ type }) => type))).toEqual(new Set(['bytea']));
  });
});
