import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EachLine } from '../../runtime/files.ts';
import { importance, type Scope, scopeOf } from './connection-importance.ts';
import { socketOwners } from '../tables/socket-owners.ts';
import { decodeAddress, inodeOf, parseSocket, portDigits, type Socket, TCP_STATES } from '../tables/socket-table.ts';
import { captured, capturedText, fakeFiles, linesOf } from '../../testing/captured.ts';
import {
  connectionSource,
  countStates,
  estimateCounts,
  parseSockstat,
  ranking,
  shapeConnections,
} from './connections.ts';

const HOST = 'debian-12-firecracker';
const NOW = { ts: 0, up: 0 };
const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const line = (local: string, remote: string, state: string, inode: number, queues = '00000000:00000000'): string =>
  `   0: ${local} ${remote} ${state} ${queues} 00:00000000 00000000   107        0 ${inode} 1 0000000092666553 100 0 0 10 0\n`;
const restOf = (inode: number): string =>
  ` 00:00000000 00000000   107        0 ${inode} 1 0000000092666553 100 0 0 10 0`;
const socket = ({ inode = 1, ...change }: Partial<Socket> & { inode?: number }): Socket => ({
  family: 'ipv4',
  remoteHex: '4D7100CB',
  remotePort: 50_000,
  localPort: 40_000,
  state: 'ESTABLISHED',
  queued: false,
  rest: restOf(inode),
  ...change,
});
const parseSockets = (text: string, family: Socket['family']): Socket[] =>
  text.split('\n').flatMap((row) => parseSocket(row, family) ?? []);
const rank = (sockets: readonly Socket[]): ReturnType<ReturnType<typeof ranking>['best']> => {
  const ranks = ranking();
  for (const one of sockets) {
    ranks.add({
      family: one.family,
      state: TCP_STATES.indexOf(one.state),
      remoteKey: one.remoteHex,
      remotePort: portDigits(one.remotePort),
      localPort: portDigits(one.localPort),
      queued: () => one.queued,
      kept: () => one,
    });
  }
  return ranks.best();
};

describe('parseSockets', () => {
  it('reads the captured tables', () => {
    const v4 = parseSockets(capturedText(HOST, 'proc/net/tcp'), 'ipv4');
    expect(v4).toHaveLength(capturedText(HOST, 'proc/net/tcp').trim().split('\n').length - 1);
    expect(v4.filter(({ state }) => state === 'LISTEN').map(({ localPort }) => localPort)).toContain(5432);
    expect(
      parseSockets(capturedText(HOST, 'proc/net/tcp6'), 'ipv6').every(({ remoteHex }) => remoteHex.length === 32),
    ).toBe(true);
  });

  it('reads every column', () => {
    const text = HEAD + line('0100007F:1538', '4D7100CB:C350', '01', 9403, '00000010:00000000');
    expect(parseSockets(text, 'ipv4')).toEqual([socket({ localPort: 5432, queued: true, inode: 9403 })]);
  });

  it('takes row numbers of any width and skips a row that is cut', () => {
    const row = line('0100007F:1538', '4D7100CB:C350', '06', 0);
    const text = `${HEAD}${row.replace('   0:', '123456:')}${row.slice(0, 30)}`;
    expect(parseSockets(text, 'ipv4')).toEqual([socket({ localPort: 5432, state: 'TIME_WAIT', inode: 0 })]);
    expect(inodeOf(socket({ inode: 0 }))).toBe(0);
    expect(inodeOf(socket({ inode: 9403 }))).toBe(9403);
  });
});

it.each([
  ['0100007F', '127.0.0.1'],
  ['4D7100CB', '203.0.113.77'],
  ['B80D0120000000000000000001000000', '2001:db8:0:0:0:0:0:1'],
  ['0000000000000000FFFF00004D7100CB', '0:0:0:0:0:ffff:cb00:714d'],
])('%s is %s', (hex, address) => {
  expect(decodeAddress(hex)).toBe(address);
});

it.each([
  [{ remoteHex: '0100007F' }, 'loopback'],
  [{ remoteHex: '0101A8C0' }, 'private'],
  [{ remoteHex: '010010AC' }, 'private'],
  [{ remoteHex: '010020AC' }, 'public'],
  [{ remoteHex: '01004064' }, 'private'],
  [{ remoteHex: '4D7100CB' }, 'public'],
  [{ family: 'ipv6', remoteHex: '00000000000000000000000001000000' }, 'loopback'],
  [{ family: 'ipv6', remoteHex: '000080FE000000000000000001000000' }, 'private'],
  [{ family: 'ipv6', remoteHex: '000000FD000000000000000001000000' }, 'private'],
  [{ family: 'ipv6', remoteHex: 'B80D0120000000000000000001000000' }, 'public'],
  [{ family: 'ipv6', remoteHex: '0000000000000000FFFF00000100007F' }, 'loopback'],
] as [Partial<Socket>, Scope][])('%j is %s', (change, scope) => {
  expect(scopeOf(socket(change))).toBe(scope);
});

