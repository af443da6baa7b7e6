import { z } from 'zod';
import { CUSTOM_KINDS } from '../rules/custom-resources.ts';

/** The custom resource that made a rule, a silence or a channel. */
export const managedObject = z.object({
  cluster_id: z.string(),
  /** Null: the cluster has no name. */
  cluster_name: z.string().nullable(),
  kind: z.enum(CUSTOM_KINDS),
  namespace: z.string(),
  name: z.string(),
});

export type ManagedObjectView = z.infer<typeof managedObject>;
