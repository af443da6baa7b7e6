import { describe, expect, it } from 'vitest';
import { captured, capturedText, fakeFiles } from '../testing/captured.ts';
import { type FakeInterface, networkFiles } from '../testing/network-files.ts';
import {
  networkSource,
  parseNetDev,
  parseOperstate,
  parseTcpRetransmits,
  readBorder,
  shapeInterfaces,
} from './network.ts';

const HOST = 'debian-12-firecracker';
const text = capturedText(HOST, 'proc/net/dev');

describe('parseNetDev', () => {
  it('reads every interface of a captured host', () => {
    const interfaces = parseNetDev(text);
    expect([...interfaces.keys()]).toEqual(['lo', 'ifb0', 'ifb1', 'eth0']);
    const lo = interfaces.get('lo');
    expect(lo?.receiveBytes).toBe(lo?.transmitBytes);
  });

  it('takes names with a colon, and skips a line that is cut', () => {
    const counters = Array.from({ length: 16 }, (_, index) => index).join(' ');
    expect([...parseNetDev(`eth0:1: ${counters}\n  eth1: 5 6`).keys()]).toEqual(['eth0:1']);
  });
});

it('keeps the interface with a device of a captured host', () => {
  expect([...readBorder(captured(HOST), parseNetDev(text), false).keys()]).toEqual(['eth0']);
});

it.each([
  ['up\n', true],
  ['down\n', false],
  ['lowerlayerdown\n', false],
  ['unknown\n', null],
  [null, null],
])('operstate %j means %s', (state, up) => {
  expect(parseOperstate(state)).toBe(up);
});

it('reads a captured host twice', async () => {
  const texts = { 'proc/net/dev': text };
  const source = networkSource(fakeFiles(texts, captured(HOST)));
  const first = await source.read({ ts: 0, up: 100 });
  expect(first.part.interfaces).toMatchObject([{ name: 'eth0', receive_bytes_per_second: null, up: true }]);
  texts['proc/net/dev'] = capturedText(HOST, 'proc/net/dev.later');
  const [eth0] = (await source.read({ ts: 0, up: 200 })).part.interfaces ?? [];
  expect(eth0?.receive_bytes_per_second).toBeGreaterThan(0);
  texts['proc/net/dev'] = text;
  const [back] = (await source.read({ ts: 0, up: 300 })).part.interfaces ?? [];
  expect(back?.receive_bytes_per_second).toBeNull();
});

it('has no rate for an interface that is new', () => {
  expect(shapeInterfaces({ up: 1, interfaces: new Map() }, parseNetDev(text), 2, () => null)[0]).toMatchObject({
    name: 'lo',
    receive_bytes_per_second: null,
    up: null,
  });
});

describe('counters that begin anew', () => {
  const nic = { index: 2, device: 'virtio0' };
  const ratesOf = async (...readings: (FakeInterface | null)[]): Promise<unknown[]> => {
    let files = networkFiles({});
    const source = networkSource({
      ...networkFiles({}),
      text: (path) => files.text(path),
      optional: (path) => files.optional(path),
      list: (path) => files.list(path),
      link: (path) => files.link(path),
    });
    const rates: unknown[] = [];
    for (const [index, reading] of readings.entries()) {
      files = networkFiles(reading === null ? {} : { eth0: reading });
      const { part } = await source.read({ ts: 0, up: 60 * index });
      const [eth0] = part.interfaces ?? [];
      rates.push(eth0 && [eth0.receive_bytes_per_second, eth0.transmit_bytes_per_second]);
    }
    return rates;
  };
  const at = (receiveBytes: number, transmitBytes: number, index = 2): FakeInterface => ({
    ...nic,
    index,
    receiveBytes,
    transmitBytes,
  });

  it('have no rate where one wrapped at 32 bits, or a driver was reset', async () => {
    expect(await ratesOf(at(4_294_967_000, 100), at(5000, 60_100), at(5600, 60_700))).toEqual([
      [null, null],
      [null, null],
      [10, 10],
    ]);
  });

  it('have no rate after the interface was away', async () => {
    expect(await ratesOf(at(1000, 1000), null, at(9_000_000, 9_000_000), at(9_000_600, 9_000_060))).toEqual([
      [null, null],
      undefined,
      [null, null],
      [10, 1],
    ]);
  });

  it('have no rate where another interface took the name between two readings', async () => {
    expect(await ratesOf(at(1000, 1000), at(9_000_000, 9_000_000, 7), at(9_000_060, 9_000_060, 7))).toEqual([
      [null, null],
      [null, null],
      [1, 1],
    ]);
  });
});

describe('TCP retransmits', () => {
  const snmp = (retransmits: number | string) => `Ip: Forwarding DefaultTTL
Ip: 1 64
Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens AttemptFails EstabResets CurrEstab InSegs OutSegs RetransSegs InErrs OutRsts InCsumErrors
Tcp: 1 200 120000 -1 7604 4782 2405 505 15 286199 247174 ${retransmits} 0 3179 0
Udp: InDatagrams NoPorts
Udp: 12 3
`;

  it.each([
    [snmp(525), 525],
    [snmp('-'), undefined],
    ['Tcp: InSegs OutSegs\nTcp: 1 2\n', undefined],
    ['Tcp: InSegs RetransSegs\n', undefined],
    ['', undefined],
  ])('reads the counter by its name, case %#', (table, expected) => {
    expect(parseTcpRetransmits(table)).toBe(expected);
  });

  it('are a rate over the window, null at first and after the counter went back', async () => {
    const texts = { 'proc/net/dev': text, 'proc/net/snmp': snmp(500) };
    const source = networkSource(fakeFiles(texts, captured(HOST)));
    const rates: unknown[] = [];
    for (const [up, count] of [
      [100, 500],
      [160, 530],
      [220, 530],
      [280, 10],
    ] as const) {
      texts['proc/net/snmp'] = snmp(count);
      const { part, note } = await source.read({ ts: 0, up });
      rates.push(part.tcp?.retransmits_per_second);
      expect(note).toBeUndefined();
    }
    expect(rates).toEqual([null, 0.5, 0, null]);
  });

  it('are null with the reason where the kernel has no counter', async () => {
    const { part, note } = await networkSource(fakeFiles({ 'proc/net/dev': text })).read({ ts: 0, up: 1 });
    expect(part.tcp).toEqual({ retransmits_per_second: null });
    expect(note).toMatch(/no Tcp RetransSegs/);
  });
});
