/** Kinds and bounds of the described states that collectors send and the ledger of changes compares. No zod here. */

/** Kinds of objects that a cluster collector describes. Never Secrets. */
export const DESCRIBED_KINDS = [
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'CronJob',
  'Job',
  'Service',
  'EndpointSlice',
  'Ingress',
  'NetworkPolicy',
  'HorizontalPodAutoscaler',
  'ResourceQuota',
  'LimitRange',
  'PodDisruptionBudget',
  'PriorityClass',
  'StorageClass',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'ConfigMap',
] as const;
export type DescribedKind = (typeof DESCRIBED_KINDS)[number];

/** Parts of a host that its collector describes. */
export const HOST_SECTIONS = ['system', 'packages', 'units', 'mounts', 'sysctls', 'ports', 'files'] as const;
export type HostSection = (typeof HOST_SECTIONS)[number];

export const DESCRIBED_LIMITS = {
  /** Fields of one object, and as many digests. Those beyond, also beyond `objectBytes`, share one digest. */
  fields: 400,
  pathCharacters: 317,
  /** Bytes of one value. A longer one is cut and carries a digest. Redaction on the way may lengthen it. */
  valueBytes: 400,
  sentValueBytes: 512,
  /** Bytes of names and values of one object. */
  objectBytes: 30_000,
  objectsPerItem: 200,
  /** Entries of one section of a host: a desktop has 3,000 packages. */
  hostEntries: 6000,
} as const;

/** Path of the digest of all fields beyond the limit. */
export const REST_PATH = '…';
