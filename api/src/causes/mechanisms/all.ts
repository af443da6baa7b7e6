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
import { claimUnbound, volumeFull, volumeNotMounted } from './pods/claim.ts';
import { jobKept, podKept } from './pods/kept.ts';
import { cpuLimit, memoryLimit } from './pods/limits.ts';
import { refusedCreation } from './pods/refused.ts';
import { changedWorkload, probe, scaledToZero } from './pods/rollout.ts';
import { forbidden, missingObject, missingSettingOfPod } from './pods/settings.ts';
import { stateMechanisms } from './pods/states.ts';
import { unschedulable } from './pods/unschedulable.ts';
import { certificates } from './traffic/certificate.ts';
import { changedObjects } from './traffic/changed-objects.ts';
import { dependencyRefuses, sharedStore } from './traffic/dependency.ts';
import { dnsDown } from './traffic/dns.ts';
import { networkPolicy } from './traffic/policy.ts';
import { serviceMechanisms } from './traffic/service.ts';
import { trafficSource } from './traffic/traffic-source.ts';
import { unknownName } from './traffic/unknown-name.ts';

/** Every way in which things fail that is recognised. Their order does not matter. */
export const MECHANISMS: readonly Mechanism[] = [
  ...nodeMechanisms,
  ...stateMechanisms,
  ...[changedWorkload, scaledToZero, probe, memoryLimit, cpuLimit],
  ...[missingObject, missingSettingOfPod, forbidden, refusedCreation, unschedulable],
  ...[claimUnbound, volumeFull, volumeNotMounted, jobKept, podKept],
  ...changedObjects,
  ...serviceMechanisms,
  ...certificates,
  ...[dependencyRefuses, sharedStore, dnsDown, networkPolicy, trafficSource, unknownName],
  ...cpuMechanisms,
  ...memoryMechanisms,
  ...diskMechanisms,
  ...networkMechanisms,
  ...silenceMechanisms,
  ...unitMechanisms,
  ...statedMechanisms,
  ...[limitReached, startedBefore],
];
