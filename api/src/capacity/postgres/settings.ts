import { CPU_LIMIT_POLICIES } from '@plimsoll/contract/rules/capacity-settings';
import type { Database } from '../../database/database.ts';
import { type AdviceRules, DEFAULT_ADVICE, type Price } from '../advice.ts';
import type { CapacitySettings } from '../store.ts';

/** Columns of the settings of an organisation; null without a row. */
export interface StoredAdvice {
  cpuPercentile: number | null;
  memorySurplusPercent: number | null;
  days: number | null;
  cpuLimit: string | null;
}

/** Returns the stored settings, of what is not stored the default. */
export const adviceOf = (stored: StoredAdvice): AdviceRules => ({
  cpuPercentile: stored.cpuPercentile ?? DEFAULT_ADVICE.cpuPercentile,
  memorySurplusPercent: stored.memorySurplusPercent ?? DEFAULT_ADVICE.memorySurplusPercent,
  days: stored.days ?? DEFAULT_ADVICE.days,
  cpuLimit: CPU_LIMIT_POLICIES.find((one) => one === stored.cpuLimit) ?? DEFAULT_ADVICE.cpuLimit,
});

const priceOf = ({ currency, coreHour, gbHour }: Price): Price => ({ currency, coreHour, gbHour });

export const createCapacitySettings = ({ prisma }: Database): CapacitySettings => ({
  get: async ({ organisationId }) => {
    const row = await prisma.capacitySetting.findUnique({ where: { organisationId } });
    return row && adviceOf({ ...row, memorySurplusPercent: row.memorySurplus });
  },
  put: async ({ organisationId }, { memorySurplusPercent: memorySurplus, ...advice }, now) => {
    const data = { ...advice, memorySurplus, updatedAt: new Date(now) };
    await prisma.capacitySetting.upsert({
      where: { organisationId },
      create: { organisationId, ...data },
      update: data,
    });
  },
  listPrices: async ({ organisationId }) => {
    const rows = await prisma.clusterPrice.findMany({
      where: { cluster: { organisationId } },
      include: { cluster: { select: { uid: true, name: true } } },
      orderBy: [{ cluster: { name: 'asc' } }, { clusterKey: 'asc' }],
    });
    return rows.map(({ cluster, ...row }) => ({ ...priceOf(row), clusterId: cluster.uid, clusterName: cluster.name }));
  },
  getPrice: async ({ organisationId }, uid) => {
    const row = await prisma.clusterPrice.findFirst({ where: { cluster: { organisationId, uid } } });
    return row && priceOf(row);
  },
  putPrice: async (clusterKey, price, now) => {
    const data = { ...priceOf(price), updatedAt: new Date(now) };
    await prisma.clusterPrice.upsert({ where: { clusterKey }, create: { clusterKey, ...data }, update: data });
  },
  deletePrice: async (clusterKey) => (await prisma.clusterPrice.deleteMany({ where: { clusterKey } })).count === 1,
});
