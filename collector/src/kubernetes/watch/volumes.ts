import type { V1PersistentVolumeClaim } from '@kubernetes/client-node';
import type { VolumeObject } from '@plimsoll/contract/wire/cluster-objects';
import { clip, required } from './fields.ts';
import { Figures } from './figures.ts';
import type { Resource } from './reflector.ts';

export const volumes: Resource<VolumeObject> = {
  name: 'persistentvolumeclaims',
  path: '/api/v1/persistentvolumeclaims',
  needs: 'list,watch persistentvolumeclaims',
  project: (object) => {
    const { metadata, spec, status } = object as V1PersistentVolumeClaim;
    const figures = new Figures();
    return {
      uid: required(metadata?.uid, 'metadata.uid'),
      namespace: required(metadata?.namespace, 'metadata.namespace'),
      name: required(metadata?.name, 'metadata.name'),
      phase: clip(status?.phase, 32) ?? 'Unknown',
      storage_class: clip(spec?.storageClassName),
      capacity_bytes: figures.bytes(status?.capacity?.storage, 'capacity_bytes'),
      requested_bytes: figures.bytes(spec?.resources?.requests?.storage, 'requested_bytes'),
      ...figures.unknown,
    };
  },
};
