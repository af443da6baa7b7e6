import { interfaceKind, outwardNames } from '@plimsoll/contract/rules/machines/interfaces';
import type { InterfaceRelations } from './interface-relations.ts';
import type { RoutedInterfaces } from './routes.ts';

/** Hardware types of <linux/if_arp.h>. */
const ETHERNET = 1;
const LOOPBACK = 772;
/** An interface of a WLAN card that shows the frames of every station (802.11, with Prism or radiotap headers). */
const MONITORS: ReadonlySet<number | null> = new Set([801, 802, 803]);
/** Kinds that may be the only way out of a container although they have no device: their other end is outside. */
const OUTWARD_KINDS: ReadonlySet<string | null> = new Set([
  null,
  'veth',
  'netkit',
  'macvlan',
  'ipvlan',
  'vlan',
  'phys',
]);

/** A port of a switch inside the NIC that stands for a virtual machine (Documentation/networking/representors.rst). */
const REPRESENTOR = /^(?:c\d+)?pf\d+(?:vf\d+|sf\d+|hpf)?$/;
/** The end of Xen's network driver in the host: `vif-DOMAIN-NUMBER`; that of the guest is `vif-NUMBER`. */
const XEN_BACKEND = /^vif-\d+-\d+$/;

export interface Machine {
  interfaces: readonly InterfaceRelations[];
  /** Called only where the devices do not decide. */
  routes: () => RoutedInterfaces;
  isContainer: boolean;
}

/**
 * Returns the interfaces whose traffic crosses the border of the machine, each byte once. On a machine with NICs these are
 * the NICs; a container has the inner end of a pair, whose other end is outside.
 */
export function borderInterfaces({ interfaces, routes, isContainer }: Machine): Set<string> {
  const byName = new Map(interfaces.map((one) => [one.name, one]));
  const devices = interfaces.filter((one) => one.device !== null && isBorder(one, byName)).map(({ name }) => name);
  if (devices.length > 0 && !isContainer) return new Set([...devices, ...dialled(interfaces, devices, routes)]);
  const outward = interfaces.filter(isOutward);
  if (devices.length > 0) {
    const { defaults } = routes();
    return new Set([...devices, ...outward.map(({ name }) => name).filter((name) => defaults.has(name))]);
  }
  const inside = withoutDevices(interfaces, byName, outward, routes());
  return new Set(inside);
}

/** "ppp0", and "3g-wan" of OpenWrt. */
const PPP = /^(?:ppp\d|3g-)/;

/**
 * Returns the interfaces of modems on a serial line, which have no device. PPP is as well a tunnel, over Ethernet or to a
 * server: a NIC then has the session, or a route to the router that leads there.
 */
function dialled(
  interfaces: readonly InterfaceRelations[],
  devices: readonly string[],
  routes: () => RoutedInterfaces,
): string[] {
  const names = interfaces.filter(({ name, device }) => device === null && PPP.test(name)).map(({ name }) => name);
  if (names.length === 0) return [];
  const { defaults, gateways, hasPppoe } = routes();
  const isTunnelled = hasPppoe || devices.some((name) => gateways.has(name));
  return isTunnelled ? [] : names.filter((name) => defaults.has(name));
}

/** Returns true for an interface with a device that no other interface with a device stands for. */
function isBorder(one: InterfaceRelations, byName: ReadonlyMap<string, InterfaceRelations>): boolean {
  if (one.type === LOOPBACK || MONITORS.has(one.type)) return false;
  if (one.portName !== null && REPRESENTOR.test(one.portName)) return false;
  if (XEN_BACKEND.test(one.device ?? '')) return false;
  // The hypervisor's interface sums its virtual function (Azure, net_failover), so the master counts and not its port.
  if (hasDevice(one.master, byName)) return false;
  // A port of a switch chip sends everything through the NIC below it.
  return !liesOnDevice(one, byName);
}

const hasDevice = (name: string | null, byName: ReadonlyMap<string, InterfaceRelations>): boolean =>
  name !== null && (byName.get(name)?.device ?? null) !== null;

