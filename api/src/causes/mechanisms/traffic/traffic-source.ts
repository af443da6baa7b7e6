import type { ChangeSeen } from '../../evidence.ts';
import { clock } from '../../figures.ts';
import type { Moment, WorkloadMoment } from '../../moment.ts';
import { shiftOf } from '../../shift.ts';
import { isJustBefore, workloadMechanism } from '../../workload-states.ts';
import { changeWords } from '../../change-words.ts';

const LOAD = /\.env\.\w*(?:RATE|RPS|QPS|LOAD|CONCURREN|WORKERS|THREADS|PARALLEL|BATCH|CLIENTS|INTERVAL)/i;
const HEAVY = /\.(?:env\.|args|command|image)/;

/** A program of the same namespace calls more than before, and what it calls is overloaded. One that others call is no mere source. */
export const trafficSource = workloadMechanism('traffic_flood', 'More calls', (workload, moment) => {
  const scaled = workload.scaling;
  const change = scaled?.isUp === true ? scaled.change : (workload.rollout(HEAVY) ?? newcomer(workload));
  if (change === undefined || workload.isInTrouble || workload.services.length > 0) return null;
  const called = workload.neighbours;
  const busier = called.filter((one) => isBusier(one, moment));
  if (called.length === 0) return null;
  const what =
    scaled?.isUp === true ? `replicas ${scaled.before ?? '0'} → ${scaled.after ?? '0'}` : changeWords(change);
  const isBusy = busier.length > 0;
  // Without a figure, only what says how much it sends speaks for it.
  const isLoad = scaled?.isUp === true || change.fields.some(({ field }) => LOAD.test(field));
  return {
    reaches: called.map(({ entity }) => entity),
    finding: `${workload.name} changed at ${clock(change.at)} and loads what it calls: ${what}.`,
    change,
    specificity: isBusy ? 'broken' : isLoad && isJustBefore(change.at, moment) ? 'state' : 'before',
    // Programs that crash do so for a reason of their own; those that are overloaded answer late.
    brings: [
      ...(['cpu', 'memory', 'traffic', 'connections'] as const),
      ...(isBusy ? (['failing', 'missing', 'memory_kill'] as const) : []),
    ],
    evidence: [what, ...busier.slice(0, 3).map(({ name }) => `${name} uses more CPU since`)],
    against: isBusy ? [] : ['No figure of its calls is known.'],
    next: 'Reduce what it sends, or add capacity to what it calls.',
  };
});

/** A workload that is created together with others is part of them. */
const TOGETHER_SECONDS = 600;
/** Its creation, where nothing else of the namespace was created with it: a task or a load that came to the others. */
function newcomer(workload: WorkloadMoment): ChangeSeen | undefined {
  const made = workload.creation;
  if (made === undefined) return undefined;
  const isTogether = workload.neighbours.some(
    ({ creation }) => creation !== undefined && Math.abs(creation.at - made.at) <= TOGETHER_SECONDS,
  );
  return isTogether ? undefined : made;
}

/** Less is the wave of an hour. */
const BUSIER_TIMES = 1.5;
const LEAST_CORES = 0.05;
const isBusier = ({ pods }: WorkloadMoment, moment: Moment): boolean =>
  pods.some(({ cpuCores }) => {
    const use = shiftOf(cpuCores, moment.lastAt);
    // A pod that has just started is busy by itself.
    return use !== null && use.was >= LEAST_CORES && Math.max(use.is, use.last) >= BUSIER_TIMES * use.was;
  });
