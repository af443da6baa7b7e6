import type { Files } from '../../runtime/files.ts';

/** Interfaces by the routes of the main table, of IPv4 and IPv6 together. */
export interface RoutedInterfaces {
  /** Interfaces with a default route. */
  defaults: ReadonlySet<string>;
  /** Interfaces with a route to a network of more than one address, the default route included. */
  networks: ReadonlySet<string>;
  /** Interfaces with a route to another router. */
  gateways: ReadonlySet<string>;
  /** PPP runs over Ethernet here, so a NIC carries what its interface carries. */
  hasPppoe: boolean;
}

/** RTF_UP, RTF_GATEWAY and RTF_REJECT of <linux/route.h>. */
const UP = 0x1;
const GATEWAY = 0x2;
const REJECT = 0x200;

export function readRoutes(files: Files): RoutedInterfaces {
  const defaults = new Set<string>();
  const networks = new Set<string>();
  const gateways = new Set<string>();
  for (const { name, bits, most, isGateway } of [
    ...parseRoutes(files.optional('proc/net/route') ?? ''),
    ...parseRoutes6(files.optional('proc/net/ipv6_route') ?? ''),
  ]) {
    if (bits === 0) defaults.add(name);
    if (bits < most) networks.add(name);
    if (isGateway) gateways.add(name);
  }
  // The first line is the head of the table.
  const sessions = (files.optional('proc/net/pppoe') ?? '').trim().split('\n').slice(1);
  return { defaults, networks, gateways, hasPppoe: sessions.length > 0 };
}

/** A route with the length of its prefix, of 32 or 128 bits. */
interface Route {
  name: string;
  bits: number;
  most: 32 | 128;
  isGateway: boolean;
}

const isUsed = (flags: number): boolean => (flags & UP) !== 0 && (flags & REJECT) === 0;
const hasGateway = (flags: number): boolean => (flags & GATEWAY) !== 0;

/** Text of /proc/net/route: interface, destination, gateway, flags …, the mask in column eight. Numbers are hexadecimal. */
export function parseRoutes(text: string): Route[] {
  return text.split('\n').flatMap((line) => {
    const [name, destination, , flags, , , , mask] = line.trim().split(/\s+/);
    if (name === undefined || destination === undefined || flags === undefined || mask === undefined) return [];
    const flagBits = Number.parseInt(flags, 16);
    if (!/^[0-9a-fA-F]{8}$/.test(mask) || !isUsed(flagBits)) return [];
    return [
      {
        name,
        bits: Number.parseInt(mask, 16).toString(2).replaceAll('0', '').length,
        most: 32 as const,
        isGateway: hasGateway(flagBits),
      },
    ];
  });
}

/** Text of /proc/net/ipv6_route: destination, its length …, flags and interface last. Link-local and multicast lead nowhere. */
export function parseRoutes6(text: string): Route[] {
  return text.split('\n').flatMap((line) => {
    const words = line.trim().split(/\s+/);
    const [destination = '', length = ''] = words;
    const [flags, name] = words.slice(-2);
    if (words.length < 10 || flags === undefined || name === undefined || name === 'lo') return [];
    if (!/^[0-9a-f]{2}$/.test(length) || /^f[ef]/.test(destination)) return [];
    const flagBits = Number.parseInt(flags, 16);
    if (!isUsed(flagBits)) return [];
    return [{ name, bits: Number.parseInt(length, 16), most: 128 as const, isGateway: hasGateway(flagBits) }];
  });
}
