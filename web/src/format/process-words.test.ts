import type { Process } from '@plimsoll/contract/wire/processes';
import { describe, expect, it } from 'vitest';
import { distinctProcesses, HIGH_PERCENT, matchProcesses, processStatus } from './process-words.ts';

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
