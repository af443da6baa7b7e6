import { ApiError } from './api-error.ts';
import type { Connection } from './connection.ts';
import type { Timing } from './timing.ts';

/** Tighter than client-go's 15, 10 and 2: a dead leader is replaced within duration + two retries, 20 s on a busy machine. */
export const LEASE_TIMES = { durationSeconds: 12, renewDeadlineSeconds: 8, retryMs: 2000 } as const;

/** coordination.k8s.io/v1 as it is on the wire; unknown fields are kept as they were read. */
interface Lease {
  metadata?: { name: string; namespace: string; resourceVersion?: string };
  spec?: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
  };
}

export interface LeaseName {
  namespace: string;
  name: string;
  /** Unique per replica: the pod's name. */
  identity: string;
}

/**
 * Leader election on a Lease. The lease of another is judged by when we saw it change, never by its own clock. One try is
 * one `attempt`; `holdTerm` is leaseTransitions while we lead.
 */
export class LeaseElection {
  readonly #connection: Connection;
  readonly #name: LeaseName;
  readonly #timing: Timing;
  #seen: { record: string; at: number } | null = null;
  #held: Lease | null = null;
  #renewedAt = 0;

  constructor(connection: Connection, name: LeaseName, timing: Timing) {
    this.#connection = connection;
    this.#name = name;
    this.#timing = timing;
  }

  /** Null when we do not lead, also when the last renewal is too long ago to be sure. */
  get holdTerm(): number | null {
    const sure = this.#timing.now() - this.#renewedAt < LEASE_TIMES.renewDeadlineSeconds * 1000;
    return this.#held && sure ? (this.#held.spec?.leaseTransitions ?? 0) : null;
  }

  /** Takes or renews the lease when it may. Fails with ApiError when the API server does; losing a race is no failure. */
  async attempt(): Promise<boolean> {
    const startedAt = this.#timing.now();
    try {
      const found = await this.#read();
      if (found && !this.#mayTake(found)) {
        this.#held = null;
        return false;
      }
      this.#held = await this.#write(found);
      this.#renewedAt = startedAt;
      return true;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 409)) throw error;
      this.#held = null;
      return false;
    }
  }

  /** Gives the lease up, so that another replica need not wait for its end. */
  async release(): Promise<void> {
    const held = this.#held;
    this.#held = null;
    if (!held?.spec) return;
    const spec = { ...held.spec, holderIdentity: '', leaseDurationSeconds: 1 };
    await this.#connection.json({ method: 'PUT', path: this.#path(), body: { ...held, spec } });
  }

  #mayTake(lease: Lease): boolean {
    const { holderIdentity, leaseDurationSeconds, renewTime, leaseTransitions } = lease.spec ?? {};
    if (!holderIdentity || holderIdentity === this.#name.identity) return true;
    const record = `${holderIdentity}/${renewTime}/${leaseTransitions}`;
    if (record !== this.#seen?.record) this.#seen = { record, at: this.#timing.now() };
    return this.#timing.now() - this.#seen.at > (leaseDurationSeconds ?? LEASE_TIMES.durationSeconds) * 1000;
  }

  async #read(): Promise<Lease | null> {
    try {
      return await this.#connection.json<Lease>({ path: this.#path() });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  }

  #write(found: Lease | null): Promise<Lease> {
    const now = microTime(this.#timing.now());
    const ours = found?.spec?.holderIdentity === this.#name.identity;
    const spec = {
      ...found?.spec,
      holderIdentity: this.#name.identity,
      leaseDurationSeconds: LEASE_TIMES.durationSeconds,
      acquireTime: (ours ? found.spec?.acquireTime : undefined) ?? now,
      renewTime: now,
      leaseTransitions: (found?.spec?.leaseTransitions ?? firstTerm(this.#timing.now())) + (ours ? 0 : 1),
    };
    if (found) return this.#connection.json({ method: 'PUT', path: this.#path(), body: { ...found, spec } });
    const { name, namespace } = this.#name;
    const metadata = { name, namespace };
    const body = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec };
    return this.#connection.json({ method: 'POST', path: this.#path(true), body });
  }

  #path(collection = false): string {
    const { namespace, name } = this.#name;
    const base = `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/leases`;
    return collection ? base : `${base}/${encodeURIComponent(name)}`;
  }
}

/** Unix time of 2020-01-01: counted from there, seconds fit the int32 of leaseTransitions until 2088. */
const TERMS_SINCE = 1_577_836_800;
/**
 * A new Lease continues above every earlier one of this cluster: the dashboard refuses a term below the last it accepted,
 * and a deleted Lease or a new installation would otherwise start at 1 again.
 */
const firstTerm = (nowMs: number): number => Math.max(0, Math.floor(nowMs / 1000) - TERMS_SINCE);

/** metav1.MicroTime: exactly six fraction digits, a plain Date's three are refused with 400. */
export const microTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');
