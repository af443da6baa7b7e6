import { z } from 'zod';
import { CLUSTER_LIMITS as L, FIGURE_LIMITS, READER_STATES } from '../rules/kubernetes-limits.ts';
import { at, bounded, bytes } from './number-bounds.ts';

export { at, bytes, count, int32, percent, rate } from './number-bounds.ts';

/** Bounds of the single values in what the Kubernetes side sends. Bytes, seconds, cores; times are epoch seconds. */
export const text = z.string().max(4096);
/** Names in Kubernetes are ASCII. Several of them stand in one entry of an index, which has room for 2,700 bytes. */
const ascii = z.string().regex(/^[ -~]*$/, 'must be ASCII');
export const name = ascii.min(1).max(253);
export const uid = ascii.min(1).max(128);
export const cores = bounded(FIGURE_LIMITS.cores);
export const resources = z.object({ cpu_cores: cores.nullable(), memory_bytes: bytes.nullable() });
const labelsUpTo = (most: number) =>
  z.record(z.string().max(317), z.string().max(63)).refine((v) => Object.keys(v).length <= most);
export const labels = labelsUpTo(L.labelsPerObject);
export const nodeLabels = labelsUpTo(L.labelsPerNode);

/**
 * Fields that are null because their value cannot be stored, each with its reason:
 * "requests.memory_bytes: 1Ei is out of range". Absent: there are none, or the collector is older than this field.
 */
export const unknownFields = z.array(text).max(L.unknownFields).optional();

/** State of one reader: "pods list, watch", "metrics.k8s.io", "kubelet stats/summary"; `detail` is for a person. */
export const readerState = z.object({
  name: z.string().min(1).max(64),
  state: z.enum(READER_STATES),
  detail: text.nullable(),
  /** Epoch seconds since when it is in this state. */
  since: at,
  /** The permission it needs, as in `kubectl auth can-i VERB RESOURCE`: "get nodes/stats". */
  needs: z.string().max(128).nullable(),
  /** "namespace:name" of the service account that lacks or has it. Absent: the collector is older than this field. */
  service_account: z.string().max(507).nullable().optional(),
  /** Objects and figures that it left out, each with its reason. Absent: none, or the collector is older. */
  left_out: z.array(text).max(L.unknownFields).optional(),
});

export type ReaderStatePart = z.infer<typeof readerState>;
