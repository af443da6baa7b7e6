import type { DegradedKind } from '@plimsoll/contract/rules/kubernetes-limits';

/** Replicas are missing for so long before a cluster is degraded: the hold of the alert of missing replicas. */
export const MISSING_REPLICAS_MS = 15 * 60_000;

/**
 * Reasons of the kubelet for a container that does not run, by the words of the health chip. The phase of such a pod is
 * Running or Pending, so the health by phases does not see it. A failure to read a ConfigMap or a Secret is among those of
 * a container that cannot be created.
 */
export const DEGRADED_REASONS: Record<Exclude<DegradedKind, 'replicas_missing'>, readonly string[]> = {
  crash_looping: ['CrashLoopBackOff'],
  image_pull: [
    'ErrImagePull',
    'ImagePullBackOff',
    'InvalidImageName',
    'ErrImageNeverPull',
    'ImageInspectError',
    'RegistryUnavailable',
    'SignatureValidationFailed',
  ],
  not_created: [
    'CreateContainerConfigError',
    'CreateContainerError',
    'RunContainerError',
    'PreCreateHookError',
    'PreStartHookError',
    'PostStartHookError',
    'ContainerCannotRun',
    'StartError',
  ],
};

/** Objects of one kind that keep a cluster from being healthy. `examples`: the oldest of them, at most five. */
export interface DegradedPart {
  kind: DegradedKind;
  count: number;
  examples: { clusterId: string; namespace: string; name: string }[];
}
