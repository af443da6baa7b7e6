import type { RememberedDevices } from '../store.ts';
import { bytesOf } from '../../database/bytes.ts';
import type { Database } from '../../database/database.ts';
import { withModels } from '../../database/transaction.ts';
import { personIdOf } from '../../tenancy/ids.ts';

export const createRememberedDeviceStore = (database: Database): RememberedDevices => ({
  create: ({ deviceHash, personId, expiresAt }, most, now) =>
    withModels(database, async ({ rememberedDevice }) => {
      const data = {
        deviceHash: bytesOf(deviceHash),
        personId,
        createdAt: new Date(now),
        expiresAt: new Date(expiresAt),
      };
      await rememberedDevice.create({ data, select: { deviceHash: true } });
      const newest = await rememberedDevice.findMany({
        where: { personId, expiresAt: { gt: new Date(now) } },
        orderBy: [{ createdAt: 'desc' }, { deviceHash: 'asc' }],
        take: most,
        select: { deviceHash: true },
      });
      const kept = newest.map((device) => device.deviceHash);
      await rememberedDevice.deleteMany({ where: { personId, deviceHash: { notIn: kept } } });
    }),
  find: async (deviceHash, now) => {
    const where = { deviceHash: bytesOf(deviceHash), expiresAt: { gt: new Date(now) } };
    const row = await database.prisma.rememberedDevice.findUnique({ where, select: { personId: true } });
    return row && personIdOf(row.personId);
  },
  forget: async (personId, except) => {
    const others = except && { deviceHash: { not: bytesOf(except) } };
    await database.prisma.rememberedDevice.deleteMany({ where: { personId, ...others } });
  },
});
