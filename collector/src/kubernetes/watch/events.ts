import type { CoreV1Event } from '@kubernetes/client-node';
import type { EventObject } from '@plimsoll/contract/wire/cluster-objects';
import { clip, required, seconds, wholeNumber } from './fields.ts';
import type { Resource } from './reflector.ts';

export const events: Resource<EventObject> = {
  name: 'events',
  path: '/api/v1/events',
  needs: 'list,watch events',
  project: (object) => projectEvent(object as CoreV1Event),
};

/** Old recorders fill count and the two timestamps, new ones eventTime and series; both are in use side by side. */
function projectEvent(event: CoreV1Event): EventObject {
  const { metadata, involvedObject, series } = event;
  const created = seconds(metadata.creationTimestamp) ?? 0;
  const firstAt = seconds(event.firstTimestamp) ?? seconds(event.eventTime) ?? created;
  const lastAt = seconds(series?.lastObservedTime) ?? seconds(event.lastTimestamp) ?? firstAt;
  return {
    uid: required(metadata.uid, 'metadata.uid'),
    type: clip(event.type, 32) ?? 'Normal',
    reason: clip(event.reason, 128) ?? '',
    message: clip(event.message) ?? '',
    namespace: clip(involvedObject.namespace ?? metadata.namespace, 253) ?? '',
    kind: clip(involvedObject.kind, 253) ?? '',
    name: clip(involvedObject.name, 253) ?? '',
    object_uid: clip(involvedObject.uid, 128),
    component: clip(event.source?.component ?? event.reportingComponent, 253),
    count: Math.max(1, wholeNumber(series?.count ?? event.count) ?? 1),
    first_at: firstAt,
    last_at: Math.max(firstAt, lastAt),
  };
}
