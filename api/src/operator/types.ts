import type { CustomKind, RefusalReason } from '@plimsoll/contract/rules/custom-resources';
import type { CustomObject } from '@plimsoll/contract/wire/custom-resources';
import type { RuleDraft } from '../alerts/types.ts';
import type { SilenceDraft } from '../alerts/silence-match.ts';
import type { ObjectDraft } from '../kubernetes/object-rows.ts';
import type { ChannelEntry, Secrets, Settings } from '../notify/types.ts';

/** Place and name of an object: `namespace/name`. */
export type ObjectKey = string;
export const keyOf = ({ namespace, name }: Pick<CustomObject, 'namespace' | 'name'>): ObjectKey =>
  `${namespace}/${name}`;

/** The cluster that sent the objects. */
export interface ObjectContext {
  clusterId: string;
  releaseNamespace: string;
  now: number;
}

export interface Refusal {
  reason: RefusalReason;
  message: string;
}

/** A channel whose secrets are not sealed yet. */
export interface ChannelDraft extends Pick<ChannelEntry, 'type' | 'name' | 'routing'> {
  settings: Settings;
  secrets: Secrets;
}

/** The draft that an object makes, or the reason why it makes nothing. */
export type Reading =
  | { kind: 'AlertRule'; draft: RuleDraft }
  | { kind: 'Silence'; draft: SilenceDraft }
  | { kind: 'NotificationChannel'; draft: ChannelDraft }
  | { kind: CustomKind; refusal: Refusal };

/** The objects of one cluster, as they are to be stored. */
export interface WantedObjects {
  /** Only these kinds lose rows. */
  covers: readonly CustomKind[];
  /** Rows of these objects stay, although nothing is written: their new version is refused. */
  kept: Readonly<Record<CustomKind, readonly ObjectKey[]>>;
  rules: readonly ObjectDraft<{ draft: RuleDraft }>[];
  silences: readonly ObjectDraft<{ draft: SilenceDraft }>[];
  channels: readonly ObjectDraft<{ entry: ChannelEntry }>[];
}

/** Names of the objects by what was done. */
export interface Applied {
  created: ObjectKey[];
  changed: ObjectKey[];
  deleted: ObjectKey[];
  /** Objects whose earlier version is still in force. */
  kept: ObjectKey[];
}
