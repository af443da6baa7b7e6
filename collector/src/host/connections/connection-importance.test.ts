import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importance, type Ranked, type Scope, scopeOf, scopeOfAddress } from './connection-importance.ts';
import { decodeAddress, TCP_STATES, type TcpState } from '../tables/socket-table.ts';

const socket = (change: Partial<Ranked> = {}): Ranked => ({
  state: 'LISTEN',
  remotePort: 50_000,
  localPort: 50_001,
  queued: false,
  ...change,
});
const nobody = (_port: number): boolean => false;
const pointsOf = (change: Partial<Ranked>, scope: Scope = 'loopback', isListening = nobody): number =>
  importance(socket(change), scope, isListening);

/** The rows of the table an operator reads. */
const RULE = readFileSync(join(import.meta.dirname, '../../../../docs/collector.md'), 'utf8');

describe('importance', () => {
  it.each<[TcpState, number]>([
    ['ESTABLISHED', 40],
    ['SYN_SENT', 35],
    ['SYN_RECV', 35],
    ['CLOSE_WAIT', 30],
    ['FIN_WAIT1', 15],
    ['FIN_WAIT2', 15],
    ['LAST_ACK', 15],
    ['CLOSING', 15],
    ['TIME_WAIT', 5],
    ['CLOSE', 0],
    ['LISTEN', 0],
  ])('a socket in %s has %d points', (state, points) => {
    expect(pointsOf({ state })).toBe(points);
  });

  it.each<[Scope, number]>([
    ['public', 25],
    ['private', 10],
    ['loopback', 0],
  ])('a %s remote side adds %d', (scope, points) => {
    expect(pointsOf({}, scope)).toBe(points);
  });

  it.each([22, 25, 53, 80, 443, 587, 3306, 3389, 5432, 5672, 6379, 6443, 9092, 9200, 10_250, 11_211, 27_017])(
    'port %d is a service’s on either side, and once only',
    (port) => {
      expect([pointsOf({ remotePort: port }), pointsOf({ localPort: port })]).toEqual([15, 15]);
      expect(pointsOf({ remotePort: port, localPort: port })).toBe(15);
    },
  );

  it.each([0, 24, 81, 1024, 8081, 32_768, 65_535])('port %d is nobody’s in particular', (port) => {
    expect(pointsOf({ remotePort: port, localPort: port })).toBe(0);
  });

  it('a port this host listens on says that somebody came to us', () => {
    const listens = (port: number): boolean => port === 7000;
    expect(pointsOf({ localPort: 7000 }, 'loopback', listens)).toBe(10);
    expect(pointsOf({ remotePort: 7000 }, 'loopback', listens)).toBe(0);
  });

  it('bytes that wait add 10', () => {
    expect(pointsOf({ queued: true })).toBe(10);
  });

  it('reaches 100 exactly when everything holds, and is never more or less', () => {
    const most = { state: 'ESTABLISHED', localPort: 22, queued: true } as const;
    expect(pointsOf(most, 'public', () => true)).toBe(100);
    const ports = fc.integer({ min: 0, max: 65_535 });
    fc.assert(
      fc.property(
        fc.constantFrom(...TCP_STATES),
        ports,
        ports,
        fc.boolean(),
        fc.boolean(),
        fc.constantFrom<Scope>('loopback', 'private', 'public'),
        (state, remotePort, localPort, queued, inbound, scope) => {
          const points = importance({ state, remotePort, localPort, queued }, scope, () => inbound);
          expect(points >= 0 && points <= 100 && points % 5 === 0).toBe(true);
        },
      ),
    );
  });

  it('is the rule as it is written down for operators', () => {
    expect(RULE).toContain(
      'ESTABLISHED 40 · SYN_SENT, SYN_RECV 35 · CLOSE_WAIT 30 · FIN_WAIT1/2, LAST_ACK, CLOSING 15 · TIME_WAIT 5',
    );
    expect(RULE).toMatch(/public 25 · private .* 10 · this machine 0/);
    expect(RULE).toMatch(/either port is a well-known service's .*\| 15 \|/);
    expect(RULE).toMatch(/the local port is one this host listens on.*\| 10 \|/);
    expect(RULE).toMatch(/bytes wait to be sent or read \| 10 \|/);
  });
});

describe('scopeOfAddress', () => {
  it.each<[string, Scope]>([
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['126.255.255.255', 'public'],
    ['10.0.0.1', 'private'],
    ['11.0.0.1', 'public'],
    ['172.15.255.255', 'public'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['172.32.0.1', 'public'],
    ['192.167.1.1', 'public'],
    ['192.168.1.1', 'private'],
    ['191.168.1.1', 'public'],
    ['169.253.1.1', 'public'],
    ['169.254.169.254', 'private'],
    ['168.254.1.1', 'public'],
    ['100.63.255.255', 'public'],
    ['100.64.0.1', 'private'],
    ['100.127.255.255', 'private'],
    ['100.128.0.1', 'public'],
    ['101.64.0.1', 'public'],
    ['8.8.8.8', 'public'],
    ['::1', 'loopback'],
    ['0:0:0:0:0:0:0:1', 'loopback'],
    ['fc00:0:0:0:0:0:0:1', 'private'],
    ['fdff:ffff:0:0:0:0:0:1', 'private'],
    ['fe80:0:0:0:0:0:0:1', 'private'],
    ['febf:0:0:0:0:0:0:1', 'private'],
    ['fec0:0:0:0:0:0:0:1', 'public'],
    ['2001:db8:0:0:0:0:0:1', 'public'],
    ['0:0:0:0:0:ffff:7f00:1', 'loopback'],
    ['0:0:0:0:0:ffff:c0a8:101', 'private'],
    ['0:0:0:0:0:ffff:6440:1', 'private'],
    ['0:0:0:0:0:ffff:808:808', 'public'],
  ])('%s is %s', (address, scope) => {
    expect(scopeOfAddress(address)).toBe(scope);
  });

  it('of the kernel’s hex is that of the address it stands for', () => {
    const hex = fc.stringMatching(/^[0-9A-F]{8}$/);
    fc.assert(
      fc.property(hex, (remoteHex) => {
        expect(scopeOf({ family: 'ipv4', remoteHex })).toBe(scopeOfAddress(decodeAddress(remoteHex)));
      }),
    );
    fc.assert(
      fc.property(hex, (word) => {
        const remoteHex = `0000000000000000FFFF0000${word}`;
        expect(scopeOf({ family: 'ipv6', remoteHex })).toBe(scopeOf({ family: 'ipv4', remoteHex: word }));
      }),
    );
  });
});
