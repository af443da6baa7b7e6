import { expect, test } from 'vitest';
import { byRoom, placeOnServer, type ServerLoad } from './place-on-server.ts';

const line = (warning: number) => ({ warning, critical: 95 });
const server = (parts: Partial<ServerLoad> = {}): ServerLoad => ({
  cores: 8,
  memoryTotalBytes: 32 * 2 ** 30,
  cpuPercent: 20,
  memoryPercent: 50,
  diskPercent: 40,
  isActive: true,
  lines: { cpu: line(80), memory: line(80), disk: line(80), io_wait: line(10) },
  ...parts,
});
const size = { cores: 4, memoryBytes: 8 * 2 ** 30 };

test('a load takes its share of cores and memory, and fits while every line holds', () => {
  expect(placeOnServer(server(), size)).toEqual({
    cpuPercentAfter: 70,
    memoryPercentAfter: 75,
    headroom: 30,
    headroomAfter: 5,
    fits: true,
    reason: null,
  });
  expect(placeOnServer(server({ memoryPercent: 60 }), size)).toMatchObject({ headroomAfter: -5, fits: false });
});

test.each<[Partial<ServerLoad>, string]>([
  [{ isActive: false }, 'It does not report now.'],
  [{ cores: null }, 'Its number of cores is not known.'],
  [{ cores: 0 }, 'Its CPU usage is not known.'],
  [{ cpuPercent: null }, 'Its CPU usage is not known.'],
  [{ memoryTotalBytes: null }, 'Its memory is not known.'],
])('of a server with %j nothing is guessed', (parts, reason) => {
  expect(placeOnServer(server(parts), size)).toMatchObject({ fits: null, headroomAfter: null, reason });
});

test('the most headroom comes first, and the unknown last', () => {
  const rooms = [{ headroomAfter: null }, { headroomAfter: -5 }, { headroomAfter: 30 }];
  expect(rooms.toSorted(byRoom).map(({ headroomAfter }) => headroomAfter)).toEqual([30, -5, null]);
});
