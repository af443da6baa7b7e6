// SQL takes an advisory lock, which Prisma does not have, while an account is created. Prisma does the rest.
import { CodedError } from '../../errors.ts';
import { normaliseEmail } from '../normalise-email.ts';
import type { Accounts } from '../store.ts';
import type { Account } from '../types.ts';
import { isUniqueViolation, isUuid } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import type { Account as AccountRow, Prisma } from '../../database/generated/client.ts';
import { type OrganisationId, ownOrganisationOf, personIdOf } from '../../tenancy/ids.ts';
import { withModels } from '../../database/transaction.ts';

const accountOf = (row: AccountRow): Account => ({
  id: personIdOf(row.id),
  email: row.email,
  name: row.name,
  avatarUrl: row.avatarUrl,
  githubUsername: row.githubUsername,
  isActive: row.isActive,
  createdAt: row.createdAt.getTime(),
  lastLoginAt: row.lastLoginAt?.getTime() ?? null,
});

/** Any constant: two first accounts created at once must not both find none. */
const FIRST_ACCOUNT_LOCK = 0x61_63_63_74;
/** Milliseconds. The first account may have to wait for another one, and takes over many servers. */
const CREATE_TIMEOUT_MS = 20_000;

/** Gives the organisation everything that belongs to the instance. Tokens first: enrolling locks its token. */
async function takeOver(transaction: Prisma.TransactionClient, organisationId: OrganisationId): Promise<void> {
  const change = { where: { organisationId: null }, data: { organisationId } };
  await transaction.enrolmentToken.updateMany(change);
  await transaction.server.updateMany(change);
  await transaction.cluster.updateMany(change);
  await transaction.clusterToken.updateMany(change);
}

export const createAccountStore = (database: Database): Accounts => {
  const { prisma } = database;
  const get = async (id: string): Promise<Account | null> => {
    const row = isUuid(id) ? await prisma.account.findUnique({ where: { id } }) : null;
    return row && accountOf(row);
  };
  const insert: Accounts['create'] = ({ email, name, passwordHash, identity }, now) =>
    withModels(
      database,
      async (transaction) => {
        await transaction.$executeRaw`SELECT pg_advisory_xact_lock(${FIRST_ACCOUNT_LOCK}::bigint)`;
        const known = await transaction.account.findFirst({ select: { id: true } });
        const row = await transaction.account.create({
          data: {
            email: normaliseEmail(email),
            name,
            passwordHash,
            createdAt: new Date(now),
            ...(identity && { signInIdentities: { create: { ...identity, createdAt: new Date(now) } } }),
          },
        });
        if (known === null) await takeOver(transaction, ownOrganisationOf(personIdOf(row.id)));
        return accountOf(row);
      },
      { timeout: CREATE_TIMEOUT_MS, maxWait: CREATE_TIMEOUT_MS },
    );
  return {
    count: () => prisma.account.count(),
    get,
    founderOf: get,
    oldest: async () => {
      const row = await prisma.account.findFirst({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
      return row && accountOf(row);
    },
    create: (account, now) =>
      insert(account, now).catch((error: unknown) => {
        if (!isUniqueViolation(error)) throw error;
        throw new CodedError('email_taken', 'An account with this e-mail address exists.', { field: 'email' });
      }),
    findByEmail: async (email) => {
      const row = await prisma.account.findUnique({ where: { email: normaliseEmail(email) } });
      return row && { ...accountOf(row), passwordHash: row.passwordHash };
    },
    recordLogin: async (id, now) => {
      await prisma.account.updateMany({ where: { id }, data: { lastLoginAt: new Date(now) } });
    },
    replaceHash: async (id, from, to) => {
      const { count } = await prisma.account.updateMany({
        where: { id, passwordHash: from },
        data: { passwordHash: to },
      });
      return count === 1;
    },
  };
};