describe('importance', () => {
  const score = (change: Partial<Socket>, scope: Scope, listening: number[] = []): number =>
    importance(socket(change), scope, (port) => listening.includes(port));

  it.each([
    ['an open connection to a public service', score({ remotePort: 443 }, 'public'), 80],
    [
      'a client of a public service of ours, data waiting',
      score({ localPort: 443, queued: true }, 'public', [443]),
      100,
    ],
    ['an open connection on the private network', score({}, 'private'), 50],
    ['a database on the private network', score({ remotePort: 5432 }, 'private'), 65],
    ['a connection within the machine', score({}, 'loopback'), 40],
    ['a peer that hung up', score({ state: 'CLOSE_WAIT' }, 'public'), 55],
    ['a connection that is over', score({ state: 'TIME_WAIT' }, 'public'), 30],
    ['one over within the machine', score({ state: 'TIME_WAIT' }, 'loopback'), 5],
  ])('%s: %i', (_what, points, expected) => {
    expect(points).toBe(expected);
  });
});

describe('shapeConnections', () => {
  const nobody = { find: () => new Map<number, number>() };

  it('masks the remote address, puts the most important first and leaves out listeners', () => {
    const sockets = [
      socket({ state: 'LISTEN', localPort: 22, remotePort: 0 }),
      socket({ state: 'TIME_WAIT', inode: 0 }),
      socket({ localPort: 22, inode: 7 }),
    ];
    expect(shapeConnections(rank(sockets), { find: () => new Map([[7, 42]]) })).toEqual([
      {
        remote_ip: '203.0.113.0',
        remote_port: 50_000,
        local_port: 22,
        protocol: 'tcp',
        family: 'ipv4',
        state: 'ESTABLISHED',
        pid: 42,
        importance_score: 90,
      },
      expect.objectContaining({ state: 'TIME_WAIT', pid: -1 }),
    ]);
  });

  it('ranks as a sort of all would, the first given before its equals', () => {
    const states = ['ESTABLISHED', 'CLOSE_WAIT', 'TIME_WAIT', 'LISTEN'] as const;
    const one = fc.record({
      state: fc.constantFrom(...states),
      remotePort: fc.constantFrom(0, 443, 50_000),
      localPort: fc.constantFrom(22, 40_000),
      remoteHex: fc.constantFrom('0100007F', '0101A8C0', '4D7100CB'),
      queued: fc.boolean(),
    });
    const upToMany = { maxLength: 1000, size: 'max' } as const;
    // Most are alike, as on a busy host: then there are enough of a score and later ones drop out.
    const alike = fc.record({
      state: fc.constant('ESTABLISHED' as const),
      remotePort: fc.constant(50_000),
      localPort: fc.constant(40_000),
      remoteHex: fc.constantFrom('0100007F', '4D7100CB'),
      queued: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(one, { weight: 4, arbitrary: alike }), upToMany), (changes) => {
        const sockets = changes.map((change, index) => socket({ ...change, inode: index + 1 }));
        const listeners = sockets.filter(({ state }) => state === 'LISTEN');
        const others = sockets.filter(({ state, remotePort }) => state !== 'LISTEN' && remotePort !== 0);
        const isOurs = (port: number): boolean => listeners.some(({ localPort }) => localPort === port);
        const expected = others
          .map((other) => ({ socket: other, score: importance(other, scopeOf(other), isOurs) }))
          .toSorted((a, b) => b.score - a.score)
          .slice(0, 100);
        expect(rank([...listeners, ...others])).toEqual(expected);
      }),
    );
  });

  it('sends a hundred at most, and no unmasked address among them', () => {
    const sockets = Array.from({ length: 5000 }, (_, index) => socket({ remotePort: 1 + index }));
    const part = shapeConnections(rank(sockets), nobody);
    expect(part).toHaveLength(100);
    expect(part.every(({ remote_ip }) => remote_ip === '203.0.113.0')).toBe(true);
  });
});

