import { clock } from '../../figures.ts';
import type { Mechanism } from '../../mechanism.ts';
import type { Workload } from '../../index-objects.ts';
import type { Moment } from '../../moment.ts';
import { isResolverSilent, quote } from '../../words.ts';
import {
  changeWords,
  creationOf,
  eventsOf,
  firstAt,
  ifNoticed,
  inNamespaceOf,
  isHeldBack,
  isInTrouble,
  isJustBefore,
  onsetOf,
  POD_TROUBLE,
  replicasChange,
  settledAfter,
  shell,
  templateChange,
  textsOf,
  undoCommand,
  unwellPods,
  workloadMechanism,
} from '../../workload-states.ts';

/** A pod is reported up to this much before the change that made it: clocks differ. */
const CLOCK_SECONDS = 120;
/** A new pod that does not work shows it by then: it is scheduled, pulled, started and probed. */
const FOLLOWS_SECONDS = 600;

/**
 * Returns true if a workload that rolled out and is well may be what alerts are about: of several none is likelier than the
 * others, and where pods of others are not well, the cause is with them or with what they name.
 */
function isOnlySuspect(workload: Workload, moment: Moment): boolean {
  const others = inNamespaceOf(workload.ref, moment).filter((one) => one !== workload);
  const sick = others.filter((one) => unwellPods(one).length > 0);
  const isNamed = moment.index
    .objectsOf('Service')
    .some(
      (service) =>
        moment.graph.behind(service).includes(workload) &&
        moment.graph.callersOf(service).some(({ texts }) => !texts.every(({ text }) => isResolverSilent(text))),
    );
  return (
    (sick.length === 0 || isNamed) &&
    others.every((one) => {
      const change = templateChange(one, moment);
      return change === undefined || !isJustBefore(change.at, moment);
    })
  );
}

/** Its pod template changed, and then it failed. */
const changedWorkload = workloadMechanism(
  'crash_loop_after_change',
  'Rollout',
  ['changes'],
  (workload, moment, name) => {
    const change = templateChange(workload, moment) ?? creationOf(workload, moment);
    if (change === undefined) return null;
    const [isSick, isAdded] = [isInTrouble(workload, moment), change.action === 'added'];
    const isSettled = settledAfter(workload, moment, change.at);
    if (isAdded && (isSettled || !isSick)) return null;
    const [unwell, before] = [unwellPods(workload), change.at - CLOCK_SECONDS];
    const onset = onsetOf(workload, before);
    const isSoon = !isSettled && (onset === null || onset <= change.at + FOLLOWS_SECONDS);
    const isHeld = isHeldBack(workload);
    const isNewSick = isSoon && !isHeld && unwell.some(({ createdAt }) => createdAt >= before);
    // Pods that ran before it have their trouble from elsewhere.
    const isOldSick = unwell.length > 0 && unwell.every(({ createdAt }) => createdAt < before);
    const sound = workload.pods.filter(({ ready, createdAt }) => ready && createdAt < before);
    const isRecent = isJustBefore(change.at, moment) && isOnlySuspect(workload, moment);
    const ofSick = isSoon && !isHeld && !isOldSick ? 'changed' : 'state';
    return {
      finding: isAdded
        ? `${name} was created at ${clock(change.at)} and does not work.`
        : `${name} ${isSick ? 'fails since its' : 'had a'} rollout at ${clock(change.at)}: ${changeWords(change)}.`,
      since: change.at,
      change: isAdded ? undefined : change,
      is: isAdded ? 'failing' : undefined,
      specificity:
        isNewSick && !isAdded ? 'broken' : isAdded ? 'state' : isSick ? ofSick : isRecent ? 'state' : 'before',
      brings: [...POD_TROUBLE, 'cpu', 'memory', 'disk', 'traffic', 'connections'],
      evidence: [
        changeWords(change),
        unwell.length > 0 && `${String(unwell.length)} of ${String(workload.pods.length)} pods are not ready`,
        sound.length > 0 && `${String(sound.length)} pods from before it are ready`,
        quote(textsOf(workload, moment, () => true)[0]),
      ],
      against: isSick ? [] : [`${name} itself is well.`],
      next: 'Undo the rollout, or read the last words of its containers.',
      command: undoCommand(workload),
    };
  },
);

/** Scaled down to nothing: its callers fail. */
const scaledToZero = workloadMechanism('scaled_to_zero', 'Scaled to zero', ['changes'], (workload, moment, name) => {
  const scaled = replicasChange(workload, moment);
  if (scaled?.field.after !== '0') return null;
  const { change, field } = scaled;
  const { namespace, kind, name: own } = workload.ref;
  return {
    finding: `${name} has no pods since it was scaled to 0 at ${clock(change.at)}.`,
    change,
    specificity: ifNoticed('broken', change.at, moment),
    evidence: [`replicas ${field.before ?? 'none'} → 0`],
    next: 'Scale it up again.',
    command: `kubectl -n ${shell(namespace ?? 'default')} scale ${kind.toLowerCase()}/${shell(own)} --replicas=${shell(field.before ?? '1')}`,
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

const probe = workloadMechanism('probe_failure', 'Probe fails', ['pods'], (workload, moment, name) => {
  const failed = eventsOf(workload, /^(?:Unhealthy|ProbeWarning)$/, PROBE);
  const kills = eventsOf(workload, /^Killing$/, /probe/i);
  const [last] = [...failed, ...kills];
  if (last === undefined || !isInTrouble(workload, moment)) return null;
  const isLiveness = kills.length > 0 || failed.some(({ message }) => /^(?:Liveness|Startup)/i.test(message));
  const [foreign] = foreignPorts(workload.object?.fields ?? {});
  const change = templateChange(workload, moment, /Probe/);
  const isBroken = change !== undefined || foreign !== undefined;
  return {
    finding: isBroken
      ? foreign === undefined
        ? `The probe of ${name} changed at ${clock(change?.at ?? 0)}, and fails since.`
        : `The probe of ${name} asks what the container does not serve: ${foreign}.`
      : isLiveness
        ? `The kubelet restarts ${name} because its liveness probe fails.`
        : `${name} is not ready because its probe fails.`,
    since: firstAt(failed),
    change,
    specificity: isBroken ? 'stated' : 'state',
    brings: [...(isLiveness ? (['crash'] as const) : []), 'failing', 'missing'],
    is: isBroken ? undefined : 'failing',
    evidence: [quote(last), `${String(failed.length)} failed probes recorded`, change && changeWords(change)],
    next: 'Check path, port and timeout of the probe against what the container serves, and how long it needs to start.',
    command: change && undoCommand(workload),
  };
});

export const rolloutMechanisms: readonly Mechanism[] = [changedWorkload, scaledToZero, probe];
