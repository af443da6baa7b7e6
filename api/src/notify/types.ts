import type { CauseEntity } from '@plimsoll/contract/wire/causes';
import type { AlertLevel } from '@plimsoll/contract/rules/limits';
import type { ObjectName } from '../kubernetes/object-rows.ts';
import type { ManagedObject } from '../kubernetes/types.ts';
import type { OrganisationId } from '../tenancy/ids.ts';
import type { ChannelType, DeliveryOutcome } from '@plimsoll/contract/rules/notify';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

export interface QuietHours {
  /** HH:MM in the time zone. */
  from: string;
  to: string;
  timeZone: string;
  criticalPasses: boolean;
}
export interface Routing {
  levels: readonly AlertLevel[];
  /** The server must carry all of them. */
  tags: Readonly<Record<string, string>>;
  quietHours: QuietHours | null;
  /** Minutes after which an open alert is sent again; null: never. */
  repeatMinutes: number | null;
}

export type Settings = Readonly<Record<string, unknown>>;
export type Secrets = Readonly<Record<string, string>>;

/** Destination of a channel. */
export interface Target {
  settings: Settings;
  secrets: Secrets;
}

export interface ChannelRecord {
  id: string;
  type: ChannelType;
  name: string;
  settings: Settings;
  sealedSecrets: Buffer;
  /** The last 4 characters of each secret. */
  secretEnds: Secrets;
  routing: Routing;
  /** `environment`: made from variables of the API; `cluster`: from the Helm values of a cluster. */
  managedBy: 'user' | 'environment' | 'cluster';
  /** The custom resource that made the channel; null: none did. */
  object: ManagedObject | null;
  createdAt: number;
  updatedAt: number;
}
export interface ChannelState extends ChannelRecord {
  waiting: number;
  lastDelivery: { at: number; outcome: DeliveryOutcome; detail: string } | null;
}
export type ChannelEntry = Pick<
  ChannelRecord,
  'id' | 'type' | 'name' | 'settings' | 'sealedSecrets' | 'secretEnds' | 'routing'
>;

/** A destination as it is stored. */
export type StoredTarget = Pick<ChannelRecord, 'id' | 'type' | 'settings' | 'sealedSecrets'>;

/** A stored channel that a custom resource made. */
export interface ObjectChannel extends Pick<ChannelRecord, 'id' | 'type' | 'sealedSecrets'>, ObjectName {}

/** escalated: the level rose. repeated: still firing after the channel's repeat interval. */
type NotifiedState = 'firing' | 'escalated' | 'repeated' | 'resolved';

/** The likely cause of an incident, as a message has it. Hostile text is already harmless. */
export interface NotifiedCause {
  /** A sentence for each cause, the likeliest first. */
  findings: readonly string[];
  /** One line that a program said; null: there is none, or no admin allowed it. */
  quote: string | null;
  /** Mechanism of the likeliest cause. */
  mechanism: string;
  mechanismTitle: string;
  /** ISO 8601; null: not known. */
  since: string | null;
  entities: readonly Pick<CauseEntity, 'kind' | 'name' | 'object_kind' | 'namespace' | 'cluster_id' | 'server_id'>[];
  /** Next step for a person. */
  next: string;
}

/** A change of an alert that waits for delivery through one channel. */
export interface OutboxEntry {
  id: number;
  alertId: string;
  /** cause: the likely cause of the incident became known after the channel had delivered the alert. */
  state: NotifiedState | 'cause';
  level: AlertLevel;
  value: number | null;
  threshold: number | null;
  at: number;
  attempts: number;
  firstTriedAt: number | null;
  metric: string;
  subject: string;
  title: string;
  /** The sentence that says more than the title; null: the title and the value say all. */
  detail: string | null;
  /** The object of a cluster: "shop/web", a node without a namespace; null: the alert is about none. */
  object: string | null;
  openedAt: number;
  /** Milliseconds that its rule waited before the alert opened. */
  forMs: number;
  /** The channel has delivered this alert as firing. */
  isDelivered: boolean;
  /** The process that sent it ended before it said what came of the message, or the provider did not confirm it. */
  mayHaveArrived: boolean;
  /** Another alert of its incident explains it. */
  isFolded: boolean;
  /** The report of its server is overdue, and nobody has judged the server yet. */
  isLate: boolean;
}

