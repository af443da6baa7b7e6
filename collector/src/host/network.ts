import { outwardNames } from '@plimsoll/contract/rules/machines/interfaces';
import type { InterfacePart, TcpPart } from '@plimsoll/contract/wire/report';
import type { Files } from '../runtime/files.ts';
import { enclosureOf, isContainer } from './enclosure/enclosure.ts';
import { borderInterfaces } from './tables/network-border.ts';
import { ratePerSecond, sameRun } from './rate.ts';
import { listInterface, readRelations } from './tables/interface-relations.ts';
import { readRoutes } from './tables/routes.ts';
import type { Moment, Source } from '../source.ts';

/** Counters of one interface since it came up. */
export interface InterfaceCounters {
  receiveBytes: number;
  receiveErrors: number;
  receiveDrops: number;
  transmitBytes: number;
  transmitErrors: number;
  transmitDrops: number;
  /** Number of the interface; one that was removed and comes back has another. Null where the system gives none. */
  index?: number | null;
}
type CounterName = Exclude<keyof InterfaceCounters, 'index'>;
interface Before {
  up: number;
  interfaces: Map<string, InterfaceCounters>;
  tcpRetransmits: number | undefined;
}

const NO_RETRANSMITS = '/proc/net/snmp has no Tcp RetransSegs: TCP retransmits are not known';

/** Traffic of the interfaces that carry it in and out of the machine, as means since the read before. */
export function networkSource(files: Files): Source {
  let before: Before | null = null;
  let enclosed: boolean | undefined;
  return {
    name: 'network',
    read: async (now: Moment) => {
      enclosed ??= isContainer(enclosureOf(files));
      const interfaces = readBorder(files, parseNetDev(files.text('proc/net/dev')), enclosed);
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

/**
 * Keeps the interfaces that cross the border of the machine, because the server sums what it gets. Where sysfs is missing
 * (WSL 1, gVisor), names decide.
 */
export function readBorder(
  files: Files,
  counters: ReadonlyMap<string, InterfaceCounters>,
  enclosed: boolean,
): Map<string, InterfaceCounters> {
  const names = [...counters.keys()];
  const listed = names.map((name) => ({ name, entries: listInterface(files, name) }));
  if (listed.every(({ entries }) => entries.length === 0)) return kept(counters, outwardNames(names, 'linux'));
  const whole = enclosed || !listed.some(({ entries }) => entries.includes('device'));
  const interfaces = listed.map(({ name, entries }) => readRelations(files, name, entries, whole));
  const border = borderInterfaces({ interfaces, routes: () => readRoutes(files), isContainer: enclosed });
  const indexes = new Map(interfaces.map(({ name, index }) => [name, index]));
  return kept(counters, border, indexes);
}

function kept(
  counters: ReadonlyMap<string, InterfaceCounters>,
  names: Iterable<string>,
  indexes?: ReadonlyMap<string, number | null>,
): Map<string, InterfaceCounters> {
  const border = new Set(names);
  const outward = [...counters].filter(([name]) => border.has(name));
  return new Map(outward.map(([name, one]) => [name, { ...one, index: indexes?.get(name) ?? null }]));
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
    const known = before?.interfaces.get(name);
    const then = known?.index === now.index ? sameRun(known, now, ['receiveBytes', 'transmitBytes']) : undefined;
    const rate = (key: CounterName): number | null => ratePerSecond(then?.[key], now[key], window);
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
