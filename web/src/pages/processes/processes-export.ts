import type { Process } from '@plimsoll/contract/wire/processes';
import type { ExportTable } from '../../components/export/export-file.ts';

const COLUMNS = [
  'hostname',
  'pid',
  'name',
  'command',
  'user',
  'status',
  'cpu_usage',
  'memory_usage',
  'memory_kb',
  'threads',
  'start_time',
  'timestamp',
] as const;

/** Returns one row per process with the names of the API: `cpu_usage` is per cent of one core. */
export const processesTable = (processes: readonly Process[]): ExportTable => ({
  columns: COLUMNS,
  rows: processes.map((process) => COLUMNS.map((name) => process[name])),
});
