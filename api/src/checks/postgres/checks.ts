import { isDeepStrictEqual } from 'node:util';
import type { CheckKind } from '@plimsoll/contract/rules/check-limits';
import type { Probe } from '@plimsoll/contract/wire/check-probes';
import { isUuid, type Database } from '../../database/database.ts';
import type { CheckDefinition as CheckRow, Prisma } from '../../database/generated/client.ts';
import { organisationIdOf, personIdOf } from '../../tenancy/ids.ts';
import type { Checks, SavedDraft } from '../store.ts';
import type { Check, Schedule } from '../types.ts';
import {
  bumpConfig,
  configRev,
  insertState,
  listForServer,
  nodesAt,
  pauseState,
  restartSchedule,
  resumeHeartbeat,
} from './check-config.ts';

export const checkOf = (row: CheckRow): Check => ({
  id: row.id,
  key: row.key,
  organisationId: organisationIdOf(row.organisationId),
  name: row.name,
  kind: row.kind as CheckKind,
  isEnabled: row.isEnabled,
  probe: row.probe as Probe | null,
  sealedSecrets: row.secrets === null ? null : Buffer.from(row.secrets),
  headerNames: row.headerNames,
  hasBody: row.hasBody,
  places: {
    api: row.runsOnApi,
    serverIds: row.serverIds,
    tag: row.tagKey === null ? null : { key: row.tagKey, value: row.tagValue },
  },
  sharesSecrets: row.sharesSecrets,
  needed: row.needed,
  retries: row.retries,
  intervalSeconds: row.intervalSeconds,
  heartbeat:
    row.schedule === null
      ? null
      : { schedule: row.schedule as unknown as Schedule, graceSeconds: row.graceSeconds ?? 0 },
  serverId: row.serverId,
  rev: Number(row.rev),
  createdAt: row.createdAt.getTime(),
  updatedAt: row.updatedAt.getTime(),
  createdBy: row.createdBy === null ? null : personIdOf(row.createdBy),
});

function columnsOf({ draft, sealedSecrets, headerNames, hasBody }: SavedDraft, now: number) {
  const every = {
    name: draft.name,
    isEnabled: draft.isEnabled,
    serverId: draft.serverId,
    updatedAt: new Date(now),
  };
  if (draft.probe === null)
    return {
      ...every,
      kind: 'heartbeat',
      runsOnApi: false,
      retries: 0,
      intervalSeconds: 60,
      schedule: { ...draft.heartbeat.schedule } satisfies Prisma.InputJsonObject,
      graceSeconds: draft.heartbeat.graceSeconds,
    };
  return {
    ...every,
    kind: draft.probe.kind,
    probe: draft.probe as unknown as Prisma.InputJsonObject,
    secrets: sealedSecrets === null ? null : Uint8Array.from(sealedSecrets),
    headerNames: [...headerNames],
    hasBody,
    runsOnApi: draft.places.api,
    serverIds: [...draft.places.serverIds],
    tagKey: draft.places.tag?.key ?? null,
    tagValue: draft.places.tag?.value ?? null,
    sharesSecrets: draft.sharesSecrets,
    needed: draft.needed,
    retries: draft.retries,
    intervalSeconds: draft.intervalSeconds,
  };
}

export const createCheckStore = (database: Database): Checks => {
  const { pool, prisma } = database;
  return {
    list: async ({ organisationId }) => {
      const orderBy = [{ name: 'asc' }, { id: 'asc' }] as const;
      return (await prisma.checkDefinition.findMany({ where: { organisationId }, orderBy: [...orderBy] })).map(checkOf);
    },
    count: ({ organisationId }) => prisma.checkDefinition.count({ where: { organisationId } }),
    listByKeys: async ({ organisationId }, keys) => {
      const rows = await prisma.checkDefinition.findMany({ where: { organisationId, key: { in: [...keys] } } });
      const found = new Map(rows.map((row) => [row.key, row]));
      return keys.flatMap((key) => {
        const row = found.get(key);
        return row === undefined ? [] : [checkOf(row)];
      });
    },
    get: async ({ organisationId }, id) => {
      if (!isUuid(id)) return null;
      const row = await prisma.checkDefinition.findFirst({ where: { id, organisationId } });
      return row && checkOf(row);
    },
    create: async ({ organisationId }, saved, { id, createdBy, keyHash }, now) => {
      const made = { id, organisationId, createdBy, createdAt: new Date(now) };
      const key = keyHash === null ? {} : { keyHash: Uint8Array.from(keyHash) };
      const row = await prisma.checkDefinition.create({ data: { ...columnsOf(saved, now), ...made, ...key } });
      await insertState(pool, row.key, saved.draft.probe === null, now);
      return checkOf(row);
    },
    update: async ({ organisationId }, id, saved, now) => {
      if (!isUuid(id)) return null;
      const data = { ...columnsOf(saved, now), rev: { increment: 1 } };
      const before = await prisma.checkDefinition.findFirst({ where: { id, organisationId } });
      const { count } = await prisma.checkDefinition.updateMany({ where: { id, organisationId }, data });
      if (count === 0) return null;
      const row = await prisma.checkDefinition.findFirst({ where: { id, organisationId } });
      if (row?.isEnabled === false) await pauseState(pool, row.key, now);
      else if (row && before && row.schedule !== null) {
        if (!before.isEnabled) await resumeHeartbeat(pool, row.key, now);
        else if (!isDeepStrictEqual(before.schedule, row.schedule)) await restartSchedule(pool, row.key, now);
      }
      return row && checkOf(row);
    },
    delete: async ({ organisationId }, id) =>
      isUuid(id) && (await prisma.checkDefinition.deleteMany({ where: { id, organisationId } })).count === 1,
    bumpConfig: ({ organisationId }) => bumpConfig(pool, organisationId),
    configRev: (organisationId) => configRev(pool, organisationId),
    nodesAt: ({ organisationId }, host) => nodesAt(pool, organisationId, host),
    ofServer: async (organisationId, serverId) => {
      const ids = await listForServer(pool, organisationId, serverId);
      const rows = await prisma.checkDefinition.findMany({ where: { id: { in: ids } }, orderBy: { key: 'asc' } });
      return rows.map(checkOf);
    },
  };
};
