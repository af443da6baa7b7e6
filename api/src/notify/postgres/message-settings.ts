import type { Database } from '../../database/database.ts';
import type { Notify } from '../store.ts';

export const createMessageSettings = ({ prisma }: Database): Notify['settings'] => ({
  get: async ({ organisationId }) => {
    const row = await prisma.notifySetting.findUnique({ where: { organisationId } });
    return { quotesLogLines: row?.quotesLogLines ?? false };
  },
  put: async ({ organisationId }, { quotesLogLines }) => {
    await prisma.notifySetting.upsert({
      where: { organisationId },
      create: { organisationId, quotesLogLines },
      update: { quotesLogLines },
    });
  },
});
