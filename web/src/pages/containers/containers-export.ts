import type { Container } from '@plimsoll/contract/wire/containers';
import type { ExportTable } from '../../components/export/export-file.ts';

const COLUMNS = [
  'id',
  'name',
  'hostname',
  'server_status',
  'image',
  'runtime',
  'project',
  'state',
  'since',
  'exit_code',
  'oom_killed',
  'oom_kills',
  'restarts',
  'restarts_last_hour',
  'cpu_cores',
  'memory_bytes',
  'memory_limit_bytes',
  'memory_percent',
] as const satisfies readonly (keyof Container)[];

/** Returns one row per container of the page, with the names of the API. */
export const containersTable = (containers: readonly Container[]): ExportTable => ({
  columns: [...COLUMNS],
  rows: containers.map((container) =>
    COLUMNS.map((name) => {
      const value = container[name];
      return typeof value === 'boolean' ? String(value) : value;
    }),
  ),
});
