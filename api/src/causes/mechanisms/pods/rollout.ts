import type { FieldSeen } from '../../evidence.ts';
import { clock } from '../../figures.ts';
import type { Mechanism } from '../../mechanism.ts';
import type { Moment, WorkloadMoment } from '../../moment.ts';
import { isResolverSilent, quote } from '../../words.ts';
import {
  firstAt,
  ifNoticed,
  isJustBefore,
  isWayKnown,
  REGISTRY_SILENT,
  wasSick,
  workloadMechanism,
} from '../../workload-states.ts';
import { changeWords, tellingFields } from '../../change-words.ts';
import { shell } from '../../commands.ts';
import { POD_TROUBLE } from '../../aspects.ts';

/** A pod is reported up to this much before the change that made it: clocks differ. */
const CLOCK_SECONDS = 120;
/** A new pod that does not work shows it by then: it is scheduled, pulled, started and probed. */
const FOLLOWS_SECONDS = 600;

/**
 * Returns true if a workload that rolled out and is well may be what alerts are about: of several none is likelier than the
 * others, and where pods of others are not well, the cause is with them or with what they name.
 */
function isOnlySuspect(workload: WorkloadMoment, moment: Moment): boolean {
  const isNamed = workload.services.some((service) =>
    moment.callersOf(service).some(({ texts }) => !texts.every(({ text }) => isResolverSilent(text))),
  );
  return (
    (isNamed || workload.neighbours.every(({ unwell }) => unwell.length === 0)) &&
    workload.neighbours.every((one) => {
      const change = one.rollout();
      return change === undefined || !isJustBefore(change.at, moment);
    })
  );
}

const SETTING = /\.env\.\w*(?:URL|URI|DSN|HOST|ADDR|PORT|ENDPOINT|SERVER|BROKER|USER|PASS|TOKEN|SECRET|KEY)/i;
const UNITS: Readonly<Record<string, number>> = {
  m: 0.001,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
};
const amountOf = (text: string): number =>
  Number.parseFloat(text) * (UNITS[/^[\d.]{1,20}([a-zA-Z]{1,2})$/.exec(text)?.[1] ?? ''] ?? 1);
/** A program that stays ready may still fail at its work: it may use less, or reaches and logs in elsewhere. */
const mayHurt = ({ field, before, after }: FieldSeen): boolean =>
  SETTING.test(field) ||
  (field.includes('.resources.limits.') && after !== null && (before === null || amountOf(after) < amountOf(before)));

/** The first trouble of the workload after a moment, by its warnings and the ends of its containers; null: none is known. */
function onsetOf({ events, pods }: WorkloadMoment, after: number): number | null {
  const times = [
    ...events.filter(({ type }) => type !== 'Normal').flatMap(({ firstAt: first, lastAt }) => [first, lastAt]),
    ...pods.flatMap(({ restarts }) => restarts.map(({ at }) => at)),
  ].filter((at) => at >= after);
  return times.length === 0 ? null : Math.min(...times);
}

/** The network of the node, a volume that is in use, or the registry is at fault: whatever changed in the template. */
const OUTSIDE = /multi-attach error|failed to create pod sandbox|network plugin|failed to assign an IP/i;
const isHeldBack = ({ texts }: WorkloadMoment): boolean =>
  texts.some(({ text }) => OUTSIDE.test(text) || REGISTRY_SILENT.test(text));

/** Its pod template changed, and then it failed. */
const changedWorkload = workloadMechanism('crash_loop_after_change', 'Rollout', (workload, moment) => {
  const change = workload.rollout() ?? workload.creation;
  if (change === undefined) return null;
  const isAdded = change.action === 'added';
  const isSettled = workload.hasSettled(change.at);
  if (isAdded && (isSettled || !workload.isInTrouble)) return null;
  const [unwell, before] = [workload.unwell, change.at - CLOCK_SECONDS];
  const isSick = workload.isInTrouble || wasSick(workload, before, moment);
  const onset = onsetOf(workload, before);
  const isSoon = !isSettled && (onset === null || onset <= change.at + FOLLOWS_SECONDS);
  const isHeld = isHeldBack(workload);
  const isNewSick = isSoon && !isHeld && unwell.some(({ createdAt }) => createdAt >= before);
  // Pods that ran before it have their trouble from elsewhere.
  const isOldSick = unwell.length > 0 && unwell.every(({ createdAt }) => createdAt < before);
  const sound = workload.pods.filter(({ ready, createdAt }) => ready && createdAt < before);
  const isRecent =
    isJustBefore(change.at, moment) &&
    isOnlySuspect(workload, moment) &&
    (change.fields.some(mayHurt) || isWayKnown(workload, moment));
  const ofSick = isSoon && !isHeld && !isOldSick ? 'changed' : 'state';
  return {
    finding: isAdded
      ? `${workload.name} was created at ${clock(change.at)} and does not work.`
      : `${workload.name} ${isSick ? 'fails since its' : 'had a'} rollout at ${clock(change.at)}: ${changeWords(change)}.`,
    since: change.at,
    change: isAdded ? undefined : change,
    is: isAdded ? 'failing' : undefined,
    specificity: isNewSick && !isAdded ? 'broken' : isAdded ? 'state' : isSick ? ofSick : isRecent ? 'state' : 'before',
    brings: [...POD_TROUBLE, 'cpu', 'memory', 'disk', 'traffic', 'connections'],
    evidence: [
      changeWords(change),
      unwell.length > 0 && `${String(unwell.length)} of ${String(workload.pods.length)} pods are not ready`,
      sound.length > 0 && `${String(sound.length)} pods from before it are ready`,
      quote(workload.said(/^/)[0]),
    ],
    against: isSick ? [] : [`${workload.name} itself is well.`],
    next: 'Undo the rollout, or read the last words of its containers.',
  };
});

