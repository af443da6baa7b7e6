import { interfaceKind } from '@plimsoll/contract/rules/machines/interfaces';
import type { Exec } from '../runtime/exec.ts';
import type { Moment, Source } from '../source.ts';
import { type InterfaceCounters, shapeInterfaces } from './network.ts';

export function networkSourceDarwin(exec: Exec): Source {
  let before: { up: number; interfaces: Map<string, InterfaceCounters> } | null = null;
  return {
    name: 'network',
    read: async (now: Moment) => {
      const { interfaces, down } = parseNetstat(await exec('netstat', ['-ibn']));
      const part = shapeInterfaces(before, interfaces, now.up, (name) => !down.has(name)).map((one) => ({
        ...one,
        // netstat counts no dropped packets per direction.
        receive_drops_per_second: null,
        transmit_drops_per_second: null,
      }));
      before = { up: now.up, interfaces };
      return { part: { interfaces: part } };
    },
  };
}

/**
 * `netstat -ibn`: only the <Link#…> row of an interface is its own, the others repeat it by address. The address
 * column is empty for some, so columns are counted from the end. A "*" behind the name means down.
 */
export function parseNetstat(text: string): { interfaces: Map<string, InterfaceCounters>; down: Set<string> } {
  const interfaces = new Map<string, InterfaceCounters>();
  const down = new Set<string>();
  const columns = text.split('\n', 1)[0]?.includes('Drop') === true ? 8 : 7;
  for (const line of text.split('\n')) {
    const words = line.trim().split(/\s+/);
    const name = words[0]?.replace('*', '') ?? '';
    if (interfaceKind(name, 'macos') !== 'link' || words[2]?.startsWith('<Link#') !== true) continue;
    const [, receiveErrors, receiveBytes, , transmitErrors, transmitBytes] = words.slice(-columns).map(Number);
    if (receiveErrors === undefined || receiveBytes === undefined) continue;
    if (transmitErrors === undefined || transmitBytes === undefined) continue;
    if (words[0]?.endsWith('*') === true) down.add(name);
    const drops = { receiveDrops: 0, transmitDrops: 0 };
    interfaces.set(name, { receiveBytes, receiveErrors, transmitBytes, transmitErrors, ...drops });
  }
  return { interfaces, down };
}
