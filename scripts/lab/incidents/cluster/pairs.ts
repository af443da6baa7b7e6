import type { Incident, TrueCause } from '../incident.ts';
import { CONTAINER_INCIDENTS } from './containers.ts';
import { SERVICE_INCIDENTS } from './services.ts';
import { SETTING_INCIDENTS } from './settings.ts';
import type { Shop } from './shop.ts';

const ALL = [...CONTAINER_INCIDENTS, ...SERVICE_INCIDENTS, ...SETTING_INCIDENTS];

/** Joins two incidents that touch different programs: both causes must be named. */
function pair(name: string, first: string, second: string): Incident<Shop> {
  const parts = [first, second].map((one) => {
    const found = ALL.find((incident) => incident.name === one);
    if (!found) throw new Error(`no incident is called ${one}`);
    return found;
  });
  return {
    name,
    fault: parts.map(({ fault }) => fault).join('; at the same time, '),
    causes: parts.flatMap(({ causes }): TrueCause[] => causes),
    related: parts.flatMap(({ related = [] }) => related),
    decoy: null,
    async inject(shop) {
      for (const part of parts) await part.inject(shop);
    },
  };
}

export const PAIRS: Incident<Shop>[] = [
  pair('two-port-and-command', 'selector-empty', 'wrong-program'),
  pair('two-variable-and-poison', 'variable-missing', 'poison-message'),
  pair('two-service-and-limit', 'service-missing', 'memory-limit-too-small'),
];
