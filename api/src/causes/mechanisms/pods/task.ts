import { clock } from '../../figures.ts';
import { isJustBefore, workloadMechanism } from '../../workload-states.ts';

/** A task that works on what others use shows its effect within minutes. */
const TASK_SECONDS = 600;
/** A Job of a person or a pipeline ran, and then others were no longer ready: nothing else changed near them. */
export const taskBefore = workloadMechanism('task_before', 'A task ran before', (workload, moment) => {
  const made = workload.creation;
  const isNear = made !== undefined && made.at <= moment.firstAt && isJustBefore(made.at, moment, TASK_SECONDS);
  if (workload.ref.kind !== 'Job' || !isNear || workload.isInTrouble) return null;
  const isRival = ({ ref, creation }: typeof workload): boolean =>
    ref.kind === 'Job' && creation !== undefined && isJustBefore(creation.at, moment, TASK_SECONDS);
  const sick = workload.neighbours.filter(({ unwell, isInTrouble }) => isInTrouble && unwell.length > 0);
  const isElsewhere = workload.neighbours.some((one) => {
    const change = moment.changesOf(one.ref).find(({ action }) => action !== 'added');
    return isRival(one) || (change !== undefined && isJustBefore(change.at, moment, TASK_SECONDS));
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
