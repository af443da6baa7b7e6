import type { Mechanism } from '../mechanism.ts';
import { nodeDown } from './nodes/node-down.ts';
import { nodePressure } from './nodes/node-pressure.ts';
import { noisyNeighbour } from './nodes/noisy-neighbour.ts';
import { cpuMechanisms } from './host/cpu.ts';
import { diskMechanisms } from './host/disk.ts';
import { memoryMechanisms } from './host/memory.ts';
import { networkMechanisms } from './host/network.ts';
import { limitReached } from './host/limits.ts';
import { startedBefore } from './host/newcomer.ts';
import { serviceMechanisms } from './host/service.ts';
import { silenceMechanisms } from './host/silence.ts';
import { statedMechanisms } from './host/stated.ts';
import { changedWorkload } from './pods/changed-workload.ts';
import { claimUnbound, volumeFull, volumeNotMounted } from './pods/claim.ts';
import { configChanged } from './pods/config-changed.ts';
import { configError } from './pods/config-error.ts';
import { cpuLimit } from './pods/cpu-limit.ts';
import { crashLoop } from './pods/crash-loop.ts';
import { evicted } from './pods/evicted.ts';
import { forbidden } from './pods/forbidden.ts';
import { imagePull } from './pods/image-pull.ts';
import { initWaits } from './pods/init-waits.ts';
import { memoryLimit } from './pods/memory-limit.ts';
import { missingObject } from './pods/missing-object.ts';
import { missingSettingOfPod } from './pods/missing-setting.ts';
import { probe } from './pods/probe.ts';
import { refusedCreation } from './pods/refused.ts';
import { scaledToZero } from './pods/replicas.ts';
import { unschedulable } from './pods/unschedulable.ts';
import { certificate } from './traffic/certificate.ts';
import { dependencyRefuses, sharedStore } from './traffic/dependency.ts';
import { dnsDown } from './traffic/dns.ts';
import { ingressBackend } from './traffic/ingress-backend.ts';
import { networkPolicy } from './traffic/policy.ts';
import { serviceChanged } from './traffic/service-changed.ts';
import { servicePort } from './traffic/service-port.ts';
import { serviceSelector } from './traffic/service-selector.ts';
import { trafficSource } from './traffic/traffic-source.ts';
import { unknownName } from './traffic/unknown-name.ts';

/** Every way in which things fail that is recognised. Their order does not matter. */
export const MECHANISMS: readonly Mechanism[] = [
  nodeDown,
  nodePressure,
  noisyNeighbour,
  changedWorkload,
  claimUnbound,
  volumeFull,
  volumeNotMounted,
  configChanged,
  configError,
  cpuLimit,
  crashLoop,
  evicted,
  forbidden,
  imagePull,
  initWaits,
  memoryLimit,
  missingObject,
  missingSettingOfPod,
  probe,
  refusedCreation,
  scaledToZero,
  unschedulable,
  certificate,
  dependencyRefuses,
  sharedStore,
  dnsDown,
  ingressBackend,
  networkPolicy,
  serviceChanged,
  servicePort,
  serviceSelector,
  trafficSource,
  unknownName,
  ...cpuMechanisms,
  ...memoryMechanisms,
  ...diskMechanisms,
  ...networkMechanisms,
  ...silenceMechanisms,
  ...serviceMechanisms,
  ...statedMechanisms,
  limitReached,
  startedBefore,
];
