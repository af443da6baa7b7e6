import { nameOf } from '../../entities.ts';
import { clock } from '../../figures.ts';
import type { Aspect } from '../../aspects.ts';
import type { Candidate, Mechanism } from '../../mechanism.ts';
import type { Moment } from '../../moment.ts';
import type { Workload } from '../../index-objects.ts';
import { shiftOf } from '../../shift.ts';
import { changeWords, isInTrouble, replicasChange, shell, tellingFields } from '../../workload-states.ts';

const HEAVY = /\.(?:env\.|args|command|image)/;

/** A program of the same namespace calls more than before, and what it calls is overloaded. */
export const trafficSource: Mechanism = {
  id: 'traffic_flood',
  title: 'More calls',
  needs: ['changes'],
  recognise: (moment) =>
    moment.workloads.flatMap((workload): Candidate[] => {
      if (isInTrouble(workload, moment)) return [];
      const scaled = replicasChange(workload, moment);
      const isUp = scaled !== null && Number(scaled.field.after) > Number(scaled.field.before ?? 0);
      const change = isUp
        ? scaled.change
        : moment.changesOf(workload.ref).find((one) => tellingFields(one).some(({ field }) => HEAVY.test(field)));
      const called = change === undefined || isServed(workload, moment) ? [] : neighboursOf(workload, moment);
      if (change === undefined || called.length === 0) return [];
      const busier = called.filter((one) => isBusier(one, moment));
      return [
        {
          entities: [workload.entity],
          reaches: called.map(({ entity }) => entity),
          finding: `${nameOf(workload.entity)} changed at ${clock(change.at)} and loads what it calls: ${isUp ? `replicas ${scaled.field.before ?? '0'} → ${scaled.field.after ?? '0'}` : changeWords(change)}.`,
          since: change.at,
          change,
          specificity: busier.length > 0 ? 'broken' : 'state',
          // Programs that crash do so for a reason of their own; those that are overloaded answer late.
          brings: ['cpu', 'memory', 'traffic', 'connections', ...(busier.length > 0 ? FAILING : [])],
          evidence: [
            changeWords(change),
            ...busier.slice(0, 3).map(({ entity }) => `${nameOf(entity)} uses more CPU since`),
          ],
          against: busier.length > 0 ? [] : ['No figure of its calls is known.'],
          next: 'Reduce what it sends, or add capacity to what it calls.',
          command: `kubectl -n ${shell(workload.ref.namespace ?? 'default')} get ${workload.ref.kind.toLowerCase()} ${shell(workload.ref.name)} -o wide`,
        },
      ];
    }),
};

const FAILING: readonly Aspect[] = ['failing', 'missing', 'memory_kill'];
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
const neighboursOf = ({ ref }: Workload, moment: Moment): Workload[] =>
  moment.workloads.filter(
    (one) => one.ref.clusterId === ref.clusterId && one.ref.namespace === ref.namespace && one.ref.name !== ref.name,
  );
