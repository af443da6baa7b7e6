import type { IncidentImpact, IncidentState } from '@plimsoll/contract/rules/checks/status-page-limits';
import { isUuid, type Database } from '../../database/database.ts';
import type {
  StatusIncident as IncidentRow,
  StatusIncidentUpdate as UpdateRow,
} from '../../database/generated/client.ts';
import { withModels } from '../../database/transaction.ts';
import { personIdOf } from '../../tenancy/ids.ts';
import type { StatusIncidents } from '../store.ts';
import type { IncidentDraft, StatusIncident, StatusPage, UpdateDraft } from '../types.ts';

const include = { updates: { orderBy: [{ at: 'desc' as const }, { id: 'asc' as const }] } };

const personOf = (id: string | null) => (id === null ? null : personIdOf(id));

const incidentOf = (row: IncidentRow & { updates: UpdateRow[] }): StatusIncident => ({
  id: row.id,
  title: row.title,
  // Only the schemas of the wire write these columns.
  impact: row.impact as IncidentImpact,
  serverIds: row.serverIds,
  checkIds: row.checkIds,
  startedAt: row.startedAt.getTime(),
  nextUpdateAt: row.nextUpdateAt?.getTime() ?? null,
  resolvedAt: row.resolvedAt?.getTime() ?? null,
  updates: row.updates.map((update) => ({
    id: update.id,
    at: update.at.getTime(),
    state: update.state as IncidentState,
    text: update.text,
    createdBy: personOf(update.createdBy),
  })),
  createdBy: personOf(row.createdBy),
  updatedAt: row.updatedAt.getTime(),
});

const dateOrNull = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

const columnsOf = ({ title, impact, serverIds, checkIds, startedAt, nextUpdateAt }: IncidentDraft, now: number) => ({
  title,
  impact,
  serverIds,
  checkIds,
  startedAt: new Date(startedAt),
  nextUpdateAt: dateOrNull(nextUpdateAt),
  updatedAt: new Date(now),
});

const updateColumns = ({ state, text }: UpdateDraft, { by, now }: { by: string | null; now: number }) => ({
  state,
  text,
  at: new Date(now),
  createdBy: by,
});

type Models = Parameters<Parameters<typeof withModels>[1]>[0];

/** Readers cache a page until its `updatedAt` changes, so that it grows even where the clock stands. */
const touch = async (models: Models, { id }: StatusPage, now: number): Promise<void> => {
  const { updatedAt } = await models.statusPage.findUniqueOrThrow({ where: { id } });
  const later = new Date(Math.max(now, updatedAt.getTime() + 1));
  await models.statusPage.update({ where: { id }, data: { updatedAt: later } });
};

export function createIncidentStore(database: Database): StatusIncidents {
  const { prisma } = database;
  const change = (page: StatusPage, id: string, now: number, work: (models: Models) => Promise<boolean>) =>
    withModels(database, async (models) => {
      if (!isUuid(id)) return null;
      await touch(models, page, now);
      if ((await models.statusIncident.count({ where: { id, pageId: page.id } })) === 0 || !(await work(models)))
        return null;
      const row = await models.statusIncident.findUnique({ where: { id }, include });
      return row && incidentOf(row);
    });
  return {
    list: async (page, limit) => {
      const find = (where: object, take: number) =>
        prisma.statusIncident.findMany({
          where: { pageId: page.id, ...where },
          orderBy: [{ startedAt: 'desc' }, { id: 'asc' }],
          take,
          include,
        });
      const open = await find({ resolvedAt: null }, limit);
      return [...open, ...(await find({ resolvedAt: { not: null } }, limit - open.length))].map(incidentOf);
    },
    count: (page) => prisma.statusIncident.count({ where: { pageId: page.id } }),
    get: async (page, id) => {
      if (!isUuid(id)) return null;
      const row = await prisma.statusIncident.findFirst({ where: { id, pageId: page.id }, include });
      return row && incidentOf(row);
    },
    create: (page, draft, first, made) =>
      withModels(database, async (models) => {
        await touch(models, page, made.now);
        return incidentOf(
          await models.statusIncident.create({
            data: {
              ...columnsOf(draft, made.now),
              pageId: page.id,
              createdAt: new Date(made.now),
              createdBy: made.by,
              resolvedAt: first.state === 'resolved' ? new Date(made.now) : null,
              updates: { create: [updateColumns(first, made)] },
            },
            include,
          }),
        );
      }),
    update: (page, id, draft, now) =>
      change(page, id, now, async (models) => {
        await models.statusIncident.update({ where: { id }, data: columnsOf(draft, now) });
        return true;
      }),
    addUpdate: (page, id, { nextUpdateAt, ...update }, made) =>
      change(page, id, made.now, async (models) => {
        const known = await models.statusIncident.findUniqueOrThrow({ where: { id } });
        const end = known.resolvedAt ?? new Date(made.now);
        await models.statusIncident.update({
          where: { id },
          data: {
            updatedAt: new Date(made.now),
            nextUpdateAt: dateOrNull(nextUpdateAt),
            resolvedAt: update.state === 'resolved' ? end : null,
            updates: { create: [updateColumns(update, made)] },
          },
        });
        return true;
      }),
    setText: (page, id, { id: updateId, text }, now) =>
      change(page, id, now, async (models) => {
        const where = { id: updateId, incidentId: id };
        return (await models.statusIncidentUpdate.updateMany({ where, data: { text } })).count === 1;
      }),
    delete: (page, id, now) =>
      withModels(database, async (models) => {
        await touch(models, page, now);
        return (await models.statusIncident.deleteMany({ where: { id, pageId: page.id } })).count === 1;
      }),
  };
}
