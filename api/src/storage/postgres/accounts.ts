import { CodedError } from '../../errors.ts';
import type { Account, Accounts } from '../ports.ts';
import { inTransaction, isUniqueViolation, isUuid } from './database.ts';
import type { Database } from './database.ts';
import type { Account as AccountRow } from './generated/client.ts';

const accountOf = (row: AccountRow): Account => ({
  id: row.id,
  email: row.email,
  name: row.name,
  avatarUrl: row.avatarUrl,
  githubUsername: row.githubUsername,
  isActive: row.isActive,
  createdAt: row.createdAt.getTime(),
  lastLoginAt: row.lastLoginAt?.getTime() ?? null,
});

/** Addresses are compared without regard to case, as every mail system in use does. */
const normalEmail = (email: string): string => email.trim().toLowerCase();

/** Everything that belongs to the instance; the first account takes it over. Tokens first: enrolling locks its token. */
const OWNED_TABLES = ['enrolment_token', 'server', 'cluster', 'cluster_token'] as const;
/** Any constant: two first accounts created at once must not both find none. */
const FIRST_ACCOUNT_LOCK = 0x61_63_63_74;

const INSERT = `INSERT INTO account (email, name, password_hash, created_at)
  VALUES ($1, $2, $3, to_timestamp($4 / 1000.0)) RETURNING id`;

export const accountsOn = ({ pool, prisma }: Database): Accounts => {
  const get = async (id: string): Promise<Account | null> => {
    const row = isUuid(id) ? await prisma.account.findUnique({ where: { id } }) : null;
    return row && accountOf(row);
  };
  const insert = (account: Parameters<Accounts['create']>[0], now: number): Promise<string> =>
    inTransaction(pool, async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [FIRST_ACCOUNT_LOCK]);
      const { rowCount } = await client.query('SELECT 1 FROM account LIMIT 1');
      const { rows } = await client.query<{ id: string }>(INSERT, [
        normalEmail(account.email),
        account.name,
        account.passwordHash,
        now,
      ]);
      const id = rows[0]?.id ?? '';
      if (rowCount === 0) {
        for (const table of OWNED_TABLES) {
          await client.query(`UPDATE ${table} SET account_id = $1 WHERE account_id IS NULL`, [id]);
        }
      }
      return id;
    });
  return {
    count: () => prisma.account.count(),
    get,
    oldest: async () => {
      const row = await prisma.account.findFirst({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
      return row && accountOf(row);
    },
    create: async (account, now) => {
      const id = await insert(account, now).catch((error: unknown) => {
        if (!isUniqueViolation(error)) throw error;
        throw new CodedError('email_taken', 'An account with this e-mail address exists.', { field: 'email' });
      });
      const created = await get(id);
      if (!created) throw new Error('the account just created is gone');
      return created;
    },
    findByEmail: async (email) => {
      const row = await prisma.account.findUnique({ where: { email: normalEmail(email) } });
      return row && { ...accountOf(row), passwordHash: row.passwordHash };
    },
    recordLogin: async (id, now) => {
      await prisma.account.updateMany({ where: { id }, data: { lastLoginAt: new Date(now) } });
    },
    replaceHash: async (id, from, to) => {
      await prisma.account.updateMany({ where: { id, passwordHash: from }, data: { passwordHash: to } });
    },
  };
};
