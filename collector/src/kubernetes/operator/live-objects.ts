import {
  CUSTOM_GROUP,
  CUSTOM_PLURALS,
  CUSTOM_VERSION,
  type CustomKind,
} from '@plimsoll/contract/rules/custom-resources';
import { required, seconds } from '../watch/fields.ts';
import type { Resource, Store } from '../watch/reflector.ts';

/** metav1.Condition. */
export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
  observedGeneration: number;
  lastTransitionTime: string;
}

/** A custom resource as the API server holds it. */
export interface LiveObject {
  kind: CustomKind;
  namespace: string;
  name: string;
  uid: string;
  resourceVersion: string;
  generation: number;
  /** Epoch seconds. */
  createdAt: number;
  spec: Record<string, unknown>;
  conditions: readonly Partial<Condition>[];
}

interface Unread {
  metadata: {
    namespace?: string;
    name?: string;
    uid?: string;
    resourceVersion?: string;
    generation?: number;
    creationTimestamp?: string;
  };
  spec?: Record<string, unknown>;
  status?: { conditions?: Partial<Condition>[] };
}

export const GROUP_PATH = `/apis/${CUSTOM_GROUP}/${CUSTOM_VERSION}`;

export const resourceOf = (kind: CustomKind): Resource<LiveObject> => ({
  name: `${CUSTOM_PLURALS[kind]}.${CUSTOM_GROUP}`,
  path: `${GROUP_PATH}/${CUSTOM_PLURALS[kind]}`,
  needs: `list,watch ${CUSTOM_PLURALS[kind]}.${CUSTOM_GROUP}`,
  project: (object) => {
    const { metadata, spec, status } = object as Unread;
    return {
      kind,
      namespace: required(metadata.namespace, 'metadata.namespace'),
      name: required(metadata.name, 'metadata.name'),
      uid: required(metadata.uid, 'metadata.uid'),
      resourceVersion: required(metadata.resourceVersion, 'metadata.resourceVersion'),
      generation: metadata.generation ?? 0,
      createdAt: seconds(metadata.creationTimestamp) ?? 0,
      spec: typeof spec === 'object' && spec !== null ? spec : {},
      conditions: Array.isArray(status?.conditions) ? status.conditions : [],
    };
  },
});

/** The objects of one kind as the watch sees them. */
export class LiveObjects implements Store<LiveObject> {
  readonly objects = new Map<string, LiveObject>();

  upsert(object: LiveObject): void {
    this.objects.set(object.uid, object);
  }
  remove(object: LiveObject): void {
    this.objects.delete(object.uid);
  }
  retain(uids: ReadonlySet<string>): void {
    for (const uid of this.objects.keys()) if (!uids.has(uid)) this.objects.delete(uid);
  }
}
