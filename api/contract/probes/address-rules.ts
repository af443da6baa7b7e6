import { BlockList, isIP } from 'node:net';

/**
 * Destinations that an address from the UI or a provider must not reach: this host, its networks, and their aliases.
 */
const PRIVATE: readonly string[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Includes ::, ::1, and IPv4-compatible addresses; IPv4-mapped ones are judged by what they map.
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
];

/** Link-local, multicast, and the addresses where clouds answer with secrets of the machine. No setting opens them to checks. */
const NEVER_CHECKED: readonly string[] = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '224.0.0.0/4',
  '255.255.255.255',
  'fe80::/10',
  'fd00:ec2::/32',
  'fd20:ce::/32',
  'ff00::/8',
  // Translations of IPv4 lead to any of those above.
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2002::/16',
  '::/128',
];

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = '', bits] = range.split('/');
    if (bits === undefined) list.addAddress(net, familyOf(net));
    else list.addSubnet(net, Number(bits), familyOf(net));
  }
  return list;
}

/** Runtimes differ in how they compare an IPv4-mapped address, so it is compared as what it maps. */
export function unmapped(address: string): string {
  const short = /^(?:0{0,4}:){2,5}ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1];
  if (short !== undefined) return short;
  const [, high, low] = /^(?:0{0,4}:){2,5}ffff:([\da-f]{1,4}):([\da-f]{1,4})$/i.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return `${String(a >> 8)}.${String(a & 255)}.${String(b >> 8)}.${String(b & 255)}`;
}

const holds = (list: BlockList, address: string): boolean => list.check(address, familyOf(address));

const privateList = blockListOf(PRIVATE);
const neverList = blockListOf(NEVER_CHECKED);

/** False for private, loopback, link-local, transition and reserved addresses, and for what is no address. */
export function isPublicAddress(address: string): boolean {
  return isIP(address) !== 0 && !address.includes('%') && !holds(privateList, unmapped(address));
}

/** Returns true if an address or CIDR range of `ranges` holds the address. */
export const isInRanges = (address: string, ranges: readonly string[]): boolean =>
  isIP(address) !== 0 && holds(blockListOf(ranges), unmapped(address));

/** Returns true for a network as a setting names it: an address, or a CIDR range. */
export function isNetwork(text: string): boolean {
  const [net = '', bits, more] = text.split('/');
  const family = isIP(net);
  if (family === 0 || more !== undefined) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}

/**
 * Returns the rule of a place for the addresses of its checks: public ones, and those of `networks`. Link-local and metadata
 * addresses are refused whatever the networks are.
 */
export function checkAddressRule(networks: readonly string[]): (address: string) => boolean {
  const opened = blockListOf(networks);
  return (address) => {
    // A scope makes an address link-local.
    if (isIP(address) === 0 || address.includes('%')) return false;
    const judged = unmapped(address);
    if (holds(neverList, judged)) return false;
    return !holds(privateList, judged) || holds(opened, judged);
  };
}
