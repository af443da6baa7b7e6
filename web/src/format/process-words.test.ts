import type { Process } from '@plimsoll/contract/wire/processes';
import { describe, expect, it } from 'vitest';
import {
  coresQuantity,
  cpuSentence,
  cpuShare,
  distinctProcesses,
  HIGH_PERCENT,
  isHigh,
  matchProcesses,
  processStatus,
  rankSentence,
  shareQuantity,
} from './process-words.ts';

describe('processStatus', () => {
  it.each([
    ['R', 'Running', 'ok'],
    ['S', 'Sleeping', 'plain'],
    ['D', 'Disk Sleep', 'near'],
    ['Z', 'Zombie', 'over'],
    ['T', 'Stopped', 'near'],
    ['I', 'Idle', 'plain'],
    ['W', 'Waiting', 'plain'],
    ['X', 'Dead', 'plain'],
    ['?', '?', 'plain'],
    ['', 'Unknown', 'plain'],
    ['toString', 'toString', 'plain'],
  ])('%s is %s', (letter, name, tone) => expect(processStatus(letter)).toEqual({ name, tone }));
});

it('highlights above 80 per cent', () => expect(HIGH_PERCENT).toBe(80));

it.each([
  [80, false],
  [80.1, true],
  [null, false],
])('%s per cent of the machine is high: %s', (percent, high) => expect(isHigh(percent)).toBe(high));

describe('CPU of a process', () => {
  const on = (cpu_usage: number | null, server_cpu_cores: number | null) => ({ cpu_usage, server_cpu_cores });
  it('is a share of its machine', () => {
    expect(cpuShare(on(1792, 64))).toBe(28);
    expect(cpuShare(on(99, 1))).toBe(99);
    expect([cpuShare(on(null, 4)), cpuShare(on(50, null)), cpuShare(on(50, 0))]).toEqual([null, null, null]);
  });
  it.each([
    [1792, '17.9', 'cores'],
    [100, '1', 'core'],
    [310.4, '3.10', 'cores'],
    [4, '0.04', 'cores'],
    [0, '0.00', 'cores'],
    [null, null, 'cores'],
  ])('of %s %% of one core is %s %s', (percent, value, unit) =>
    expect(coresQuantity(percent)).toEqual({ value, unit }),
  );
  it.each([
    [28.4, '28'],
    [9.94, '9.9'],
    [9.96, '10'],
    [0.44, '0.4'],
    [null, null],
  ])('share %s is %s', (percent, value) => expect(shareQuantity(percent).value).toBe(value));
  it('says both, and of which machine', () => {
    expect(cpuSentence({ ...on(1792, 64), hostname: 'gpu-train-01' })).toBe('17.9 cores · 28 % of gpu-train-01');
    expect(cpuSentence({ ...on(1792, null), hostname: 'gpu-train-01' })).toBe('17.9 cores');
    expect(cpuSentence({ ...on(null, 64), hostname: 'gpu-train-01' })).toBeNull();
  });
});

describe('the sentence above the list', () => {
  const listed = { shown: 20, fetched: 50, total: 1204, servers: 9, rank: 'cpu', filtered: false } as const;
  it('counts every ranked process, not only the fetched ones', () => {
    expect(rankSentence(listed)).toBe('Top 20 of 1,204 by CPU');
    expect(rankSentence({ ...listed, servers: 1 })).toBe('Top 20 of 1,204 by CPU on one server');
    expect(rankSentence({ ...listed, fetched: 34, total: 34, rank: 'memory' })).toBe(
      'Top 20 of 34 by memory across 9 servers',
    );
  });
  it('says that a filter searches the fetched processes only', () => {
    expect(rankSentence({ ...listed, shown: 3, filtered: true })).toBe(
      '3 of the top 50 by CPU match; 1,204 processes in total',
    );
  });
  it('has no count without processes', () => {
    expect(rankSentence({ ...listed, shown: 0, fetched: 0, total: 0 })).toBe('Ranked by CPU.');
  });
});

it('keeps one row per server and pid', () => {
  const row = (server_id: string, pid: number, name: string) => ({ server_id, pid, name }) as Process;
  const rows = [row('a', 1, 'first'), row('a', 1, 'again'), row('b', 1, 'other')];
  expect(distinctProcesses(rows).map((each) => each.name)).toEqual(['first', 'other']);
});

it('finds a process by words of its name, command, user or pid', () => {
  const row = { name: 'node', command: 'node server.js', user: 'web', pid: 3371, hostname: 'web-1' } as Process;
  expect(matchProcesses([row], 'SERVER web')).toEqual([row]);
  expect(matchProcesses([row], '3371')).toEqual([row]);
  expect(matchProcesses([row], 'nginx')).toEqual([]);
  expect(matchProcesses([row], ' ')).toEqual([row]);
});
