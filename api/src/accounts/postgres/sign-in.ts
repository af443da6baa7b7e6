// SQL settles a second factor: one atomic statement. Everything else goes through Prisma.
import type { Identities, SecondFactors, SessionList, SignInFlows } from '../store.ts';
import type { SessionRecord, Provider } from '../types.ts';
import { bytesOf } from '../../database/bytes.ts';
import { isUuid, nullWhereMissing } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { timestamp as at } from '../../database/time.ts';
import { personIdOf } from '../../tenancy/ids.ts';

export const createSessionList = ({ prisma }: Database): SessionList => ({
  list: async (personId, now) => {
    const rows = await prisma.session.findMany({
      where: { personId, expiresAt: { gt: new Date(now) } },
      orderBy: { createdAt: 'desc' },
    });
    return rows.map((row): SessionRecord => ({
      id: row.id,
      createdAt: row.createdAt.getTime(),
      expiresAt: row.expiresAt.getTime(),
      userAgent: row.userAgent,
      address: row.address,
      method: row.method,
    }));
  },
  revoke: async (personId, id) => {
    if (!isUuid(id)) return false;
    return (await prisma.session.deleteMany({ where: { personId, id } })).count === 1;
  },
});

export const createSignInFlowStore = ({ prisma }: Database): SignInFlows => ({
  create: async (stateHash, { provider, verifier, nonce, bindingHash, invitationHash, expiresAt }) => {
    await prisma.signInFlow.create({
      data: {
        stateHash: bytesOf(stateHash),
        provider,
        verifier,
        nonce,
        bindingHash: bytesOf(bindingHash),
        invitationHash: invitationHash && bytesOf(invitationHash),
        expiresAt: new Date(expiresAt),
      },
    });
  },
  consume: async (stateHash, now) => {
    // Nobody else clears the expired ones.
    await prisma.signInFlow.deleteMany({ where: { expiresAt: { lte: new Date(now) } } });
    // Prisma sends one DELETE … RETURNING, so of two callers at once exactly one gets the flow.
    const row = await prisma.signInFlow
      .delete({ where: { stateHash: bytesOf(stateHash), expiresAt: { gt: new Date(now) } } })
      .catch(nullWhereMissing);
    if (!row) return null;
    const { provider, verifier, nonce, bindingHash, invitationHash } = row;
    return {
      provider: provider as Provider,
      verifier,
      nonce,
      bindingHash: Buffer.from(bindingHash),
      invitationHash: invitationHash && Buffer.from(invitationHash),
    };
  },
});

export const createIdentityStore = ({ prisma }: Database): Identities => ({
  find: async (provider, subject) => {
    const where = { provider_subject: { provider, subject } };
    const row = await prisma.signInIdentity.findUnique({ where, select: { personId: true } });
    return row && personIdOf(row.personId);
  },
  describe: async (personId, { name, avatarUrl, githubUsername }) => {
    const known = githubUsername === undefined ? {} : { githubUsername };
    await prisma.account.updateMany({ where: { id: personId }, data: { name, avatarUrl, ...known } });
  },
});

/**
 * One statement decides and writes, so that of two sign-ins with one code exactly one passes. Prisma has no COALESCE.
 */
const SETTLE = `UPDATE account SET totp_last_step = $2, totp_confirmed_at = COALESCE(totp_confirmed_at, ${at('$3')})
  WHERE id = $1 AND totp_secret IS NOT NULL AND COALESCE(totp_last_step, 0) < $2`;
const UNCONFIRMED = { totpConfirmedAt: null, totpLastStep: null };

export const createSecondFactorStore = ({ pool, prisma }: Database): SecondFactors => ({
  get: async (personId) => {
    const row = await prisma.account.findUnique({
      where: { id: personId },
      select: { totpSecret: true, totpConfirmedAt: true },
    });
    const secret = row?.totpSecret ?? null;
    return { secret: secret && Buffer.from(secret), confirmed: (row?.totpConfirmedAt ?? null) !== null };
  },
  begin: async (personId, secret) => {
    const { count } = await prisma.account.updateMany({
      where: { id: personId, totpConfirmedAt: null },
      data: { totpSecret: bytesOf(secret), ...UNCONFIRMED },
    });
    return count === 1;
  },
  settle: async (personId, step, now) => (await pool.query(SETTLE, [personId, step, now])).rowCount === 1,
  remove: async (personId) => {
    await prisma.account.updateMany({ where: { id: personId }, data: { totpSecret: null, ...UNCONFIRMED } });
  },
});
