import { memberOf } from '../../tenancy/owner.ts';
import { isUuid, type Database } from '../../database/database.ts';
import type {
  StatusPage as PageRow,
  StatusPageCheck as CheckRow,
  StatusPageServer as ServerRow,
} from '../../database/generated/client.ts';
import type { StatusPages } from '../store.ts';
import type { StatusPage, StatusPageDraft } from '../types.ts';
import { organisationIdOf, personIdOf } from '../../tenancy/ids.ts';
import { withModels } from '../../database/transaction.ts';
import { createIncidentStore } from './incidents.ts';

const inOrder = { orderBy: { position: 'asc' } } as const;
const include = { servers: inOrder, checks: inOrder } as const;

const pageOf = (row: PageRow & { servers: ServerRow[]; checks: CheckRow[] }): StatusPage => ({
  id: row.id,
  slug: row.slug,
  title: row.title,
  message: row.message,
  servers: row.servers.map(({ serverId, label, group }) => ({ serverId, label, group })),
  checks: row.checks.map(({ checkId, label, group }) => ({ checkId, label, group })),
  showsNames: row.showsNames,
  showsFigures: row.showsFigures,
  showsMaintenance: row.showsMaintenance,
  isIndexable: row.isIndexable,
  isPublished: row.isPublished,
  expiresAt: row.expiresAt?.getTime() ?? null,
  createdBy: row.createdBy === null ? null : personIdOf(row.createdBy),
  createdAt: row.createdAt.getTime(),
  updatedAt: row.updatedAt.getTime(),
});

const columnsOf = ({ servers, checks, expiresAt, ...draft }: StatusPageDraft, now: number) => ({
  ...draft,
  expiresAt: expiresAt === null ? null : new Date(expiresAt),
  updatedAt: new Date(now),
  servers: { create: servers.map((server, position) => ({ ...server, position })) },
  checks: { create: checks.map((check, position) => ({ ...check, position })) },
});

export const createStatusPageStore = (database: Database): StatusPages => {
  const { prisma } = database;
  return {
    incidents: createIncidentStore(database),
    list: async ({ organisationId }) => {
      const orderBy = [{ createdAt: 'asc' }, { id: 'asc' }] as const;
      return (await prisma.statusPage.findMany({ where: { organisationId }, orderBy: [...orderBy], include })).map(
        pageOf,
      );
    },
    get: async ({ organisationId }, id) => {
      if (!isUuid(id)) return null;
      const row = await prisma.statusPage.findFirst({ where: { id, organisationId }, include });
      return row && pageOf(row);
    },
    create: async ({ organisationId }, draft, made, now) =>
      pageOf(
        await prisma.statusPage.create({
          data: { ...columnsOf(draft, now), organisationId, ...made, createdAt: new Date(now) },
          include,
        }),
      ),
    update: ({ organisationId }, id, draft, now) =>
      withModels(database, async (transaction) => {
        if (!isUuid(id)) return null;
        // Locks the row, so that two changes at once do not both insert the servers and the checks.
        const { count } = await transaction.statusPage.updateMany({
          where: { id, organisationId },
          data: { updatedAt: new Date(now) },
        });
        if (count === 0) return null;
        await transaction.statusPageServer.deleteMany({ where: { pageId: id } });
        await transaction.statusPageCheck.deleteMany({ where: { pageId: id } });
        return pageOf(await transaction.statusPage.update({ where: { id }, data: columnsOf(draft, now), include }));
      }),
    unpublish: async ({ organisationId }, id, now) => {
      if (!isUuid(id)) return false;
      const data = { isPublished: false, updatedAt: new Date(now) };
      return (await prisma.statusPage.updateMany({ where: { id, organisationId }, data })).count === 1;
    },
    delete: async ({ organisationId }, id) =>
      isUuid(id) && (await prisma.statusPage.deleteMany({ where: { id, organisationId } })).count === 1,
    find: async (slug) => {
      const row = await prisma.statusPage.findUnique({ where: { slug }, include });
      return (
        row && {
          owner: memberOf({ organisationId: organisationIdOf(row.organisationId), role: 'viewer' }),
          page: pageOf(row),
        }
      );
    },
  };
};
