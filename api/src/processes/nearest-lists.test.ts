import type { ProcessPart } from '@plimsoll/contract/wire/report';
import { describe, expect, it } from 'vitest';
import { nearestLists } from './nearest-lists.ts';
import type { ProcessSnapshot } from './types.ts';

const process = (pid: number, cpu: number | null, memory: number): ProcessPart => ({
  pid,
  name: `p${String(pid)}`,
  command: '',
  user: 'root',
  status: 'S',
  cpu_percent: cpu,
  memory_percent: 1,
  memory_bytes: memory,
  threads: 1,
  started_at: 0,
});
const minute = (at: number, processes: ProcessPart[] = []) => ({ at, processes });
const snapshot = (sampleAt: number): ProcessSnapshot => ({ sampleAt, list: 'quarter_hour', processes: [] });

describe('the list nearest to a moment', () => {
  it('ranks a minute by CPU, then memory, then pid; unknown CPU comes last', () => {
    const given = [
      process(5, null, 900),
      process(4, 10, 100),
      process(3, 10, 100),
      process(2, 10, 200),
      process(1, 0, 1),
      process(6, 650, 1),
    ];
    const { found } = nearestLists(100, [minute(60, given)], { snapshot: null, nextAt: null });
    expect(found?.processes.map(({ pid }) => pid)).toEqual([6, 2, 3, 4, 1, 5]);
  });

  it('is the newest before the moment; of two lists of one time the snapshot', () => {
    const minutes = [minute(60), minute(120), minute(180)];
    const asked = (at: number | null, moment = 150) =>
      nearestLists(moment, minutes, { snapshot: at === null ? null : snapshot(at), nextAt: null }).found;
    expect(asked(null)).toMatchObject({ sampleAt: 120, list: 'minute' });
    expect(asked(60)).toMatchObject({ sampleAt: 120, list: 'minute' });
    expect(asked(120)?.list).toBe('quarter_hour');
    expect(asked(130)).toMatchObject({ sampleAt: 130, list: 'quarter_hour' });
    expect(asked(null, 59)).toBeNull();
  });

  it('leads to the next list of either kind, or to none', () => {
    const minutes = [minute(60), minute(120)];
    const next = (moment: number, nextAt: number | null) =>
      nearestLists(moment, minutes, { snapshot: null, nextAt }).nextAt;
    expect(next(60, null)).toBe(120);
    expect(next(60, 100)).toBe(100);
    expect(next(60, 150)).toBe(120);
    expect(next(120, null)).toBeNull();
  });
});
