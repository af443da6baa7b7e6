import type { ClusterModel } from './model.ts';

/** A pod on the node that is lost, in the order in which the scheduler takes it: by priority, then age. */
export interface LosablePod {
  profile: number;
  /** It ends with its node: a pod of a DaemonSet, a static pod, or a pod without a controller. */
  endsWithNode: boolean;
}
export interface LossOf<P extends LosablePod> {
  /** Pods that fit on no other node. */
  pending: P[];
  /** Pods without a verdict, because their constraints are not modelled. */
  unknown: P[];
  /** Pods that another node takes, with its number. */
  moved: { pod: P; node: number }[];
}

/**
 * Returns what happens to the pods of a node that is lost. The model is as before when it returns. `nowhere`: profiles for
 * which no node has room before any loss.
 */
export function loseNode<P extends LosablePod>(
  model: ClusterModel,
  node: number,
  pods: readonly P[],
  nowhere: ReadonlySet<number> = new Set(),
): LossOf<P> {
  for (const { profile } of pods) model.unplace(profile, node);
  model.setGone(node, true);
  const loss: LossOf<P> = { pending: [], unknown: [], moved: [] };
  // Nothing becomes free while pods are placed, so what fits nowhere fits nowhere later. Only affinity to a new pod changes that.
  const hopeless = new Set<number>();
  for (const pod of pods) {
    if (pod.endsWithNode) continue;
    const { profile } = pod;
    if ((model.profiles[profile]?.notModelled.length ?? 0) > 0) {
      loss.unknown.push(pod);
      continue;
    }
    const target = hopeless.has(profile) || nowhere.has(profile) ? null : model.best(profile);
    if (target === null) {
      if (!model.isSelfLimiting(profile)) hopeless.add(profile);
      loss.pending.push(pod);
      continue;
    }
    model.place(profile, target);
    loss.moved.push({ pod, node: target });
  }
  for (const { pod, node: target } of loss.moved) model.unplace(pod.profile, target);
  model.setGone(node, false);
  for (const { profile } of pods) model.place(profile, node);
  return loss;
}