const RESTARTED = /restartedAt$/;
/** Started anew from the same template, and not ready since: what it reads at its start is another than before. */
const restarted = workloadMechanism('unwell_after_restart', 'Not ready since its restart', (workload, moment) => {
  const [change] = moment.changesOf(workload.ref);
  const isRestart = change?.fields.some(({ field }) => RESTARTED.test(field)) === true;
  if (!isRestart || tellingFields(change).length > 0 || isHeldBack(workload)) return null;
  const unwell = workload.unwell.filter(({ createdAt }) => createdAt >= change.at - CLOCK_SECONDS);
  if (unwell.length === 0) return null;
  return {
    finding: `${workload.name} is not ready since its restart at ${clock(change.at)}. What it reads at its start is another than before.`,
    change,
    specificity: 'changed',
    is: 'failing',
    evidence: ['its template is the same as before', quote(workload.said(/^/)[0])],
    next: 'Compare the Secrets and ConfigMaps that it reads, and what it logs in to, with what they were at its last start.',
  };
});

/** Scaled down to nothing: its callers fail. */
const scaledToZero = workloadMechanism('scaled_to_zero', 'Scaled to zero', (workload, moment) => {
  if (workload.scaling?.after !== '0') return null;
  const { change, before } = workload.scaling;
  const { namespace, kind, name: own } = workload.ref;
  return {
    finding: `${workload.name} has no pods since it was scaled to 0 at ${clock(change.at)}.`,
    change,
    specificity: ifNoticed('broken', change.at, moment),
    evidence: [`replicas ${before ?? 'none'} → 0`],
    next: 'Scale it up again.',
    command: `kubectl -n ${shell(namespace ?? 'default')} scale ${kind.toLowerCase()}/${shell(own)} --replicas=${shell(before ?? '1')}`,
  };
});

const PROBE = /^(Liveness|Readiness|Startup) probe/i;
const PORT = /"port": ?"?([\w-]{1,63})"?/;
/** Ports that probes use and that the container does not declare. */
const foreignPorts = (fields: Readonly<Record<string, string>>): string[] =>
  Object.entries(fields).flatMap(([field, value]) => {
    const [, container, kind] = /^(.+\.)((?:liveness|readiness|startup)Probe)$/.exec(field) ?? [];
    const [port, ports] = [PORT.exec(value)?.[1], fields[`${container ?? ''}ports`]];
    return kind === undefined || port === undefined || ports === undefined || ports.split(/, |[ /]/).includes(port)
      ? []
      : [`the ${kind} uses port ${port}, the container declares ${ports}`];
  });

const probe = workloadMechanism('probe_failure', 'Probe fails', (workload) => {
  const failed = workload.told(/^(?:Unhealthy|ProbeWarning)$/, PROBE);
  const kills = workload.told(/^Killing$/, /probe/i);
  const [last] = [...failed, ...kills];
  if (last === undefined || !workload.isInTrouble) return null;
  const isLiveness = kills.length > 0 || failed.some(({ message }) => /^(?:Liveness|Startup)/i.test(message));
  const [foreign] = foreignPorts(workload.object?.fields ?? {});
  const change = workload.rollout(/Probe/);
  const isBroken = change !== undefined || foreign !== undefined;
  return {
    finding: isBroken
      ? foreign === undefined
        ? `The probe of ${workload.name} changed at ${clock(change?.at ?? 0)}, and fails since.`
        : `The probe of ${workload.name} asks what the container does not serve: ${foreign}.`
      : isLiveness
        ? `The kubelet restarts ${workload.name} because its liveness probe fails.`
        : `${workload.name} is not ready because its probe fails.`,
    since: firstAt(failed),
    change,
    specificity: isBroken ? 'stated' : 'state',
    brings: [...(isLiveness ? (['crash'] as const) : []), 'failing', 'missing'],
    is: isBroken ? undefined : 'failing',
    evidence: [quote(last), `${String(failed.length)} failed probes recorded`, change && changeWords(change)],
    next: 'Check path, port and timeout of the probe against what the container serves, and how long it needs to start.',
  };
});

export const rolloutMechanisms: readonly Mechanism[] = [changedWorkload, restarted, scaledToZero, probe];
