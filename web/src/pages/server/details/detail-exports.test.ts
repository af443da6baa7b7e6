import { expect, it } from 'vitest';
import { containersExport, interfacesExport, mountsExport, pressureExport, sourcesExport } from './detail-exports.ts';

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
