import type { Report } from '@plimsoll/contract/wire/report';
import { describe, expect, it } from 'vitest';
import { ROLLED_UP } from './rolled-up-figures.ts';
import { storageTotalOf } from './part-totals.ts';
import {
  figuresOf,
  LATEST_FIGURES,
  operationsOf,
  SAMPLE_COLUMN_NAMES,
  sampleOf,
  STORED_FIGURES,
} from './stored-figures.ts';

const NOTHING = {} as Report;
const filesystem = (device: string, used: number, available: number) => ({
  device,
  mount: `/${device}`,
  type: 'ext4',
  size_bytes: used + available + 5,
  used_bytes: used,
  available_bytes: available,
  inodes_total: null,
  inodes_used: null,
});
const memory = (used: number, total: number) => ({
  total_bytes: total,
  available_bytes: 0,
  used_bytes: used,
  swap_total_bytes: 0,
  swap_used_bytes: 0,
});
const sampleWith = (report: Partial<Report>) => sampleOf({ at: 0, ...figuresOf(report as Report) });

describe('the table of stored figures', () => {
  it.each([
    ['columns', SAMPLE_COLUMN_NAMES],
    ['fields of the latest answer', LATEST_FIGURES.map(({ field }) => field)],
    ['rollup columns', ROLLED_UP.map(({ column }) => column)],
    ['fields of a chart', ROLLED_UP.map(({ chart, field }) => `${chart}.${field}`)],
  ])('names its %s once', (_what, names) => {
    expect(new Set(names).size).toBe(names.length);
  });

  it.each([
    ['percent', /Percent$/],
    ['bytes', /Bytes$/],
    ['bytes per second', /BytesPerSecond$/],
  ])('ends the name of each figure in %s with its unit', (unit, ending) => {
    const names = Object.entries(STORED_FIGURES).flatMap(([name, figure]) => (figure.unit === unit ? [name] : []));
    expect(names.filter((name) => !ending.test(name))).toEqual([]);
    expect(names).not.toEqual([]);
  });
});

describe('the figures of a report', () => {
  it('are null without the part they are read from', () => {
    expect(new Set(Object.values(figuresOf(NOTHING)))).toEqual(new Set([null]));
  });

  it('take the fullest filesystem, and count a device mounted twice once', () => {
    const filesystems = [filesystem('a', 30, 70), filesystem('b', 90, 10), filesystem('a', 30, 70)];
    expect(sampleWith({ filesystems })).toMatchObject({ diskPercent: 90, diskUsedBytes: 120 });
    expect(storageTotalOf({ ...NOTHING, filesystems })).toBe(210);
  });

  it('count a dataset with a quota with its pool', () => {
    const dataset = { ...filesystem('tank/home', 30, 70), part_of: 'tank' };
    const filesystems = [filesystem('tank', 40, 60), dataset];
    expect(sampleWith({ filesystems })).toMatchObject({ diskPercent: 40, diskUsedBytes: 40 });
    expect(storageTotalOf({ ...NOTHING, filesystems })).toBe(105);
    expect(storageTotalOf({ ...NOTHING, filesystems: [dataset] })).toBe(105);
  });

  it.each([
    [memory(50, 200), 25],
    [memory(300, 200), null],
    [memory(0, 0), null],
  ])('a part of %j in per cent of its whole', (part, expected) => {
    expect(sampleWith({ memory: part })).toMatchObject({ memoryPercent: expected, swapPercent: null });
  });

  it('sum what is known over disks', () => {
    const disk = (read: number | null, write: number | null) => ({
      device: 'sda',
      read_operations_per_second: read,
      write_operations_per_second: write,
      read_bytes_per_second: null,
      write_bytes_per_second: null,
      busy_percent: null,
    });
    const sample = sampleWith({ disks: [disk(1, null), disk(2, null)] });
    expect(sample).toMatchObject({ readOperationsPerSecond: 3, writeOperationsPerSecond: null });
    expect(operationsOf(sample)).toBe(3);
    expect(operationsOf(null)).toBeNull();
  });
});