/** The next message of one process: all that waits for one incident in one channel. */
export interface Claim {
  lease: string;
  organisationId: OrganisationId;
  channel: Pick<ChannelRecord, 'id' | 'type' | 'settings' | 'sealedSecrets' | 'routing'>;
  /** Null: the incident is about the account as a whole. */
  server: { id: string; hostname: string; tags: Readonly<Record<string, string>> } | null;
  /** Name of the server or the cluster; null: neither. */
  name: string | null;
  /** False: the server has passed to another account. */
  isOwned: boolean;
  /** Open alerts of the incident that its cause explains. */
  folded: number;
  /** Null: the alerts are older than incidents. */
  incidentId: string | null;
  /** Null: none is known. */
  cause: NotifiedCause | null;
  /** In the order the alerts changed. */
  entries: OutboxEntry[];
}

/** Result of a claim. */
export interface Settlement {
  /** Outbox rows that are done with: delivered, refused, given up or not routed. */
  done: readonly number[];
  /** Rows that wait until a later time. */
  held: readonly { ids: readonly number[]; until: number }[];
  /** Rows to try again. */
  failed: { ids: readonly number[]; until: number; at: number; mayHaveArrived: boolean } | null;
  delivered: readonly { alertId: string; level: AlertLevel }[];
  /** Alerts that are over for this channel. */
  ended: readonly string[];
  /** The incident whose cause was delivered; null: none was. */
  toldCauseOf: string | null;
  /** The channel sends nothing before. */
  sendAfter: number;
  log: {
    at: number;
    outcome: DeliveryOutcome;
    detail: string;
    hostname: string;
    alertIds: readonly string[];
    attempt: number;
  } | null;
}

export interface DeliveryRecord {
  id: number;
  channelId: string;
  channelName: string;
  type: ChannelType;
  at: number;
  outcome: DeliveryOutcome;
  detail: string;
  hostname: string;
  alertIds: string[];
  attempt: number;
}

/** An attempt to send a message about an alert. */
export type AlertDelivery = Pick<
  DeliveryRecord,
  'channelId' | 'channelName' | 'type' | 'at' | 'outcome' | 'detail' | 'attempt'
>;
/** A delivery that waits for an alert in one channel. */
export interface WaitingDelivery extends Pick<DeliveryRecord, 'channelId' | 'channelName' | 'type'> {
  dueAt: number;
  /** Attempts that failed. */
  attempts: number;
}

/** One alert of a message. */
export interface NotifiedAlert {
  alertId: string;
  state: NotifiedState;
  level: AlertLevel;
  /** Short plain words; hostile text is already harmless. */
  text: string;
}
/** A message about one incident. Each channel shapes it for its provider. */
export interface Notification {
  /** A test message: it concerns no alert. */
  isTest: boolean;
  hostname: string;
  /** The gravest level of an alert that still fires; null: all are resolved. */
  level: AlertLevel | null;
  title: string;
  lines: readonly string[];
  link: string | null;
  alerts: readonly NotifiedAlert[];
  /** Null: none is known, or the message says what is over. */
  cause: NotifiedCause | null;
  at: number;
}

/** Settings of an organisation for the messages of all its channels. */
export interface MessageSettings {
  /** A message may quote one log line. */
  quotesLogLines: boolean;
}

/** `detail` is shown to the user: plain words, no secret. */
export type SendResult =
  | {
      outcome: 'delivered';
      detail: string;
      /** The provider replaced the id of the destination with this one, which took the message. */
      movedTo?: string;
    }
  /** Trying again may help. */
  | {
      outcome: 'failed';
      detail: string;
      retryAfterSeconds?: number;
      /** The provider may have taken the message without confirming it. */
      mayHaveArrived?: boolean;
    }
  /** Trying again does not help. `movedTo`: the destination has this id now, and nothing was sent to it yet. */
  | { outcome: 'refused'; detail: string; movedTo?: string };

/** One kind of channel. */
export interface ChannelDriver {
  send(target: Target, notification: Notification): Promise<SendResult>;
  /** Checks a new channel with the provider without sending. */
  check?(target: Target): Promise<SendResult>;
  /** Milliseconds between two messages to the same place. */
  spacingMs?(target: Target): number;
}
export type ChannelDrivers = Readonly<Record<ChannelType, ChannelDriver>>;

/** The state of the outbox over all accounts, for the metrics. */
export interface Backlog {
  waiting: number;
  oldestAt: number | null;
}
