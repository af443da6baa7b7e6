import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capturedText } from '../../testing/captured.ts';
import {
  decodeAddress,
  inodeOf,
  parseSocket,
  portDigits,
  type Socket,
  socketLines,
  TCP_STATES,
} from './socket-table.ts';

const HOST = 'debian-12-firecracker';
/** The lines of a captured table without its heading. */
const rowsOf = (name: 'tcp' | 'tcp6'): string[] =>
  capturedText(HOST, `proc/net/${name}`)
    .split('\n')
    .filter((row) => row !== '')
    .slice(1);
const [v4 = ''] = rowsOf('tcp');
const [v6 = ''] = rowsOf('tcp6');

describe('parseSocket', () => {
  it('reads each captured row as a split by blanks would', () => {
    for (const [name, family] of [
      ['tcp', 'ipv4'],
      ['tcp6', 'ipv6'],
    ] as const) {
      const rows = rowsOf(name);
      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) {
        const [, local = '', remote = '', state = '', queues = '', , , , , inode] = row.trim().split(/\s+/);
        const [remoteHex, remotePort] = remote.split(':');
        const socket = parseSocket(row, family);
        expect(socket).toMatchObject({
          family,
          remoteHex,
          remotePort: Number.parseInt(remotePort ?? '', 16),
          localPort: Number.parseInt(local.split(':')[1] ?? '', 16),
          state: TCP_STATES[Number.parseInt(state, 16)],
          queued: queues !== '00000000:00000000',
        });
        expect(inodeOf(socket ?? { rest: '' })).toBe(Number(inode));
      }
    }
  });

  it('takes the heading for no socket', () => {
    for (const name of ['tcp', 'tcp6'] as const) {
      const [heading = ''] = capturedText(HOST, `proc/net/${name}`).split('\n');
      expect(heading).toContain('local_address');
      expect([parseSocket(heading, 'ipv4'), parseSocket(heading, 'ipv6')]).toEqual([null, null]);
    }
  });

  it('takes a row that is cut before the end of its queues for none, and one cut later as it is', () => {
    const whole = parseSocket(v4, 'ipv4');
    const needed = v4.indexOf('00000000:00000000') + 17;
    for (let end = 0; end < v4.length; end += 1) {
      const cut = parseSocket(v4.slice(0, end), 'ipv4');
      expect(cut).toEqual(end < needed ? null : { ...whole, rest: v4.slice(needed, end) });
    }
  });

  it('takes a row of the other family for none or for something bounded, never for an error', () => {
    for (const socket of [parseSocket(v6, 'ipv4'), parseSocket(v4, 'ipv6')]) {
      expect(socket === null || TCP_STATES.includes(socket.state)).toBe(true);
    }
  });

  // include/net/tcp_states.h of the kernel; a request that is not accepted yet is one that is being received.
  it.each([
    ['01', 'ESTABLISHED'],
    ['02', 'SYN_SENT'],
    ['03', 'SYN_RECV'],
    ['04', 'FIN_WAIT1'],
    ['05', 'FIN_WAIT2'],
    ['06', 'TIME_WAIT'],
    ['07', 'CLOSE'],
    ['08', 'CLOSE_WAIT'],
    ['09', 'LAST_ACK'],
    ['0A', 'LISTEN'],
    ['0B', 'CLOSING'],
    ['0C', 'SYN_RECV'],
  ])('state %s is %s', (hex, name) => {
    const row = v4.replace(/ 0A 0{8}:/, ` ${hex} 00000000:`);
    expect(parseSocket(row, 'ipv4')?.state).toBe(name);
  });

  it.each(['0D', 'FF', 'zz', '00'])('a state %s that the kernel does not have is no socket', (hex) => {
    expect(parseSocket(v4.replace(/ 0A 0{8}:/, ` ${hex} 00000000:`), 'ipv4')).toBeNull();
  });

  it.each([
    ['00000000:00000000', false],
    ['00000001:00000000', true],
    ['00000000:0000000F', true],
  ])('with the queues %s waits: %s', (queues, waits) => {
    expect(parseSocket(v4.replace('00000000:00000000', queues), 'ipv4')?.queued).toBe(waits);
  });

  it('never throws, whatever the line is', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.constantFrom('ipv4', 'ipv6'), (line, family) => {
        const socket = parseSocket(line, family);
        expect(socket === null || (socket.state as string) !== '').toBe(true);
      }),
    );
  });
});

