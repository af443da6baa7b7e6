import type { PodObject } from '@plimsoll/contract/wire/cluster-objects';
import type { ImageRecord } from './pod-records.ts';

export interface ImageChange {
  /** Creation of the first pod with the present image (ms). */
  at: number;
  container: string;
  from: string;
  to: string;
}

/**
 * Returns the last change of an image of this pod: the moment its owner first made a pod with the present image after one
 * with another. Null if no such pod is known.
 */
export function lastImageChange(pod: PodObject, history: readonly ImageRecord[]): ImageChange | null {
  const created = pod.created_at * 1000;
  const changes = pod.containers.flatMap(({ name, image }): ImageChange[] => {
    const known = history.filter(({ container, createdAt }) => container === name && createdAt <= created);
    const others = known.filter((one) => one.image !== image);
    const last = others.reduce<ImageRecord | null>((a, b) => (a === null || b.createdAt > a.createdAt ? b : a), null);
    if (last === null) return [];
    const since = known.filter((one) => one.image === image && one.createdAt > last.createdAt);
    const at = Math.min(created, ...since.map(({ createdAt }) => createdAt));
    return [{ at, container: name, from: last.image, to: image }];
  });
  return changes.reduce<ImageChange | null>((a, b) => (a === null || b.at > a.at ? b : a), null);
}
