// SQL finds a session with its person and role: each request runs it, and Prisma would send three statements.
import type { Session, Sessions } from '../store.ts';
import { JOIN_MEMBERSHIP, MEMBERSHIP, membershipOf, type MembershipRow } from '../../tenancy/membership-sql.ts';
import { bytesOf } from '../../database/bytes.ts';
import type { Database } from '../../database/database.ts';
import type { Session as SessionRow } from '../../database/generated/client.ts';
import { personIdOf } from '../../tenancy/ids.ts';

export interface FoundSession extends MembershipRow {
  id: string;
  created_at: Date;
  expires_at: Date;
}
export const FIND_SESSION = `SELECT s.id, s.account_id, s.created_at, s.expires_at, ${MEMBERSHIP}
  FROM session s JOIN account a ON a.id = s.account_id AND a.is_active ${JOIN_MEMBERSHIP}
  WHERE s.token_hash = $1 AND s.expires_at > $2`;

const sessionOf = (row: SessionRow): Session => ({
  id: row.id,
  personId: personIdOf(row.personId),
  createdAt: row.createdAt.getTime(),
  expiresAt: row.expiresAt.getTime(),
});

export const createSessionStore = ({ prisma, pool }: Database): Sessions => ({
  create: async ({ personId, tokenHash, expiresAt, from }, now) =>
    sessionOf(
      await prisma.session.create({
        data: {
          personId,
          tokenHash: bytesOf(tokenHash),
          createdAt: new Date(now),
          expiresAt: new Date(expiresAt),
          ...from,
        },
      }),
    ),
  find: async (tokenHash, now) => {
    const values = [tokenHash, new Date(now)];
    const { rows } = await pool.query<FoundSession>({ name: 'session_by_token', text: FIND_SESSION, values });
    const [row] = rows;
    if (!row) return null;
    const times = { createdAt: row.created_at.getTime(), expiresAt: row.expires_at.getTime() };
    return {
      id: row.id,
      personId: row.account_id,
      personName: row.person_name,
      ...times,
      membership: membershipOf(row),
    };
  },
  revoke: async (tokenHash) => {
    await prisma.session.deleteMany({ where: { tokenHash: bytesOf(tokenHash) } });
  },
});
