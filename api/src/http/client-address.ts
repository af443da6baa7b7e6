import { BlockList, isIP } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from './define-route.ts';

export interface ClientAddress {
  address: string;
  /** True when the user's own connection was TLS. */
  secure: boolean;
}

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
/** `::ffff:10.0.0.1` is 10.0.0.1 on a dual-stack socket. */
const plain = (address: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;

/**
 * Reads X-Forwarded-For from right to left and stops at the first address that is not one of our proxies: whatever
 * stands left of it was written by the client. `proxies`: addresses or CIDR ranges.
 */
export function clientAddressReader(
  proxies: readonly string[],
): (peer: string, forwardedFor: string | undefined, forwardedProto: string | undefined) => ClientAddress {
  const trusted = new BlockList();
  for (const range of proxies) {
    const [address = '', bits] = range.split('/');
    if (bits === undefined) trusted.addAddress(address, family(address));
    else trusted.addSubnet(address, Number(bits), family(address));
  }
  const isProxy = (address: string): boolean => isIP(address) !== 0 && trusted.check(address, family(address));
  return (peer, forwardedFor, forwardedProto) => {
    let address = plain(peer);
    if (!isProxy(address)) return { address, secure: false };
    for (const hop of (forwardedFor ?? '').split(',').toReversed()) {
      const candidate = plain(hop.trim());
      if (isIP(candidate) === 0) break;
      address = candidate;
      if (!isProxy(address)) break;
    }
    return { address, secure: forwardedProto?.split(',').at(-1)?.trim().toLowerCase() === 'https' };
  };
}

interface NodeBindings {
  incoming?: { socket?: { remoteAddress?: string } };
}

/** Sets `clientAddress` (rates, audit) and `secure` (the cookie's flag). */
export function clientAddress(proxies: readonly string[], publicUrl: string | null): MiddlewareHandler<HttpEnv> {
  const read = clientAddressReader(proxies);
  const publiclySecure = publicUrl?.startsWith('https:') ?? false;
  return async (http, next) => {
    const peer = (http.env as NodeBindings | undefined)?.incoming?.socket?.remoteAddress ?? '127.0.0.1';
    const found = read(peer, http.req.header('x-forwarded-for'), http.req.header('x-forwarded-proto'));
    http.set('clientAddress', found.address);
    http.set('secure', found.secure || publiclySecure);
    await next();
  };
}