function liesOnDevice(one: InterfaceRelations, byName: ReadonlyMap<string, InterfaceRelations>): boolean {
  const below = one.lowers.filter((name) => byName.get(name)?.master !== one.name);
  if (below.some((name) => reachesDevice(name, byName, new Set([one.name])))) return true;
  // Kernels before 3.14 list no lower interfaces. InfiniBand children have an index below too, and count on their own.
  if (one.lowers.length > 0 || one.type !== ETHERNET || one.linkIndex === null || one.linkIndex === one.index)
    return false;
  return [...byName.values()].some(
    ({ name, index, device, master }) =>
      device !== null && index === one.linkIndex && name !== one.name && master !== one.name,
  );
}

function reachesDevice(
  name: string,
  byName: ReadonlyMap<string, InterfaceRelations>,
  seen: ReadonlySet<string>,
): boolean {
  const one = byName.get(name);
  if (one === undefined || seen.has(name)) return false;
  if (one.device !== null) return true;
  const path = new Set([...seen, name]);
  return one.lowers.some((lower) => reachesDevice(lower, byName, path));
}

/** Returns true for an interface whose other end is in another namespace, as a container has it. */
const isOutward = (one: InterfaceRelations): boolean =>
  one.device === null &&
  (one.type === ETHERNET || one.type === null) &&
  one.master === null &&
  one.lowers.length === 0 &&
  !(one.isBridge || one.isBridgePort || one.isBond || one.isTap) &&
  OUTWARD_KINDS.has(one.kind) &&
  one.linkIndex !== null &&
  one.linkIndex !== 0 &&
  one.linkIndex !== one.index;

/**
 * Returns the way out of a machine without any device. The default route names it; a second network leads out as well,
 * unless its interface has a name that runtimes give the outer ends of their own containers.
 */
function withoutDevices(
  interfaces: readonly InterfaceRelations[],
  byName: ReadonlyMap<string, InterfaceRelations>,
  outward: readonly InterfaceRelations[],
  { defaults, networks }: RoutedInterfaces,
): string[] {
  const routed = outward.filter(({ name }) => networks.has(name) && interfaceKind(name, 'linux') === 'link');
  const ends = [...defaults].flatMap((name) => endsBelow(name, byName, new Set()));
  const found = new Set([...ends.filter((one) => !isTunnel(one)), ...routed].map(({ name }) => name));
  if (found.size > 0) return [...found];
  const linkNames = outward.map(({ name }) => name).filter((name) => interfaceKind(name, 'linux') === 'link');
  if (linkNames.length > 0) return linkNames;
  // A network stack in user space (slirp4netns, pasta) is a tap, and the only way out.
  if (ends.length > 0) return ends.map(({ name }) => name);
  const single = interfaces.filter((one) => one.lowers.length === 0 && !one.isBridge && !one.isBridgePort);
  return outwardNames(
    (single.length > 0 ? single : interfaces).map(({ name }) => name),
    'linux',
  );
}

const TUNNEL_KINDS: ReadonlySet<string | null> = new Set([
  'wireguard',
  'ppp',
  'vxlan',
  'geneve',
  'ovpn',
  'gtp',
  'bareudp',
]);
/** Every layer-3 tunnel has a hardware type of its own; GRE and tap devices with Ethernet frames have not. */
const isTunnel = (one: InterfaceRelations): boolean =>
  one.isTap || TUNNEL_KINDS.has(one.kind) || (one.type !== ETHERNET && one.type !== VOID && one.type !== null);
/** venet of OpenVZ, which is no tunnel. */
const VOID = 65_535;

/** Follows bridges, bonds and VLANs down to the interfaces that carry their traffic to the outside. */
function endsBelow(
  name: string,
  byName: ReadonlyMap<string, InterfaceRelations>,
  seen: Set<string>,
): InterfaceRelations[] {
  const one = byName.get(name);
  if (one === undefined || one.type === LOOPBACK || seen.has(name)) return [];
  seen.add(name);
  const ports = [...byName.values()].filter((port) => port.master === name || one.lowers.includes(port.name));
  const outer = one.isBridge ? ports.filter((port) => interfaceKind(port.name, 'linux') !== 'guest') : ports;
  const below = outer.flatMap((port) => endsBelow(port.name, byName, seen));
  return below.length > 0 ? below : [one];
}
