import type { ImageRecord, Rollout } from './pod-records.ts';

/** Pods of one rollout are made within this time of each other; containers that change together are one rollout. */
const TOGETHER_MS = 60_000;

/**
 * Returns the changes of images that the pods of a workload show, newest first. Known are only pods that are stored: a
 * rollout before the oldest of them is not known, and neither is one that changed no image.
 */
export function rolloutsOf(history: readonly ImageRecord[]): Rollout[] {
  const oldestFirst = history.toSorted((a, b) => a.createdAt - b.createdAt);
  const present = new Map<string, string>();
  const rollouts: Rollout[] = [];
  for (const { container, image, createdAt } of oldestFirst) {
    const from = present.get(container);
    present.set(container, image);
    if (from === undefined || from === image) continue;
    const last = rollouts.at(-1);
    const change = { container, from, to: image };
    if (
      last !== undefined &&
      createdAt - last.at <= TOGETHER_MS &&
      last.changes.every((one) => one.container !== container)
    )
      last.changes.push(change);
    else rollouts.push({ at: createdAt, changes: [change] });
  }
  return rollouts.toReversed();
}
