type Environment = Readonly<Record<string, string | undefined>>;

/** Names of the variables by the scheme of the address, in the order in which curl reads them. */
const NAMES = {
  'https:': ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
  'http:': ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
} as const;
/** Every variable that names a proxy. */
export const PROXY_VARIABLES = [...new Set(Object.values(NAMES).flat()), 'no_proxy', 'NO_PROXY'] as const;

/**
 * Returns the proxy that the environment names for an address, and the variable. Null: none, or NO_PROXY or loopback
 * exempts the address. A value without a scheme is a proxy of plain http, as for curl.
 */
export function environmentProxy(url: string, environment: Environment): { proxy: string; name: string } | null {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  const name = NAMES[protocol].find((candidate) => (environment[candidate] ?? '') !== '');
  if (name === undefined) return null;
  const exempt = environment['no_proxy'] ?? environment['NO_PROXY'] ?? '';
  const address = { host: bare(hostname), port: port || (protocol === 'https:' ? '443' : '80') };
  if (isLoopback(address.host) || exempt.split(/[\s,]+/).some((entry) => exempts(entry, address))) return null;
  const text = environment[name] ?? '';
  return { proxy: text.includes('://') ? text : `http://${text}`, name };
}

const bare = (host: string): string => host.toLowerCase().replace(/^\[|\]$/g, '');
const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/.test(host);

/** An entry of NO_PROXY: "*", a host, a domain (with or without a dot or "*." before it), host:port, or an IPv4 network. */
function exempts(entry: string, { host, port }: { host: string; port: string }): boolean {
  if (entry === '*') return true;
  const network = /^(\d+(?:\.\d+){3})\/(\d+)$/.exec(entry);
  if (network) return isInNetwork(host, network[1] ?? '', Number(network[2]));
  const [, name = '', ofPort] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [null, entry];
  const domain = bare(name).replace(/^\*?\./, '');
  if (domain === '' || (ofPort !== undefined && ofPort !== port)) return false;
  return host === domain || host.endsWith(`.${domain}`);
}

/** Computed here, because node:net takes 0.9 MB of memory. */
function isInNetwork(host: string, network: string, bits: number): boolean {
  const [address, base] = [numberOf(host), numberOf(network)];
  if (address === null || base === null || bits > 32) return false;
  const size = 2 ** (32 - bits);
  return Math.floor(address / size) === Math.floor(base / size);
}

function numberOf(address: string): number | null {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(address)) return null;
  const parts = address.split('.').map(Number);
  return parts.every((part) => part <= 255) ? parts.reduce((sum, part) => sum * 256 + part, 0) : null;
}
