import { clock, fixed, HOUR, lastChange, type Evidence, type Finder } from './evidence.ts';

/** Fewer ends than these in an hour are no loop. */
const LOOP_ENDS = 3;
const crashesOf = ({ events, restarts, at }: Evidence): number =>
  [...restarts.map((restart) => restart.at), ...events.filter(isCrash).map((event) => event.at)].filter(
    (time) => time <= at + HOUR && time > at - HOUR,
  ).length;
const isCrash = ({ type }: { type: string }): boolean => type === 'process_crash' || type === 'service_restart';

export const crashLoopAfterChange: Finder = (evidence) => {
  const crashes = crashesOf(evidence);
  if (crashes < LOOP_ENDS) return null;
  const { imageChanges, at, restarts } = evidence;
  const image = imageChanges
    .filter(({ at: time }) => time <= at + HOUR && time > at - 24 * HOUR)
    .toSorted((a, b) => b.at - a.at)[0];
  const changed = lastChange(evidence);
  if (image === undefined && changed === undefined) return null;
  const exit = restarts[0]?.exitCode ?? null;
  return {
    kind: 'crash_loop_after_change',
    strength: 0.95,
    finding:
      image === undefined
        ? `It restarts again and again since a change at ${clock(changed?.at ?? at)}.`
        : `It restarts again and again since its image changed at ${clock(image.at)}.`,
    evidence: [
      `${String(crashes)} restarts within an hour of the alert`,
      ...(image === undefined ? [changed?.message ?? ''] : [`image ${image.from} → ${image.to}`]),
      ...(exit === null ? [] : [`last exit code ${String(exit)}`]),
    ],
    next: image === undefined ? 'Undo the change, or read the log of the service.' : `Go back to ${image.from}.`,
  };
};

export const outOfMemory: Finder = ({ restarts, at }) => {
  const killed = restarts.filter(({ reason, at: time }) => reason === 'OOMKilled' && time <= at + HOUR);
  const [last] = killed;
  if (last === undefined) return null;
  return {
    kind: 'out_of_memory',
    strength: 0.9,
    finding: 'The container uses more memory than its limit and is killed.',
    evidence: [
      `${String(killed.length)} kills for memory, the last at ${clock(last.at)}`,
      ...(last.memoryLimitMb === null ? [] : [`limit ${fixed(last.memoryLimitMb, 0)} MB`]),
    ],
    next: 'Raise the memory limit, or find what grows in the container.',
  };
};

export const crashLoop: Finder = (evidence) => {
  const crashes = crashesOf(evidence);
  if (crashes < LOOP_ENDS) return null;
  const names = [...new Set(evidence.events.filter(isCrash).map(({ name }) => name))];
  return {
    kind: 'crash_loop',
    strength: 0.75,
    finding: `${names[0] ?? 'A container'} restarts again and again.`,
    evidence: [`${String(crashes)} restarts within an hour of the alert`],
    next: 'Read the log of its last run. No change was recorded before.',
  };
};

const PULL_REASONS = new Set(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull']);

export const imagePullFailure: Finder = ({ waiting, imageChanges }) => {
  if (waiting === null || !PULL_REASONS.has(waiting.reason)) return null;
  const changed = imageChanges.toSorted((a, b) => b.at - a.at)[0];
  return {
    kind: 'image_pull_failure',
    strength: 0.96,
    finding: `The image ${waiting.image} cannot be pulled.`,
    evidence: [
      waiting.reason,
      ...(waiting.message === null ? [] : [waiting.message]),
      ...(changed === undefined ? [] : [`image ${changed.from} → ${changed.to} at ${clock(changed.at)}`]),
    ],
    next: 'Check name and tag of the image, and whether the pod has an imagePullSecret for its registry.',
  };
};
