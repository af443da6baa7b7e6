import type { V1PersistentVolume } from '@kubernetes/client-node';
import type { NodeTerm } from '@plimsoll/contract/wire/cluster-placement';
import { clip, required } from './fields.ts';
import { nodeTermsOf } from './placement.ts';
import type { Resource } from './reflector.ts';

/** A bound persistent volume: which claim it belongs to, and which nodes can mount it. */
export interface BoundVolume {
  uid: string;
  /** Null: it is bound to no claim. */
  claimUid: string | null;
  /** Null: any node. */
  nodeAffinity: NodeTerm[] | null;
}

export const persistentVolumes: Resource<BoundVolume> = {
  name: 'persistentvolumes',
  path: '/api/v1/persistentvolumes',
  needs: 'list,watch persistentvolumes',
  project: (object) => {
    const { metadata, spec } = object as V1PersistentVolume;
    const terms = spec?.nodeAffinity?.required?.nodeSelectorTerms;
    return {
      uid: required(metadata?.uid, 'metadata.uid'),
      claimUid: clip(spec?.claimRef?.uid, 128),
      nodeAffinity: terms === undefined ? null : nodeTermsOf(terms),
    };
  },
};
