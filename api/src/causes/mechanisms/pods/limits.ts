import { DAY_SECONDS } from '@plimsoll/contract/rules/durations';
import type { Aspect } from '../../aspects.ts';
import { nameOf, objectEntity } from '../../entities.ts';
import { clock, fixed, mostBy } from '../../figures.ts';
import { refOf } from '../../index-objects.ts';
import type { Mechanism } from '../../mechanism.ts';
import type { Moment, WorkloadMoment } from '../../moment.ts';
import { shiftOf } from '../../shift.ts';
import { quote } from '../../words.ts';
import { wasSick, workloadMechanism } from '../../workload-states.ts';

/** A program needs minutes to leak its limit full; one that is killed at once never fitted. */
const AT_ONCE_SECONDS = 300;

const KILLED: readonly Aspect[] = ['crash', 'memory_kill', 'failing', 'missing', 'start', 'memory'];

/** A LimitRange that came or changed before the pods, and gives them a limit that their template does not have. */
function limitRangeOf({ ref, object, pods }: WorkloadMoment, moment: Moment) {
  const hasOwn = Object.keys(object?.fields ?? {}).some((field) => field.endsWith('.resources.limits.memory'));
  if (object === null || hasOwn) return null;
  for (const one of moment.index.objectsOf('LimitRange')) {
    const [change] = moment.changesOf(one);
    const isHere = one.clusterId === ref.clusterId && one.namespace === ref.namespace;
    if (isHere && change !== undefined && pods.some(({ createdAt }) => createdAt >= change.at))
      return { object: one, change };
  }
  return null;
}

const memoryLimit = workloadMechanism('out_of_memory', 'Memory limit below what it uses', (workload, moment) => {
  const ends = workload.pods.flatMap(({ restarts, containers }) => [
    ...restarts,
    ...containers.flatMap(({ end, memoryLimitMb }) =>
      end?.at == null ? [] : [{ at: end.at, reason: end.reason, memoryLimitMb }],
    ),
  ]);
  const kills = ends.filter(
    ({ reason, at }) => reason === 'OOMKilled' && at <= moment.lastAt + 3600 && at > moment.firstAt - DAY_SECONDS,
  );
  // A restart and the end of its container are one kill.
  const distinct = mostBy([...new Map(kills.map((kill) => [Math.round(kill.at / 2), kill])).values()], ({ at }) => at);
  const [last, first] = [distinct[0], distinct.at(-1)];
  if (last === undefined || first === undefined) return null;
  const change = workload.rollout(/resources|image|env|args|command/);
  // One that came after the first kill is none of its causes.
  const isBefore = change !== undefined && change.at <= first.at + 120;
  const limitMb = distinct.find(({ memoryLimitMb }) => memoryLimitMb !== null)?.memoryLimitMb ?? null;
  const limit = limitMb === null ? '' : ` of ${fixed(limitMb, 0)} MB`;
  const rule = limitRangeOf(workload, moment);
  if (rule !== null && limitMb !== null)
    return {
      entities: [objectEntity(refOf(rule.object))],
      reaches: [workload.entity],
      finding: `${nameOf(objectEntity(refOf(rule.object)))} gives ${workload.name} a memory limit${limit}, and it is killed.`,
      since: rule.change.at,
      change: rule.change,
      specificity: 'stated',
      brings: KILLED,
      evidence: [`its template sets no memory limit`, `${String(distinct.length)} kills for memory since`],
      next: 'Raise the default of the LimitRange, or set a limit of its own.',
    };
  const apart = distinct.length < 2 ? null : (last.at - first.at) / (distinct.length - 1);
  return {
    finding: `${workload.name} uses more memory than its limit${limit} and is killed.`,
    since: first.at,
    change: isBefore ? change : undefined,
    specificity: 'stated',
    brings: KILLED,
    evidence: [
      {
        text: `${String(distinct.length)} ${distinct.length === 1 ? 'kill' : 'kills'} for memory, the last at ${clock(last.at)}`,
        at: last.at,
      },
      limitMb !== null && `limit ${fixed(limitMb, 0)} MB`,
      apart !== null &&
        `${fixed(apart / 60, 0)} min apart: ${apart <= AT_ONCE_SECONDS ? 'it never fitted' : 'it fills up over that time'}`,
    ],
    next: 'Raise the memory limit, or find what grows in the container.',
  };
});

/** Share of the limit from which a container is slowed down most of the time. */
const AT_LIMIT = 0.9;
const cpuLimit = workloadMechanism('cpu_limit_reached', 'CPU limit reached', (workload, moment) => {
  // A start takes all that it may, too: of a new pod only one counts that is not ready long after it.
  const isSlow = workload.unwell.length > 0 || wasSick(workload, 0, moment);
  const slowed = workload.pods.flatMap(({ containers, cpuCores, createdAt }) => {
    const limits = containers.filter(({ isInit }) => !isInit).map(({ cpuLimitCores }) => cpuLimitCores ?? Infinity);
    const [limit, use] = [limits.reduce((sum, one) => sum + one, 0), shiftOf(cpuCores, moment.lastAt)];
    const last = cpuCores.findLast(({ value }) => value !== null)?.value ?? 0;
    const is = use === null ? (isSlow ? last : 0) : Math.max(use.is, use.last);
    return limit === 0 || is < AT_LIMIT * limit ? [] : [{ limit, is, onset: use?.onset ?? createdAt }];
  });
  const [first] = slowed;
  if (first === undefined) return null;
  const rollout = workload.rollout(/limits\.cpu|image|args|command|env/);
  const scaled = workload.scaling;
  const isFewer = scaled?.isUp === false && scaled.change.at <= first.onset + 120;
  // Pods become ready with a limit that is too small, and are slow afterwards.
  const change = isFewer ? scaled.change : rollout;
  return {
    change,
    finding: `${workload.name} uses all the CPU that its limit allows, and is slowed down.`,
    since: first.onset,
    specificity: 'broken',
    brings: ['cpu', 'failing', 'crash', 'missing', 'traffic'],
    evidence: [
      `${fixed(first.is, 2)} of ${fixed(first.limit, 2)} cores`,
      `${String(slowed.length)} of ${String(workload.pods.length)} pods are at their limit`,
      quote(workload.told(/^Unhealthy$/)[0]),
    ],
    next: 'Raise its CPU limit, or add replicas.',
  };
});

export const limitMechanisms: readonly Mechanism[] = [memoryLimit, cpuLimit];
