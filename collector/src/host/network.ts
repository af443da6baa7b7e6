import type { InterfacePart, TcpPart } from '@plimsoll/contract/wire/report';
import type { Files } from '../runtime/files.ts';
import { ratePerSecond } from './rate.ts';
import type { Moment, Source } from '../source.ts';

/** Counters of one interface since it came up. */
export interface InterfaceCounters {
  receiveBytes: number;
  receiveErrors: number;
  receiveDrops: number;
  transmitBytes: number;
  transmitErrors: number;
  transmitDrops: number;
}
interface Before {
  up: number;
  interfaces: Map<string, InterfaceCounters>;
  tcpRetransmits: number | undefined;
}

const NO_RETRANSMITS = '/proc/net/snmp has no Tcp RetransSegs: TCP retransmits are not known';

/** Traffic of the interfaces that carry it in and out of the machine, as means since the read before. */
export function networkSource(files: Files): Source {
  let before: Before | null = null;
  return {
    name: 'network',
    read: async (now: Moment) => {
      const interfaces = physicalOnly(parseNetDev(files.text('proc/net/dev')), (name) =>
        files.list(`sys/class/net/${name}`).includes('device'),
      );
      const part = shapeInterfaces(before, interfaces, now.up, (name) =>
        parseOperstate(files.optional(`sys/class/net/${name}/operstate`)),
      );
      const tcpRetransmits = parseTcpRetransmits(files.optional('proc/net/snmp') ?? '');
      const tcp = shapeTcp(before, tcpRetransmits, now.up);
      before = { up: now.up, interfaces, tcpRetransmits };
      return { part: { interfaces: part, tcp }, ...(tcpRetransmits === undefined ? { note: NO_RETRANSMITS } : {}) };
    },
  };
}

/** Text of /proc/net/dev: sixteen counters per interface. */
export function parseNetDev(text: string): Map<string, InterfaceCounters> {
  const interfaces = new Map<string, InterfaceCounters>();
  for (const line of text.split('\n')) {
    const colon = line.lastIndexOf(':');
    if (colon === -1) continue;
    const [receiveBytes, , receiveErrors, receiveDrops, , , , , transmitBytes, , transmitErrors, transmitDrops] = line
      .slice(colon + 1)
      .trim()
      .split(/\s+/)
      .map(Number);
    if (receiveBytes === undefined || receiveErrors === undefined || receiveDrops === undefined) continue;
    if (transmitBytes === undefined || transmitErrors === undefined || transmitDrops === undefined) continue;
    interfaces.set(line.slice(0, colon).trim(), {
      receiveBytes,
      receiveErrors,
      receiveDrops,
      transmitBytes,
      transmitErrors,
      transmitDrops,
    });
  }
  return interfaces;
}

/** Reads RetransSegs from the two Tcp lines of /proc/net/snmp: names, then values. */
export function parseTcpRetransmits(text: string): number | undefined {
  const [names = [], values = []] = text
    .split('\n')
    .filter((line) => line.startsWith('Tcp: '))
    .map((line) => line.split(' '));
  const value = values[names.indexOf('RetransSegs')];
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined;
}

const shapeTcp = (
  before: Pick<Before, 'up' | 'tcpRetransmits'> | null,
  retransmits: number | undefined,
  up: number,
): TcpPart => ({
  retransmits_per_second: ratePerSecond(before?.tcpRetransmits, retransmits, before ? up - before.up : null),
});

/**
 * Bridges, veths, bonds and VLANs carry what a device below carries too, and the server sums what it gets: so only
 * interfaces with a device, and all but the loopback where none has one (containers).
 */
export function physicalOnly(
  interfaces: Map<string, InterfaceCounters>,
  hasDevice: (name: string) => boolean,
): Map<string, InterfaceCounters> {
  const outward = [...interfaces].filter(([name]) => name !== 'lo');
  const physical = outward.filter(([name]) => hasDevice(name));
  return new Map(physical.length > 0 ? physical : outward);
}

/** "unknown" is what drivers without carrier detection say. */
export function parseOperstate(text: string | null): boolean | null {
  const state = text?.trim();
  if (state === 'up') return true;
  return state === undefined || state === 'unknown' ? null : false;
}

export function shapeInterfaces(
  before: Pick<Before, 'up' | 'interfaces'> | null,
  interfaces: Map<string, InterfaceCounters>,
  up: number,
  isUp: (name: string) => boolean | null,
): InterfacePart[] {
  const window = before ? up - before.up : null;
  return [...interfaces].map(([name, now]) => {
    const then = before?.interfaces.get(name);
    const rate = (key: keyof InterfaceCounters): number | null => ratePerSecond(then?.[key], now[key], window);
    return {
      name,
      receive_bytes_per_second: rate('receiveBytes'),
      transmit_bytes_per_second: rate('transmitBytes'),
      receive_errors_per_second: rate('receiveErrors'),
      transmit_errors_per_second: rate('transmitErrors'),
      receive_drops_per_second: rate('receiveDrops'),
      transmit_drops_per_second: rate('transmitDrops'),
      up: isUp(name),
    };
  });
}
