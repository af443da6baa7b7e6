import type { Incident } from '../incident.ts';
import { CONTAINER_INCIDENTS } from './containers.ts';
import { FURTHER_CLUSTER_INCIDENTS } from './further.ts';
import { HEALTHY_STRETCHES } from './healthy.ts';
import { MORE_CLUSTER_INCIDENTS } from './more.ts';
import { PAIRS } from './pairs.ts';
import { PLACEMENT_INCIDENTS } from './placement.ts';
import { SERVICE_INCIDENTS } from './services.ts';
import { SETTING_INCIDENTS } from './settings.ts';
import type { Shop } from './shop.ts';

export const CLUSTER_INCIDENTS: readonly Incident<Shop>[] = [
  ...CONTAINER_INCIDENTS,
  ...SETTING_INCIDENTS,
  ...SERVICE_INCIDENTS,
  ...PLACEMENT_INCIDENTS,
  ...PAIRS,
  ...HEALTHY_STRETCHES,
  ...FURTHER_CLUSTER_INCIDENTS,
  ...MORE_CLUSTER_INCIDENTS,
];
