import { expect, it } from 'vitest';
import {
  containersExport,
  interfacesExport,
  mountsExport,
  pressureExport,
  sourcesExport,
  temperaturesExport,
  unitsExport,
} from './detail-exports.ts';

it('writes a filesystem with its share and its forecast, and unknown where there is none', () => {
  const filesystem = {
    mount: '/data',
    type: 'ext4',
    used_bytes: 75,
    available_bytes: 25,
    size_bytes: 105,
    inodes_used: 1,
    inodes_total: 4,
  } as never;
  const forecast = { mount: '/data', line: 80, reaches_at: '2026-12-01T00:00:00.000Z' } as never;
  const { columns, rows } = mountsExport([filesystem], () => forecast);
  expect(Object.fromEntries(columns.map((name, index) => [name, rows[0]?.[index]]))).toEqual({
    mount: '/data',
    type: 'ext4',
    used_percent: 75,
    used_bytes: 75,
    available_bytes: 25,
    size_bytes: 105,
    inodes_used_percent: 25,
    line_percent: 80,
    reaches_line_at: '2026-12-01T00:00:00.000Z',
    became_read_only: 'false',
  });
  expect(mountsExport([filesystem], () => null).rows[0]?.slice(-3)).toEqual([null, null, 'false']);
});

it('writes as many cells as columns, whatever is unknown', () => {
  const tables = [
    pressureExport([{ resource: 'CPU', tasks: 'some', shares: null }]),
    sourcesExport([['cpu', { ok: true, duration_ms: 1, error: null }]]),
    interfacesExport([{ name: 'eth0', up: null } as never]),
    containersExport([{ id: 'c', name: null } as never]),
  ];
  for (const { columns, rows } of tables) expect(rows[0]).toHaveLength(columns.length);
});

const cellsOf = ({ columns, rows }: ReturnType<typeof unitsExport>) =>
  rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));

it('puts each value of units and sensors under its own name', () => {
  expect(
    cellsOf(unitsExport([{ name: 'nginx.service', state: 'failed', sub_state: 'exit-code', restarts: 0 }])),
  ).toEqual([{ unit: 'nginx.service', state: 'failed', detail: 'exit-code', restarts: 0 }]);
  const sensor = { chip: 'coretemp', label: 'Package', celsius: 61.5, critical_celsius: null };
  expect(cellsOf(temperaturesExport([sensor]))).toEqual([
    { sensor: 'Package', chip: 'coretemp', celsius: 61.5, critical_celsius: null },
  ]);
});

it('writes a pressure that is not measured as empty, and one of nought as nought', () => {
  const row = { resource: 'CPU', tasks: 'some' } as const;
  const named = { waiting_for: 'CPU', tasks: 'some' };
  expect(
    cellsOf(
      pressureExport([
        { ...row, shares: null },
        { ...row, shares: [0, 1.5, null] },
      ]),
    ),
  ).toEqual([
    { ...named, percent_10_s: null, percent_1_min: null, percent_5_min: null },
    { ...named, percent_10_s: 0, percent_1_min: 1.5, percent_5_min: null },
  ]);
});
