// SQL corrects the latest figures, a table that no model writes. Hidden parts go through Prisma.
import type { Database } from '../database/database.ts';
import type { HiddenParts } from './store.ts';
import type { HiddenPart } from './types.ts';

/** $1 server key. A figure larger than its whole is a reading gone wrong, as in stored-figures.ts. */
const CORRECT_DISK = `UPDATE server_latest l SET disk_percent = (
    SELECT max(100 * f.used_bytes / (f.used_bytes + f.available_bytes))
    FROM server_parts p CROSS JOIN LATERAL json_to_recordset(p.filesystems)
      AS f(mount text, used_bytes double precision, available_bytes double precision)
    WHERE p.server_key = $1 AND f.used_bytes + f.available_bytes > 0
      AND NOT EXISTS (SELECT FROM hidden_part h
        WHERE h.server_key = $1 AND h.kind = 'filesystem' AND h.subject = f.mount))
  WHERE l.server_key = $1
    AND EXISTS (SELECT FROM server_parts p WHERE p.server_key = $1 AND json_typeof(p.filesystems) = 'array')`;

export const createHiddenPartStore = ({ pool, prisma }: Database): HiddenParts => ({
  of: async ({ server }) => {
    const rows = await prisma.hiddenPart.findMany({
      where: { serverKey: server.key },
      orderBy: [{ kind: 'asc' }, { subject: 'asc' }],
    });
    return rows.map(({ kind, subject, hiddenAt }) => ({
      kind: kind as HiddenPart['kind'],
      subject,
      hiddenAt: hiddenAt.getTime(),
    }));
  },
  hide: async ({ server }, { kind, subject, hiddenAt }) => {
    await prisma.hiddenPart.createMany({
      data: [{ serverKey: server.key, kind, subject, hiddenAt: new Date(hiddenAt) }],
      skipDuplicates: true,
    });
  },
  show: async ({ server }, { kind, subject }) => {
    const { count } = await prisma.hiddenPart.deleteMany({ where: { serverKey: server.key, kind, subject } });
    return count > 0;
  },
  correctDisk: async ({ server }) => {
    await pool.query(CORRECT_DISK, [server.key]);
  },
  mounts: async () => {
    const rows = await prisma.hiddenPart.findMany({
      where: { kind: 'filesystem' },
      select: { serverKey: true, subject: true },
    });
    const byServer = Map.groupBy(rows, ({ serverKey }) => serverKey);
    return new Map([...byServer].map(([key, parts]) => [key, new Set(parts.map(({ subject }) => subject))]));
  },
});
