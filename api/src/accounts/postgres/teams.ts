// SQL counts and inserts an invitation in one statement, and uses one up together with what it grants.
import type { PoolClient } from 'pg';
import { CodedError } from '../../errors.ts';
import { type Database, inTransaction, isUniqueViolation, isUuid } from '../../database/database.ts';
import { roleOf, type Role } from '../role.ts';
import type { Account, NewAccount, Teams } from '../store.ts';
import type { Invitation, Member } from '../types.ts';

interface InvitationRow {
  id: string;
  organisation_id: string;
  role: string;
  email: string | null;
  created_at: Date;
  expires_at: Date;
}
const INVITATION = 'id, organisation_id, role, email, created_at, expires_at';

const invitationOf = (row: InvitationRow): Invitation => ({
  id: row.id,
  role: roleOf(row.role),
  email: row.email,
  createdAt: row.created_at.getTime(),
  expiresAt: row.expires_at.getTime(),
});

/** Two admins at once must not invite more than the limit: the row of the organisation is the lock. */
const LOCK = 'SELECT 1 FROM organisation WHERE id = $1 FOR UPDATE';
/** Nobody else clears the expired ones. */
const CLEAR = 'DELETE FROM invitation WHERE organisation_id = $1 AND expires_at <= $2';
const INVITE = `INSERT INTO invitation (organisation_id, code_hash, role, email, created_at, expires_at)
  SELECT $1, $2, $3, $4, $5, $6 WHERE (SELECT count(*) FROM invitation WHERE organisation_id = $1) < $7
  RETURNING ${INVITATION}`;
const USE = `DELETE FROM invitation WHERE code_hash = $1 AND expires_at > $2 RETURNING ${INVITATION}`;
/** An account without a row is the admin of its own organisation. */
const JOIN = `INSERT INTO membership (account_id, organisation_id, role, created_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (account_id) DO UPDATE
  SET organisation_id = excluded.organisation_id, role = excluded.role, created_at = excluded.created_at,
    is_from_groups = false`;
/** In its own organisation, alone, or in one by groups already: nobody else decided where the account belongs. */
const JOIN_BY_GROUPS = `WITH oldest AS (SELECT id FROM account ORDER BY created_at, id LIMIT 1)
  UPDATE membership m SET organisation_id = oldest.id, role = $2, is_from_groups = true,
    created_at = CASE WHEN m.organisation_id = oldest.id THEN m.created_at ELSE $3 END
  FROM oldest WHERE m.account_id = $1 AND m.account_id <> oldest.id AND (m.is_from_groups OR (m.organisation_id = m.account_id
    AND NOT EXISTS (SELECT FROM membership other WHERE other.organisation_id = $1 AND other.account_id <> $1)))`;
const ORGANISATION_BY_GROUPS = 'SELECT organisation_id FROM membership WHERE account_id = $1 AND is_from_groups';
/** Back to the organisation it founded. */
const LEAVE = `UPDATE membership SET organisation_id = account_id, role = 'admin', is_from_groups = false
  WHERE account_id = $2 AND organisation_id = $1 AND account_id <> organisation_id`;
const END_SESSIONS = 'DELETE FROM session WHERE account_id = $1 RETURNING id';
const TOKENS = 'SELECT id FROM api_token WHERE account_id = $1';
const CREATE_ACCOUNT = `INSERT INTO account (email, name, password_hash, created_at) VALUES ($1, $2, $3, $4)
  RETURNING id, email, name, created_at`;
const IDENTIFY = 'INSERT INTO sign_in_identity (provider, subject, account_id, created_at) VALUES ($1, $2, $3, $4)';

const membersOf = async ({ prisma }: Database, organisationId: string): Promise<Member[]> => {
  const rows = await prisma.membership.findMany({
    where: { organisationId },
    select: { accountId: true, role: true, createdAt: true, account: { select: { name: true, email: true } } },
  });
  return rows
    .map((row): Member => ({
      accountId: row.accountId,
      name: row.account.name,
      email: row.account.email,
      role: roleOf(row.role),
      isFounder: row.accountId === organisationId,
      joinedAt: row.createdAt.getTime(),
    }))
    .toSorted((a, b) => Number(b.isFounder) - Number(a.isFounder) || a.name.localeCompare(b.name));
};

/** Returns the invitation, used up. */
const use = async (client: PoolClient, codeHash: Buffer, now: number): Promise<InvitationRow | null> =>
  (await client.query<InvitationRow>(USE, [codeHash, new Date(now)])).rows[0] ?? null;

const remove = (client: PoolClient, organisationId: string, accountId: string): Promise<string[] | null> =>
  client.query(LEAVE, [organisationId, accountId]).then(async ({ rowCount }) => {
    if (rowCount !== 1) return null;
    const ended = await client.query<{ id: string }>(END_SESSIONS, [accountId]);
    const tokens = await client.query<{ id: string }>(TOKENS, [accountId]);
    return [...ended.rows, ...tokens.rows].map(({ id }) => id);
  });

