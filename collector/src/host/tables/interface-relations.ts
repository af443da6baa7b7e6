import type { Files } from '../../runtime/files.ts';

/** Facts about one interface that decide whether its traffic crosses the border of the machine. */
export interface InterfaceRelations {
  name: string;
  /** Last part of the `device` link: a PCI address, `virtio0`, `vif-1-0`. Empty when the link cannot be read. */
  device: string | null;
  /** Hardware type of <linux/if_arp.h>. */
  type: number | null;
  /** DEVTYPE of uevent: bond, bridge, vlan, dsa, wlan and so on; null for NICs and most others. */
  kind: string | null;
  /** Number in this network namespace. */
  index: number | null;
  /** Number of the interface below or of the peer, which may be in another namespace. */
  linkIndex: number | null;
  /** The bridge, bond, team or failover interface that this one is a port of. */
  master: string | null;
  /** Interfaces of this namespace that carry what this one carries. Kernels before 3.14 do not list them. */
  lowers: readonly string[];
  isBridge: boolean;
  isBridgePort: boolean;
  isBond: boolean;
  /** A character device feeds the interface: tun and tap. */
  isTap: boolean;
  portName: string | null;
}

const ROOT = 'sys/class/net';

/** Returns the names of the interface's directory; most facts are the mere presence of a name. */
export const listInterface = (files: Files, name: string): string[] => files.list(`${ROOT}/${name}`);

/**
 * Reads the relations of one interface. Without `whole`, what needs a file is read for interfaces with a device alone: a
 * host has few of them, but may have hundreds of veths.
 */
export function readRelations(
  files: Files,
  name: string,
  entries: readonly string[],
  whole: boolean,
): InterfaceRelations {
  const at = `${ROOT}/${name}`;
  const has = (entry: string): boolean => entries.includes(entry);
  const after = (prefix: string): string[] =>
    entries.filter((entry) => entry.startsWith(prefix)).map((entry) => entry.slice(prefix.length));
  const isRead = whole || has('device');
  const number = (file: string): number | null => (isRead ? parseNumber(files.optional(`${at}/${file}`)) : null);
  return {
    name,
    device: has('device') ? (lastPart(files.link(`${at}/device`)) ?? '') : null,
    type: number('type'),
    kind: isRead ? parseKind(files.optional(`${at}/uevent`)) : null,
    index: number('ifindex'),
    linkIndex: number('iflink'),
    master: has('master') && isRead ? (lastPart(files.link(`${at}/master`)) ?? onlyOne(after('upper_'))) : null,
    lowers: after('lower_'),
    isBridge: has('bridge'),
    isBridgePort: has('brport'),
    isBond: has('bonding'),
    isTap: has('tun_flags'),
    portName: has('device') ? (files.optional(`${at}/phys_port_name`)?.trim() ?? null) : null,
  };
}

const lastPart = (link: string | null): string | null => link?.split('/').at(-1) ?? null;
const onlyOne = (names: readonly string[]): string | null => (names.length === 1 ? (names[0] ?? null) : null);

function parseNumber(text: string | null): number | null {
  const trimmed = text?.trim() ?? '';
  return /^\d+$/.test(trimmed) ? Number(trimmed) : null;
}

const parseKind = (uevent: string | null): string | null => /^DEVTYPE=([\w-]+)$/m.exec(uevent ?? '')?.[1] ?? null;
