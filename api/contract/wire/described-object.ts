import { z } from 'zod';
import { DESCRIBED_KINDS, DESCRIBED_LIMITS as L, HOST_SECTIONS } from '../rules/described-kinds.ts';
import { name, uid } from './cluster-fields.ts';
import { at } from './number-bounds.ts';

/**
 * Described states: the fields of an object whose change matters, as flat texts. Collectors send the state, the API
 * compares it with the stored one. A change is thus found once, also after a repeat, a restart or an outage.
 */

const path = z.string().min(1).max(L.pathCharacters);
/** HMAC-SHA-256 of a value that must not leave the cluster, cut to 64 bits, in hex. */
const digest = z.string().regex(/^[0-9a-f]{16}$/);
const isBounded = (record: Record<string, unknown>): boolean => Object.keys(record).length <= L.fields;

export const describedObject = z.object({
  uid,
  kind: z.enum(DESCRIBED_KINDS),
  namespace: name.nullable(),
  name,
  /** Version of the rules that describe this kind. States of two versions are not compared. */
  form: z.int().min(1).max(1000),
  /** Names the key of the digests. Digests of two keys are not compared. */
  digest_key: z.string().regex(/^[0-9a-f]{8}$/),
  /** Program that wrote the object last, as the API server recorded it; null: not recorded. */
  by: z.string().max(128).nullable(),
  /** When it did. */
  edited_at: at.nullable(),
  fields: z.record(path, z.string().max(L.sentValueBytes)).refine(isBounded, 'has too many fields'),
  digests: z.record(path, digest).refine(isBounded, 'has too many digests'),
});

/** One section of a host, sent after the start of the collector and when it changed. `entries`: name → value. */
export const hostSection = z.object({
  section: z.enum(HOST_SECTIONS),
  form: z.int().min(1).max(1000),
  entries: z
    .record(path, z.string().max(L.sentValueBytes))
    .refine((entries) => Object.keys(entries).length <= L.hostEntries, 'has too many entries'),
});

export type DescribedObject = z.infer<typeof describedObject>;
export type HostSectionPart = z.infer<typeof hostSection>;
