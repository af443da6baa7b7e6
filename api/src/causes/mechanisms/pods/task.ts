import { clock } from '../../figures.ts';
import type { Moment, WorkloadMoment } from '../../moment.ts';
import { isJustBefore, workloadMechanism } from '../../workload-states.ts';

/** A task that works on what others use shows its effect within minutes. */
const TASK_SECONDS = 600;
/** The clocks of the cluster and of the check differ. */
const CLOCK_SECONDS = 60;
/** A Job that fails itself suffers with the others. */
export const isNewTask = ({ ref, creation, isInTrouble }: WorkloadMoment, moment: Moment): boolean =>
  ref.kind === 'Job' &&
  !isInTrouble &&
  creation !== undefined &&
  creation.at <= moment.firstAt + CLOCK_SECONDS &&
  isJustBefore(creation.at, moment, TASK_SECONDS);
/** A Job of a person or a pipeline ran, and then others were no longer ready: nothing else changed near them. */
export const taskBefore = workloadMechanism('task_before', 'A task ran before', (workload, moment) => {
  const made = workload.creation;
  if (made === undefined || !isNewTask(workload, moment)) return null;
  const sick = workload.neighbours.filter(({ unwell, isInTrouble }) => isInTrouble && unwell.length > 0);
  const isElsewhere = workload.neighbours.some((one) => {
    const change = moment.changesOf(one.ref).find(({ action }) => action !== 'added');
    return isNewTask(one, moment) || (change !== undefined && isJustBefore(change.at, moment, TASK_SECONDS));
  });
  if (sick.length === 0 || isElsewhere) return null;
  return {
    reaches: sick.map(({ entity }) => entity),
    finding: `${workload.name} was started at ${clock(made.at)}, and then ${sick.map(({ ref }) => ref.name).join(', ')} stopped being ready.`,
    change: made,
    specificity: 'state',
    evidence: ['nothing else changed in the namespace before'],
    against: ['Only its time connects it: what it did is not known.'],
    next: 'Read its log, and what it changed in the stores that others use.',
  };
});
