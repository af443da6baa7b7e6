import type { DeliveryOutcome } from '@plimsoll/contract/rules/notify';
import type { Owner } from '../tenancy/owner.ts';
import type { ObjectRows } from '../kubernetes/object-rows.ts';
import type { Page } from '../page.ts';
import type {
  AlertDelivery,
  Backlog,
  ChannelEntry,
  ChannelRecord,
  ChannelState,
  Claim,
  DeliveryRecord,
  MessageSettings,
  ObjectChannel,
  Settlement,
  StoredTarget,
  WaitingDelivery,
} from './types.ts';
import type { OrganisationId } from '../tenancy/ids.ts';

export interface Channels {
  list(owner: Owner): Promise<ChannelState[]>;
  get(owner: Owner, id: string): Promise<ChannelState | null>;
  create(owner: Owner, entry: ChannelEntry, now: number): Promise<void>;
  /** Returns false if the owner has no such channel. */
  update(owner: Owner, entry: ChannelEntry, now: number): Promise<boolean>;
  delete(owner: Owner, id: string): Promise<boolean>;
  /**
   * Replaces the Telegram chat id of a channel that people change. Returns false if the channel has another chat id than
   * `from` by now, is managed, or is gone.
   */
  moveChat(owner: Owner, id: string, chat: { from: string; to: string }, now: number): Promise<boolean>;
  /** The channel the environment made, whoever owns it; null: none. */
  managed(): Promise<(Pick<ChannelRecord, 'id' | 'type'> & { organisationId: OrganisationId; hash: Buffer }) | null>;
  /** Creates the channel of the environment, or replaces what it was made from. */
  saveManaged(owner: Owner, entry: ChannelEntry, hash: Buffer, now: number): Promise<void>;
  deleteManaged(): Promise<boolean>;
  /** The channel that the Helm values of a cluster made; null: none. */
  ofCluster(clusterKey: number): Promise<(Pick<ChannelRecord, 'id' | 'name'> & { hash: Buffer }) | null>;
  /** Creates the channel of a cluster, or replaces what it was made from. */
  saveOfCluster(owner: Owner, clusterKey: number, entry: ChannelEntry, hash: Buffer, now: number): Promise<void>;
  deleteOfCluster(clusterKey: number): Promise<boolean>;
  /** Returns the channels of every account that store a setting of one of these names. */
  withSettings(names: readonly string[]): Promise<StoredTarget[]>;
  /** Replaces how a destination is stored. Returns false if somebody has changed it since it was read. */
  reseal(
    stored: StoredTarget,
    entry: Pick<ChannelEntry, 'settings' | 'sealedSecrets' | 'secretEnds'>,
  ): Promise<boolean>;
  ofObjects: ObjectRows<{ entry: ChannelEntry }> & {
    sealed(clusterKey: number): Promise<ObjectChannel[]>;
  };
}

export interface Outbox {
  /**
   * Leases the channel that has waited longest and returns what waits for one incident in it; null: nothing is due. No
   * other process sends through the channel until `settle`, or until the lease ends.
   */
  claim(now: number, lease: { id: string; until: number }): Promise<Claim | null>;
  /** Writes how a claim ended and frees the channel, in one transaction. */
  settle(claim: Pick<Claim, 'lease'> & { channelId: string }, settlement: Settlement): Promise<void>;
  /** Puts open, unacknowledged alerts whose repeat interval is over into the outbox. Returns how many. */
  repeat(now: number): Promise<number>;
  /**
   * Puts the likely causes of young incidents into the outbox of channels that delivered an alert without it, once a
   * channel and incident.
   */
  tellCauses(now: number): Promise<void>;
  /** Returns when the next message is due, which may be in the past; null if none waits. */
  nextDueAt(): Promise<number | null>;
  backlog(): Promise<Backlog>;
}

interface Deliveries {
  /** Logs a message that no alert caused: a test message. */
  log(
    channelId: string,
    message: { at: number; outcome: DeliveryOutcome; detail: string; about: string },
  ): Promise<void>;
  /** Newest first. */
  list(
    owner: Owner,
    filter: { channelId?: string },
    page: Page,
  ): Promise<{ deliveries: DeliveryRecord[]; total: number }>;
}

/** The messages of one alert. */
export interface AlertDeliveries {
  /** `tried`: oldest first. */
  of(owner: Owner, alertId: string): Promise<{ tried: AlertDelivery[]; waiting: WaitingDelivery[] }>;
}

export interface Notify {
  settings: {
    get(owner: Owner): Promise<MessageSettings>;
    put(owner: Owner, settings: MessageSettings): Promise<void>;
  };
  channels: Channels;
  outbox: Outbox;
  deliveries: Deliveries;
}