describe('connectionSource', () => {
  it('counts the states of a captured host', async () => {
    const { part } = await connectionSource(captured(HOST)).read(NOW);
    const counts = part.connection_counts;
    const all = [
      ...parseSockets(capturedText(HOST, 'proc/net/tcp'), 'ipv4'),
      ...parseSockets(capturedText(HOST, 'proc/net/tcp6'), 'ipv6'),
    ];
    expect(counts).toEqual(countStates(all));
    expect(counts?.listen).toBeGreaterThan(5);
  });

  it('works without IPv6', async () => {
    const files = fakeFiles({
      'proc/net/sockstat': 'TCP: inuse 1 orphan 0 tw 0 alloc 1 mem 0\n',
      'proc/net/tcp': HEAD + line('0100007F:1538', '00000000:0000', '0A', 5),
    });
    expect((await connectionSource(files).read(NOW)).part.connection_counts).toMatchObject({ total: 1, listen: 1 });
  });

  it('reads the whole table every fifth time when there are very many sockets', async () => {
    let tables = 0;
    const texts = { 'proc/net/sockstat': 'TCP: inuse 60000 orphan 0 tw 500 alloc 1 mem 0\n' };
    const table =
      HEAD + line('0100007F:1538', '00000000:0000', '0A', 5) + line('0100007F:1538', '4D7100CB:C350', '01', 6);
    const files = fakeFiles(texts);
    const lines = (path: string, each: EachLine): void => {
      if (path !== 'proc/net/tcp') throw new Error(path);
      tables += 1;
      linesOf(table, each);
    };
    const source = connectionSource({ ...files, lines });
    const totals: (number | undefined)[] = [];
    for (let round = 0; round < 6; round += 1) {
      const { part, note } = await source.read(NOW);
      totals.push(part.connection_counts?.total);
      expect(note?.includes('every fifth report') ?? false).toBe(round % 5 !== 0);
      expect(part.connections).toHaveLength(1);
    }
    expect([tables, totals]).toEqual([2, [2, 60_500, 60_500, 60_500, 60_500, 2]]);
  });
});

it('reads sockstat of both families', () => {
  expect(parseSockstat('TCP: inuse 11 orphan 0 tw 2 alloc 14 mem 0\nUDP: inuse 0\nTCP6: inuse 3\n')).toEqual({
    inUse: 14,
    timeWait: 2,
  });
});

it('estimates what sockstat does not tell from the last full table', () => {
  const full = { total: 110, established: 80, listen: 10, time_wait: 10, close_wait: 5, syn_sent: 0, syn_recv: 0 };
  expect(estimateCounts({ inUse: 200, timeWait: 50 }, full)).toEqual({
    ...full,
    total: 250,
    established: 180,
    time_wait: 50,
  });
});

describe('socketOwners', () => {
  const files = (links: Record<string, string>) => {
    let reads = 0;
    const below = fakeFiles(Object.fromEntries(Object.keys(links).map((path) => [path, ''])));
    const link = (path: string): string | null => {
      reads += 1;
      return links[path] ?? null;
    };
    return { files: { ...below, link }, reads: () => reads };
  };

  it('finds the process of a socket once and remembers it', () => {
    const { files: host, reads } = files({
      'proc/7/fd/3': 'socket:[11]',
      'proc/8/fd/4': 'socket:[12]',
      'proc/8/fd/5': '/dev/null',
    });
    const owners = socketOwners(host);
    expect(Object.fromEntries(owners.find([11, 12, 0]))).toEqual({ 11: 7, 12: 8 });
    const before = reads();
    expect(owners.find([11]).get(11)).toBe(7);
    expect(reads()).toBe(before);
  });

  it('does not look again and again for a socket it cannot find', () => {
    const { files: host, reads } = files({ 'proc/7/fd/3': '/dev/null' });
    const owners = socketOwners(host);
    expect(owners.find([99]).get(99)).toBe(-1);
    const before = reads();
    owners.find([99]);
    expect(reads()).toBe(before);
    expect(owners.limited).toBe(false);
  });

  it('stops after so many descriptors, the young processes first, and goes on the next time', () => {
    const { files: host } = files({ 'proc/7/fd/3': 'socket:[11]', 'proc/900/fd/3': 'socket:[12]' });
    const owners = socketOwners(host, 2);
    expect(Object.fromEntries(owners.find([11, 12]))).toEqual({ 12: 900 });
    expect(Object.fromEntries(owners.find([11]))).toEqual({ 11: 7 });
  });

  it('says so when it may not look into a process', () => {
    const { files: host } = files({ 'proc/7/stat': '' });
    const owners = socketOwners(host);
    owners.find([99]);
    expect(owners.limited).toBe(true);
  });
});
