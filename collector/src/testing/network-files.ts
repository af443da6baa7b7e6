import type { Files } from '../runtime/files.ts';
import { fakeFiles } from './captured.ts';

/** One interface as the kernel shows it below /sys/class/net. Names of a directory's entries are the facts. */
export interface FakeInterface {
  index: number;
  /** Own index when left out, as of every interface that lies on nothing. */
  link?: number;
  /** Last part of the device link. */
  device?: string;
  type?: number;
  kind?: string;
  master?: string;
  lowers?: readonly string[];
  uppers?: readonly string[];
  /** Directories and files that only some kinds have: bridge, brport, bonding, tun_flags. */
  entries?: readonly string[];
  portName?: string;
  receiveBytes: number;
  transmitBytes: number;
}

/** Returns /proc/net/dev and /sys/class/net of a machine; `texts` may add more files. */
export function networkFiles(
  interfaces: Readonly<Record<string, FakeInterface>>,
  texts: Readonly<Record<string, string>> = {},
): Files {
  const all: Record<string, string> = { 'proc/net/dev': netDev(interfaces), ...texts };
  const links = new Map<string, string>();
  const link = (path: string, target: string): void => {
    all[path] = '';
    links.set(path, target);
  };
  for (const [name, one] of Object.entries(interfaces)) {
    const at = `sys/class/net/${name}`;
    all[`${at}/ifindex`] = `${one.index}\n`;
    all[`${at}/iflink`] = `${one.link ?? one.index}\n`;
    all[`${at}/type`] = `${one.type ?? 1}\n`;
    const kind = one.kind === undefined ? '' : `DEVTYPE=${one.kind}\n`;
    all[`${at}/uevent`] = `${kind}INTERFACE=${name}\nIFINDEX=${one.index}\n`;
    if (one.portName !== undefined) all[`${at}/phys_port_name`] = `${one.portName}\n`;
    if (one.device !== undefined) link(`${at}/device`, `../../../${one.device}`);
    if (one.master !== undefined) link(`${at}/master`, `../../../virtual/net/${one.master}`);
    for (const lower of one.lowers ?? []) link(`${at}/lower_${lower}`, `../${lower}`);
    for (const upper of one.uppers ?? []) link(`${at}/upper_${upper}`, `../${upper}`);
    for (const entry of one.entries ?? []) all[`${at}/${entry}`] = '';
  }
  return fakeFiles(all, { ...fakeFiles({}), link: (path) => links.get(path) ?? null });
}

const HEAD = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
`;

const netDev = (interfaces: Readonly<Record<string, Pick<FakeInterface, 'receiveBytes' | 'transmitBytes'>>>): string =>
  HEAD +
  Object.entries(interfaces)
    .map(([name, one]) => `${name}: ${one.receiveBytes} 0 0 0 0 0 0 0 ${one.transmitBytes} 0 0 0 0 0 0 0\n`)
    .join('');

/** A table of /proc/net/route: default routes of interfaces, then routes to a /24. */
export const routeTable = (defaults: readonly string[], networks: readonly string[] = []): string =>
  [
    'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT',
    ...defaults.map((name) => `${name}\t00000000\t0101A8C0\t0003\t0\t0\t0\t00000000\t0\t0\t0`),
    ...networks.map((name) => `${name}\t0001A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0`),
    '',
  ].join('\n');