describe('socketLines', () => {
  const hex = (digits: number): fc.Arbitrary<string> =>
    fc
      .array(
        fc.nat({ max: 15 }).map((digit) => digit.toString(16).toUpperCase()),
        { minLength: digits, maxLength: digits },
      )
      .map((all) => all.join(''));
  const row = (width: number): fc.Arbitrary<string> =>
    fc
      .record({
        number: fc.nat({ max: 200_000 }),
        local: hex(width),
        localPort: hex(4),
        remote: hex(width),
        remotePort: hex(4),
        state: fc.oneof(fc.constantFrom('01', '06', '0A', '08'), hex(2)),
        queues: fc.oneof(
          fc.constant('00000000:00000000'),
          hex(8).map((sent) => `${sent}:00000000`),
          hex(8).map((received) => `00000000:${received}`),
        ),
        inode: fc.nat(),
      })
      .map(
        (one) =>
          `${`${one.number}:`.padStart(5)} ${one.local}:${one.localPort} ${one.remote}:${one.remotePort} ${one.state} ` +
          `${one.queues} 00:00000000 00000000     0        0 ${one.inode} 1 0000000092666553 100 0 0 10 0`,
      );
  /** Reads one line that lies in the middle of others. */
  function readInPlace(line: string, family: Socket['family']): ReturnType<ReturnType<typeof socketLines>> {
    const before = Buffer.from('   9: FFFFFFFF:FFFF FFFFFFFF:FFFF 01 00000001:00000001 00\n');
    const bytes = Buffer.concat([before, Buffer.from(line, 'latin1'), before]);
    return socketLines(family)(bytes, before.length, bytes.length - before.length);
  }

  it.each([
    ['ipv4', 8],
    ['ipv6', 32],
  ] as const)('reads of any %s line, whole or cut, what the line as a text says', (family, width) => {
    fc.assert(
      fc.property(row(width), fc.option(fc.nat({ max: 220 })), (whole, cut) => {
        const line = whole.slice(0, cut ?? whole.length);
        const found = readInPlace(line, family);
        const seen = found && {
          state: TCP_STATES[found.state],
          remotePort: found.remotePort,
          localPort: found.localPort,
          queued: found.queued(),
        };
        const expected = parseSocket(line, family);
        expect(seen).toEqual(
          expected && {
            state: expected.state,
            remotePort: portDigits(expected.remotePort),
            localPort: portDigits(expected.localPort),
            queued: expected.queued,
          },
        );
        expect(found?.kept() ?? null).toEqual(expected);
      }),
    );
  });

  it('gives equal keys to addresses of one scope only', () => {
    fc.assert(
      fc.property(row(8), row(8), (a, b) => {
        const [one, other] = [parseSocket(a, 'ipv4'), parseSocket(b, 'ipv4')];
        fc.pre(one !== null && other !== null);
        const equal = readInPlace(a, 'ipv4')?.remoteKey === readInPlace(b, 'ipv4')?.remoteKey;
        expect(equal).toBe(one.remoteHex.slice(4) === other.remoteHex.slice(4));
      }),
    );
  });

  it('takes the captured headings and anything else for no socket, and never throws', () => {
    for (const name of ['tcp', 'tcp6'] as const) {
      const [heading = ''] = capturedText(HOST, `proc/net/${name}`).split('\n');
      expect([readInPlace(heading, 'ipv4'), readInPlace(heading, 'ipv6')]).toEqual([null, null]);
    }
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.constantFrom('ipv4', 'ipv6'), (line, family) => {
        const found = readInPlace(line, family);
        expect(found === null || (found.state > 0 && found.state < TCP_STATES.length)).toBe(true);
      }),
    );
  });
});

it.each([
  ['0100007F', '127.0.0.1'],
  ['FE01A8C0', '192.168.1.254'],
  ['00000000000000000000000001000000', '0:0:0:0:0:0:0:1'],
  ['0000000000000000FFFF00000100007F', '0:0:0:0:0:ffff:7f00:1'],
  ['B80D01200000000067452301EFCDAB89', '2001:db8:0:0:123:4567:89ab:cdef'],
])('the address %s is %s', (hex, address) => {
  expect(decodeAddress(hex)).toBe(address);
});

it.each(['', ' ', ' 00:00000000 00000000', ' a b c d none'])('a row that ends with %j has no inode', (rest) => {
  expect(inodeOf({ rest })).toBe(0);
});
