import { isIP } from 'node:net';
import type { EnvironmentReader } from './environment.ts';

/** Reads addresses and CIDR ranges with commas between. */
export function readRanges(environment: EnvironmentReader, name: string): string[] {
  const ranges = environment.list(name);
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address);
    const most = family === 6 ? 128 : 32;
    if (family === 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)))
      environment.refuse(`${name}: "${range}" is neither an address nor a CIDR range such as 10.0.0.0/8`);
  }
  return ranges;
}
