import type { Mechanism } from '../mechanism.ts';
import { cpuMechanisms } from './host/cpu.ts';
import { diskMechanisms } from './host/disk.ts';
import { limitReached } from './host/limits.ts';
import { memoryMechanisms } from './host/memory.ts';
import { networkMechanisms } from './host/network.ts';
import { startedBefore } from './host/newcomer.ts';
import { serviceMechanisms as unitMechanisms } from './host/service.ts';
import { silenceMechanisms } from './host/silence.ts';
import { statedMechanisms } from './host/stated.ts';
import { nodeMechanisms } from './nodes/nodes.ts';
import { claimMechanisms } from './pods/claim.ts';
import { keptMechanisms } from './pods/kept.ts';
import { limitMechanisms } from './pods/limits.ts';
import { refusedCreation } from './pods/refused.ts';
import { rolloutMechanisms } from './pods/rollout.ts';
import { settingMechanisms } from './pods/settings.ts';
import { stateMechanisms } from './pods/states.ts';
import { taskBefore } from './pods/task.ts';
import { unschedulable } from './pods/unschedulable.ts';
import { certificate } from './traffic/certificate.ts';
import { changedObjects } from './traffic/changed-objects.ts';
import { deployed } from './traffic/deployed.ts';
import { storeMechanisms } from './traffic/dependency.ts';
import { dnsDown } from './traffic/dns.ts';
import { networkPolicy } from './traffic/policy.ts';
import { serviceMechanisms } from './traffic/service.ts';
import { trafficSource } from './traffic/traffic-source.ts';
import { unknownName } from './traffic/unknown-name.ts';

/** Every way in which things fail that is recognised. Their order does not matter. */
export const MECHANISMS: readonly Mechanism[] = [
  ...nodeMechanisms,
  ...stateMechanisms,
  ...rolloutMechanisms,
  ...limitMechanisms,
  ...settingMechanisms,
  refusedCreation,
  unschedulable,
  taskBefore,
  ...claimMechanisms,
  ...keptMechanisms,
  ...changedObjects,
  ...serviceMechanisms,
  certificate,
  deployed,
  ...storeMechanisms,
  dnsDown,
  networkPolicy,
  trafficSource,
  unknownName,
  ...cpuMechanisms,
  ...memoryMechanisms,
  ...diskMechanisms,
  ...networkMechanisms,
  ...silenceMechanisms,
  ...unitMechanisms,
  ...statedMechanisms,
  limitReached,
  startedBefore,
];
