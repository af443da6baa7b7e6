import { nameOf } from '../../entities.ts';
import type { ChangeSeen } from '../../evidence.ts';
import { clock } from '../../figures.ts';
import type { Moment } from '../../moment.ts';
import type { Workload } from '../../index-objects.ts';
import { shiftOf } from '../../shift.ts';
import {
  changeWords,
  creationOf,
  inNamespaceOf,
  isInTrouble,
  isJustBefore,
  isScaledUp,
  replicasChange,
  templateChange,
  workloadMechanism,
} from '../../workload-states.ts';

const HEAVY = /\.(?:env\.|args|command|image)/;

/** A program of the same namespace calls more than before, and what it calls is overloaded. */
export const trafficSource = workloadMechanism('traffic_flood', 'More calls', ['changes'], (workload, moment, name) => {
  const scaled = replicasChange(workload, moment);
  const isUp = isScaledUp(scaled);
  const change = isUp ? scaled.change : (templateChange(workload, moment, HEAVY) ?? newcomer(workload, moment));
  if (change === undefined || isInTrouble(workload, moment) || isServed(workload, moment)) return null;
  const called = inNamespaceOf(workload.ref, moment).filter((one) => one !== workload);
  const busier = called.filter((one) => isBusier(one, moment));
  if (called.length === 0) return null;
  const what = isUp ? `replicas ${scaled.field.before ?? '0'} → ${scaled.field.after ?? '0'}` : changeWords(change);
  const isBusy = busier.length > 0;
  return {
    reaches: called.map(({ entity }) => entity),
    finding: `${name} changed at ${clock(change.at)} and loads what it calls: ${what}.`,
    change,
    specificity: isBusy ? 'broken' : isJustBefore(change.at, moment) ? 'state' : 'before',
    // Programs that crash do so for a reason of their own; those that are overloaded answer late.
    brings: [
      ...(['cpu', 'memory', 'traffic', 'connections'] as const),
      ...(isBusy ? (['failing', 'missing', 'memory_kill'] as const) : []),
    ],
    evidence: [what, ...busier.slice(0, 3).map(({ entity }) => `${nameOf(entity)} uses more CPU since`)],
    against: isBusy ? [] : ['No figure of its calls is known.'],
    next: 'Reduce what it sends, or add capacity to what it calls.',
  };
});

/** A workload that is created together with others is part of them. */
const TOGETHER_SECONDS = 600;
/** Its creation, where nothing else of the namespace was created with it: a task or a load that came to the others. */
function newcomer(workload: Workload, moment: Moment): ChangeSeen | undefined {
  const made = creationOf(workload, moment);
  const isAlone = inNamespaceOf(workload.ref, moment).every((one) => {
    const other = one === workload ? undefined : creationOf(one, moment);
    return other === undefined || made === undefined || Math.abs(other.at - made.at) > TOGETHER_SECONDS;
  });
  return isAlone ? made : undefined;
}

/** Less is the wave of an hour. */
const BUSIER_TIMES = 1.5;
const LEAST_CORES = 0.05;
const isBusier = ({ pods }: Workload, moment: Moment): boolean =>
  pods.some(({ cpuCores }) => {
    const use = shiftOf(cpuCores, moment.lastAt);
    // A pod that has just started is busy by itself.
    return use !== null && use.was >= LEAST_CORES && Math.max(use.is, use.last) >= BUSIER_TIMES * use.was;
  });

/** Returns true if other programs call the workload: then it is no mere source of traffic. */
const isServed = (workload: Workload, moment: Moment): boolean =>
  moment.index.objectsOf('Service').some((service) => moment.graph.behind(service).includes(workload));
