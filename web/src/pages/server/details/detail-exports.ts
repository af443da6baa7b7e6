import type { ContainerPart } from '@plimsoll/contract/wire/container-part';
import { percentOf } from '@plimsoll/contract/rules/percent-of';
import type {
  FilesystemPart,
  InterfacePart,
  SourceHealth,
  TemperaturePart,
  UnitPart,
} from '@plimsoll/contract/wire/report';
import type { DiskForecast } from '@plimsoll/contract/wire/servers';
import type { ExportTable } from '../../../components/export/export-file.ts';
import { shareOf } from '../../../format/server-facts.ts';
import type { LimitRow } from './limit-rows.ts';
import type { PressureRow } from './pressure-rows.ts';

/** Tables of the exports of a server's details: plain figures in base units, with the unit in the name. */

export const mountsExport = (
  filesystems: readonly FilesystemPart[],
  forecastOf: (filesystem: FilesystemPart) => DiskForecast | null,
): ExportTable => ({
  columns: [
    'mount',
    'type',
    'used_percent',
    'used_bytes',
    'available_bytes',
    'size_bytes',
    'inodes_used_percent',
    'line_percent',
    'reaches_line_at',
    'became_read_only',
  ],
  rows: filesystems.map((each) => {
    const forecast = forecastOf(each);
    return [
      each.mount,
      each.type,
      shareOf(each.used_bytes, each.available_bytes),
      each.used_bytes,
      each.available_bytes,
      each.size_bytes,
      percentOf(each.inodes_used, each.inodes_total),
      forecast?.line ?? null,
      forecast?.reaches_at ?? null,
      String(each.became_read_only === true),
    ];
  }),
});

const RATES = [
  'receive_bytes_per_second',
  'transmit_bytes_per_second',
  'receive_errors_per_second',
  'transmit_errors_per_second',
  'receive_drops_per_second',
  'transmit_drops_per_second',
] as const;
export const interfacesExport = (interfaces: readonly InterfacePart[]): ExportTable => ({
  columns: ['interface', ...RATES, 'up'],
  rows: interfaces.map((each) => [each.name, ...RATES.map((rate) => each[rate]), each.up]),
});

export const containersExport = (containers: readonly ContainerPart[]): ExportTable => ({
  columns: ['id', 'name', 'cpu_percent_of_one_core', 'memory_bytes', 'memory_limit_bytes', 'image', 'runtime'],
  rows: containers.map((each) => [
    each.id,
    each.name,
    each.cpu_percent,
    each.memory_bytes,
    each.memory_limit_bytes,
    each.image,
    each.runtime,
  ]),
});

export const unitsExport = (units: readonly UnitPart[]): ExportTable => ({
  columns: ['unit', 'state', 'detail', 'restarts'],
  rows: units.map(({ name, state, sub_state: detail, restarts }) => [name, state, detail, restarts]),
});

export const temperaturesExport = (temperatures: readonly TemperaturePart[]): ExportTable => ({
  columns: ['sensor', 'chip', 'celsius', 'critical_celsius'],
  rows: temperatures.map((each) => [each.label, each.chip, each.celsius, each.critical_celsius]),
});

export const pressureExport = (rows: readonly PressureRow[]): ExportTable => ({
  columns: ['waiting_for', 'tasks', 'percent_10_s', 'percent_1_min', 'percent_5_min'],
  rows: rows.map(({ resource, tasks, shares }) => [resource, tasks, ...(shares ?? [null, null, null])]),
});

export const limitsExport = (rows: readonly LimitRow[]): ExportTable => ({
  columns: ['limit', 'in_use', 'most', 'percent'],
  rows: rows.map(({ name, used, max, percent }) => [name, used, max, percent]),
});

export const sourcesExport = (sources: readonly (readonly [string, SourceHealth])[]): ExportTable => ({
  columns: ['source', 'ok', 'duration_ms', 'error'],
  rows: sources.map(([name, { ok, duration_ms: took, error }]) => [name, ok, took, error]),
});
