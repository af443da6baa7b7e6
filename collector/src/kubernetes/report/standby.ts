import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import type { StandbyMessage } from '@plimsoll/contract/wire/cluster-report';
import { LEASE_NEEDS } from '@plimsoll/contract/rules/kubernetes-limits';
import { PROTOCOL_VERSION } from '@plimsoll/contract/rules/limits';
import { readerStateOf, reasonOf } from '../watch/api-error.ts';
import type { Timing } from '../watch/timing.ts';
import type { ClusterReply } from './cluster-reporter.ts';

const PATH = '/api/agent/v1/cluster/standby';
/** A lease changes hands within 20 s; what lasts longer is a fault. */
const PATIENCE_MS = 30_000;
const AGAIN_MS = 60_000;

export interface StandbyOptions {
  post: (path: string, body: StandbyMessage) => Promise<ClusterReply>;
  collector: StandbyMessage['collector'];
  /** "namespace:name" of our service account; null: not known. */
  serviceAccount: () => string | null;
  timing: Timing;
}

/** Tells the dashboard why no replica leads: without a leader nobody reports, and the cluster would only look silent. */
export class Standby {
  readonly #options: StandbyOptions;
  #since: number | null = null;
  #toldAt: number | null = null;

  constructor(options: StandbyOptions) {
    this.#options = options;
  }

  /** The lease could be read or written, whoever holds it. */
  well(): void {
    this.#since = null;
    this.#toldAt = null;
  }

  /** The lease could not be read or written. Never throws; a message that does not arrive is sent again a minute later. */
  async failed(error: unknown): Promise<void> {
    const now = this.#options.timing.now();
    this.#since ??= now;
    if (now - this.#since < PATIENCE_MS) return;
    if (this.#toldAt !== null && now - this.#toldAt < AGAIN_MS) return;
    this.#toldAt = now;
    const { collector, post, serviceAccount } = this.#options;
    const lease: ReaderStatePart = {
      name: 'lease',
      state: readerStateOf(error),
      detail: reasonOf(error, LEASE_NEEDS).slice(0, 1000),
      since: this.#since / 1000,
      needs: LEASE_NEEDS,
      service_account: serviceAccount(),
    };
    try {
      await post(PATH, { v: PROTOCOL_VERSION, collector, lease });
    } catch {
      // The next message is due a minute later anyway.
    }
  }
}
