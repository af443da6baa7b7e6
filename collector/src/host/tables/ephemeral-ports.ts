import type { UseOfLimit } from '@plimsoll/contract/wire/hardware';
import type { Files } from '../../runtime/files.ts';
import { portDigits, type PortDigits } from './socket-table.ts';

const RANGE = 'proc/sys/net/ipv4/ip_local_port_range';

/**
 * Counts the local ports of outgoing TCP connections in the range that the kernel gives them. One port may serve several
 * peers, so a program that calls one address runs out first.
 */
export function ephemeralPorts(
  files: Files,
  local: ReadonlySet<PortDigits>,
  listening: ReadonlySet<PortDigits>,
): UseOfLimit | undefined {
  const [first, last] =
    /^(\d{1,5})\s+(\d{1,5})\s*$/
      .exec(files.optional(RANGE) ?? '')
      ?.slice(1)
      .map(Number) ?? [];
  if (first === undefined || last === undefined || first > last || last > 65_535) return undefined;
  // Four hexadecimal digits in upper case, as the kernel writes them, are in the order of their numbers.
  const [from, to] = [portDigits(first), portDigits(last)];
  let used = 0;
  for (const port of local) if (port >= from && port <= to && !listening.has(port)) used += 1;
  return { used, max: last - first + 1 };
}
