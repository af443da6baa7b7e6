import { operatingSystemOf } from '@plimsoll/contract/rules/machines/interfaces';
import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import type { InterfacePart } from '@plimsoll/contract/wire/report';
import { figureKey } from '../collect-readings.ts';
import { type InterfaceFacts, outwardInterfaces } from '../counted-devices.ts';
import type { Figures } from '../figures.ts';

const namesOf = (figures: Figures): string[] =>
  [...new Set(figures.labelsOf('interface').map(([device = '']) => device))].toSorted();

export function shapeInterfaces(figures: Figures): InterfacePart[] | undefined {
  // The newest comes first, and the last entry of a name holds.
  const facts = figures.labelsOf('interface-address').toReversed();
  const states = new Map(facts.map(([name = '', , state = '']): [string, string] => [name, state]));
  const names = outwardInterfaces(namesOf(figures), interfaceFacts(figures));
  if (names.length === 0) return undefined;
  return names.slice(0, REPORT_LIMITS.interfaces).map((name) => {
    const perSecond = (what: string): number | null => figures.perSecond(figureKey('interface', name, what));
    const isAnew = beganAnew(figures, name);
    const rate = (what: string): number | null => (isAnew ? null : perSecond(what));
    const up = figures.value(figureKey('interface', name, 'up'));
    return {
      name,
      receive_bytes_per_second: rate('receive-bytes'),
      transmit_bytes_per_second: rate('transmit-bytes'),
      receive_errors_per_second: rate('receive-errors'),
      transmit_errors_per_second: rate('transmit-errors'),
      receive_drops_per_second: rate('receive-drops'),
      transmit_drops_per_second: rate('transmit-drops'),
      // Drivers without detection of a carrier say "unknown", and node_network_up is 0 then.
      up: up === null || states.get(name) === 'unknown' ? null : up > 0,
    };
  });
}

/** One counter without a rate: the interface was removed and came back, or it wrapped. The others say nothing then. */
const beganAnew = (figures: Figures, name: string): boolean =>
  ['receive-bytes', 'transmit-bytes'].some((what) => figures.lostRate(figureKey('interface', name, what)));

/** Interfaces without frames of Ethernet have none, or zeros. */
const NO_ADDRESS = /^[0:]*$/;

function interfaceFacts(figures: Figures): InterfaceFacts {
  const [, kernel = ''] = figures.labelsOf('uname')[0] ?? [];
  const addresses = new Map(
    figures.labelsOf('interface-address').map(([name = '', address = '']): [string, string] => [name, address]),
  );
  const bytes = (name: string, way: string): number | null =>
    figures.perSecond(figureKey('interface', name, `${way}-bytes`));
  return {
    system: operatingSystemOf(kernel),
    bonds: new Set(figures.labelsOf('bond').map(([master = '']) => master)),
    addressOf: (name) => {
      const address = addresses.get(name) ?? '';
      return NO_ADDRESS.test(address) ? null : address;
    },
    indexOf: (name) => figures.value(figureKey('interface-index', name)),
    belowOf: (name) => figures.value(figureKey('interface-below', name)),
    bytesOf: (name) => ({ receive: bytes(name, 'receive'), transmit: bytes(name, 'transmit') }),
  };
}
