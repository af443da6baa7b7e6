import type { ClusterEvent, Evidence, ImageChange, KubernetesSeen } from './evidence.ts';

/** Reads what is known of the pod in question. */

/** Fewer ends than these are no loop. */
export const LOOP_ENDS = 3;
export const latest = (events: readonly ClusterEvent[], reason: RegExp): ClusterEvent | undefined =>
  events.filter((event) => reason.test(event.reason)).toSorted((a, b) => b.at - a.at)[0];
/** Null: the question is not about a pod. */
export const ofPod = (evidence: Evidence): KubernetesSeen | null =>
  evidence.kubernetes?.pod == null ? null : evidence.kubernetes;
/** Changes of its own image, the newest first. */
export const imagesOf = ({ imageChanges, pod }: KubernetesSeen): ImageChange[] =>
  imageChanges.filter(({ workload }) => workload === pod?.workload).toSorted((a, b) => b.at - a.at);
export const probesOf = (seen: KubernetesSeen): ClusterEvent[] =>
  seen.events.filter(({ reason }) => reason === 'Unhealthy');