export const createTeamStore = (database: Database): Teams => {
  const { prisma, pool } = database;
  return {
    get: async ({ organisationId }) => {
      const organisation = await prisma.organisation.findUnique({ where: { id: organisationId } });
      return { name: organisation?.name ?? '', members: await membersOf(database, organisationId) };
    },
    rename: async ({ organisationId }, name) => {
      await prisma.organisation.updateMany({ where: { id: organisationId }, data: { name } });
    },
    setRole: async ({ organisationId }, accountId, role: Role) => {
      if (!isUuid(accountId) || accountId === organisationId) return false;
      const where = { accountId, organisationId };
      return (await prisma.membership.updateMany({ where, data: { role } })).count === 1;
    },
    remove: async ({ organisationId }, accountId) =>
      isUuid(accountId) ? inTransaction(pool, (client) => remove(client, organisationId, accountId)) : null,
    invitations: async ({ organisationId }, now) => {
      const rows = await pool.query<InvitationRow>(
        `SELECT ${INVITATION} FROM invitation WHERE organisation_id = $1 AND expires_at > $2 ORDER BY created_at, id`,
        [organisationId, new Date(now)],
      );
      return rows.rows.map(invitationOf);
    },
    invite: ({ organisationId }, { codeHash, role, email, expiresAt }, most, now) =>
      inTransaction(pool, async (client) => {
        await client.query(LOCK, [organisationId]);
        await client.query(CLEAR, [organisationId, new Date(now)]);
        const values = [organisationId, codeHash, role, email, new Date(now), new Date(expiresAt), most];
        const [row] = (await client.query<InvitationRow>(INVITE, values)).rows;
        return row === undefined ? null : invitationOf(row);
      }),
    withdraw: async ({ organisationId }, id) =>
      isUuid(id) && (await prisma.invitation.deleteMany({ where: { id, organisationId } })).count === 1,
    peek: async (codeHash, now) => {
      const { rows } = await pool.query<InvitationRow & { organisation: string }>(
        `SELECT i.*, o.name AS organisation FROM invitation i JOIN organisation o ON o.id = i.organisation_id
         WHERE i.code_hash = $1 AND i.expires_at > $2`,
        [codeHash, new Date(now)],
      );
      const [row] = rows;
      return row === undefined ? null : { ...invitationOf(row), organisation: row.organisation };
    },
    hasMembers: async ({ accountId }) =>
      (await prisma.membership.count({ where: { organisationId: accountId, accountId: { not: accountId } } })) > 0,
    join: (codeHash, { accountId }, now) =>
      inTransaction(pool, async (client) => {
        const used = await use(client, codeHash, now);
        if (used === null) return false;
        await client.query(JOIN, [accountId, used.organisation_id, used.role, new Date(now)]);
        return true;
      }),
    joinByGroups: async (accountId, role, now) => {
      await pool.query(JOIN_BY_GROUPS, [accountId, role, new Date(now)]);
    },
    leaveByGroups: (accountId) =>
      inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ organisation_id: string }>(ORGANISATION_BY_GROUPS, [accountId]);
        const [row] = rows;
        return row === undefined ? [] : ((await remove(client, row.organisation_id, accountId)) ?? []);
      }),
    signUp: (codeHash, account, now) =>
      inTransaction(pool, (client) => createMember(client, codeHash, account, now)).catch((error: unknown) => {
        if (!isUniqueViolation(error)) throw error;
        throw new CodedError('email_taken', 'An account with this e-mail address exists.', {
          field: 'email',
          remedy: 'Sign in with it and open the invitation again.',
        });
      }),
  };
};

/** Rolled back as a whole: an address that is taken must not cost the invitation. */
async function createMember(
  client: PoolClient,
  codeHash: Buffer,
  { email, name, passwordHash, identity }: NewAccount,
  now: number,
): Promise<Account | null> {
  const used = await use(client, codeHash, now);
  if (used === null) return null;
  const created = await client.query<{ id: string; email: string; name: string; created_at: Date }>(CREATE_ACCOUNT, [
    email,
    name,
    passwordHash,
    new Date(now),
  ]);
  const [row] = created.rows;
  if (row === undefined) return null;
  await client.query(JOIN, [row.id, used.organisation_id, used.role, new Date(now)]);
  if (identity) await client.query(IDENTIFY, [identity.provider, identity.subject, row.id, new Date(now)]);
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    avatarUrl: null,
    githubUsername: null,
    isActive: true,
    createdAt: row.created_at.getTime(),
    lastLoginAt: null,
  };
}
