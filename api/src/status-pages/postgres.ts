import { memberOf } from '../accounts/owner.ts';
import { isUuid, type Database } from '../database/database.ts';
import type { StatusPage as PageRow, StatusPageServer as ServerRow } from '../database/generated/client.ts';
import type { StatusPages } from './store.ts';
import type { StatusPage, StatusPageDraft } from './types.ts';

const include = { servers: { orderBy: { position: 'asc' } } } as const;

const pageOf = (row: PageRow & { servers: ServerRow[] }): StatusPage => ({
  id: row.id,
  slug: row.slug,
  title: row.title,
  message: row.message,
  servers: row.servers.map(({ serverId, label }) => ({ serverId, label })),
  showsNames: row.showsNames,
  showsFigures: row.showsFigures,
  isIndexable: row.isIndexable,
  isPublished: row.isPublished,
  expiresAt: row.expiresAt?.getTime() ?? null,
  createdAt: row.createdAt.getTime(),
  updatedAt: row.updatedAt.getTime(),
});

const columnsOf = ({ servers, expiresAt, ...draft }: StatusPageDraft, now: number) => ({
  ...draft,
  expiresAt: expiresAt === null ? null : new Date(expiresAt),
  updatedAt: new Date(now),
  servers: { create: servers.map((server, position) => ({ ...server, position })) },
});

export const createStatusPageStore = ({ prisma }: Database): StatusPages => ({
  list: async ({ accountId }) => {
    const orderBy = [{ createdAt: 'asc' }, { id: 'asc' }] as const;
    return (await prisma.statusPage.findMany({ where: { accountId }, orderBy: [...orderBy], include })).map(pageOf);
  },
  get: async ({ accountId }, id) => {
    if (!isUuid(id)) return null;
    const row = await prisma.statusPage.findFirst({ where: { id, accountId }, include });
    return row && pageOf(row);
  },
  create: async ({ accountId }, draft, slug, now) =>
    pageOf(
      await prisma.statusPage.create({
        data: { ...columnsOf(draft, now), accountId, slug, createdAt: new Date(now) },
        include,
      }),
    ),
  update: ({ accountId }, id, draft, now) =>
    prisma.$transaction(async (transaction) => {
      if (!isUuid(id)) return null;
      // Locks the row, so that two changes at once do not both insert the servers.
      const { count } = await transaction.statusPage.updateMany({
        where: { id, accountId },
        data: { updatedAt: new Date(now) },
      });
      if (count === 0) return null;
      await transaction.statusPageServer.deleteMany({ where: { pageId: id } });
      return pageOf(await transaction.statusPage.update({ where: { id }, data: columnsOf(draft, now), include }));
    }),
  delete: async ({ accountId }, id) =>
    isUuid(id) && (await prisma.statusPage.deleteMany({ where: { id, accountId } })).count === 1,
  find: async (slug) => {
    const row = await prisma.statusPage.findUnique({ where: { slug }, include });
    return row && { owner: memberOf({ organisationId: row.accountId, role: 'viewer' }), page: pageOf(row) };
  },
});
