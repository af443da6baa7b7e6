import { nameOf } from '../../entities.ts';
import { clock } from '../../figures.ts';
import type { Mechanism } from '../../mechanism.ts';
import {
  changeWords,
  creationOf,
  eachWorkload,
  isInTrouble,
  POD_TROUBLE,
  onsetOf,
  settledAfter,
  templateChange,
  textsOf,
  undoCommand,
  unwellPods,
} from '../../workload-states.ts';
import { quoted } from '../../words.ts';

/** A pod is reported up to this much before the change that made it: clocks differ. */
const CLOCK_SECONDS = 120;
/** A new pod that does not work shows it by then: it is scheduled, pulled, started and probed. */
const FOLLOWS_SECONDS = 600;

/** Its pod template changed, and then it failed. */
export const changedWorkload: Mechanism = {
  id: 'crash_loop_after_change',
  title: 'Rollout',
  needs: ['changes'],
  recognise: eachWorkload((workload, moment) => {
    const change = templateChange(workload, moment) ?? creationOf(workload, moment);
    if (change === undefined) return null;
    const isSick = isInTrouble(workload, moment);
    const unwell = unwellPods(workload);
    const onset = onsetOf(workload, change.at - CLOCK_SECONDS);
    const isSettled = settledAfter(workload, moment, change.at);
    const isSoon = !isSettled && (onset === null || onset <= change.at + FOLLOWS_SECONDS);
    const isNewSick = isSoon && unwell.some(({ createdAt }) => createdAt >= change.at - CLOCK_SECONDS);
    const sound = workload.pods.filter(({ ready, createdAt }) => ready && createdAt < change.at - CLOCK_SECONDS);
    const [said] = textsOf(workload, moment, () => true);
    const isAdded = change.action === 'added';
    if (isAdded && (isSettled || !isSick)) return null;
    return {
      entities: [workload.entity],
      finding: isAdded
        ? `${nameOf(workload.entity)} was created at ${clock(change.at)} and does not work.`
        : `${nameOf(workload.entity)} ${isSick ? 'fails since its' : 'had a'} rollout at ${clock(change.at)}: ${changeWords(change)}.`,
      since: change.at,
      change: isAdded ? undefined : change,
      ...(isAdded && { is: 'failing' as const }),
      specificity: isAdded ? 'state' : isNewSick ? 'broken' : isSick && isSoon ? 'changed' : 'state',
      brings: [...POD_TROUBLE, 'cpu', 'memory', 'disk', 'traffic', 'connections'],
      evidence: [
        changeWords(change),
        unwell.length > 0 && `${String(unwell.length)} of ${String(workload.pods.length)} pods are not ready`,
        sound.length > 0 && `${String(sound.length)} pods from before it are ready`,
        said !== undefined && { text: quoted(said.text), at: said.at },
      ],
      against: isSick ? [] : [`${nameOf(workload.entity)} itself is well.`],
      next: 'Undo the rollout, or read the last words of its containers.',
      command: undoCommand(workload),
    };
  }),
};
