import { randomBytes } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { newPerson } from '../../testing/batches.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import type { Membership, Role } from '../role.ts';
import { type PersonId, personIdOf } from '../ids.ts';
import { purgeAccount } from '../../accounts/settings/purge-account.ts';

const NOW = Date.now();
const HOUR = 3_600_000;

describeEachPostgres('membership', (db) => {
  let founder: PersonId;
  let member: PersonId;
  const join = (role: Role) =>
    db.sql('UPDATE membership SET organisation_id = $2, role = $3 WHERE account_id = $1', [member, founder, role]);
  const ofSession = async (personId: PersonId): Promise<Membership | undefined> => {
    const tokenHash = randomBytes(32);
    await db.storage().sessions.create({ personId, tokenHash, expiresAt: NOW + HOUR }, NOW);
    return (await db.storage().sessions.find(tokenHash, NOW))?.membership;
  };

  beforeEach(async () => {
    [founder, member] = [await newPerson(db.storage()), await newPerson(db.storage())];
  });

  it('makes each new account the admin of an organisation with its id, also one inserted by version 0.1.0', async () => {
    expect(await ofSession(founder)).toEqual({ organisationId: founder, role: 'admin' });
    const [row] = await db.sql<{ id: string }>(
      "INSERT INTO account (email, name, created_at) VALUES ('old@example.com', 'Old', now()) RETURNING id",
    );
    const id = personIdOf(row?.id ?? '');
    expect(await ofSession(id)).toEqual({ organisationId: id, role: 'admin' });
    expect(await db.sql('SELECT id, name FROM organisation WHERE id = $1', [id])).toEqual([{ id, name: 'Old' }]);
  });

  it('comes with the session and with the API token', async () => {
    await join('viewer');
    expect(await ofSession(member)).toEqual({ organisationId: founder, role: 'viewer' });
    const { apiTokens } = db.storage().identity;
    const entry = {
      name: 'ci',
      scopes: ['read'] as const,
      tokenHash: randomBytes(32),
      lastFour: 'abcd',
      expiresAt: null,
    };
    await apiTokens.replace(member, entry, NOW);
    expect(await apiTokens.find(entry.tokenHash, NOW)).toMatchObject({
      person: { id: member, name: 'Ada' },
      token: { name: 'ci' },
      membership: { organisationId: founder, role: 'viewer' },
      scopes: ['read'],
    });
  });

  it('ends with the organisation: the member is the admin of its own again', async () => {
    await join('editor');
    await purgeAccount(db.storage(), founder, NOW);
    expect(await ofSession(member)).toEqual({ organisationId: member, role: 'admin' });
  });

  it('holds no role but the three', async () => {
    await expect(join('owner' as Role)).rejects.toThrow(/membership_role_check/);
  });
});
