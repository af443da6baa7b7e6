import { expect, it } from 'vitest';
import { timelineLine } from './timeline-line.ts';

const server = (id: string, cpuLine: number | null) => ({ id, cpuLine });
const FLEET = [server('a', 70), server('b', 80), server('c', 70), server('d', null)];

it.each([
  ['that of the server', FLEET, 'b', 80],
  ['none where its CPU has no rule', FLEET, 'd', null],
  ['that of most servers', FLEET, '', 70],
  ['the lower of two', [server('a', 90), server('b', 60)], '', 60],
  ['the default before the servers are known', [], '', 80],
])('is %s', (_what, servers, id, line) => {
  expect(timelineLine(servers, id)).toBe(line);
});

it('is the default for a server that the list does not hold: its rule is not known', () => {
  expect(timelineLine(FLEET, 'gone')).toBe(80);
});
