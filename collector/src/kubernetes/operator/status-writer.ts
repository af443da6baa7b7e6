import { randomBytes } from 'node:crypto';
import { CUSTOM_GROUP, CUSTOM_PLURALS, CUSTOM_VERSION } from '@plimsoll/contract/rules/custom-resources';
import type { Log } from '../../runtime/log.ts';
import { ApiError } from '../watch/api-error.ts';
import type { Connection } from '../watch/connection.ts';
import type { Timing } from '../watch/timing.ts';
import { noticeOf, type Notice } from './conditions.ts';
import { GROUP_PATH, type Condition, type LiveObject } from './live-objects.ts';

const AT_ONCE = 8;
/** The conditions say the same: after a thousand new objects, a thousand events help nobody. */
const EVENTS_PER_ROUND = 50;
const COMPONENT = 'plimsoll-cluster-collector';

export interface StatusChange {
  object: LiveObject;
  conditions: Condition[];
}

/** Writes conditions and events of custom resources. */
export class StatusWriter {
  readonly counts = { written: 0, conflicts: 0, failures: 0 };
  readonly #connection: Connection;
  readonly #timing: Timing;
  readonly #log: Log;
  #problem: string | null = null;

  constructor(connection: Connection, timing: Timing, log: Log) {
    this.#connection = connection;
    this.#timing = timing;
    this.#log = log;
  }

  /** Returns how many were written. What fails is tried again in the next round. */
  async write(changes: readonly StatusChange[], signal: AbortSignal): Promise<number> {
    const waiting = [...changes];
    let events = EVENTS_PER_ROUND;
    let written = 0;
    const work = async (): Promise<void> => {
      for (let change = waiting.shift(); change !== undefined && !signal.aborted; change = waiting.shift()) {
        if (!(await this.#patch(change, signal))) continue;
        written += 1;
        const notice = noticeOf(change.object, change.conditions);
        if (notice === null || events <= 0) continue;
        events -= 1;
        await this.#tell(change.object, notice, signal);
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, waiting.length) }, work));
    return written;
  }

  /** The version in the patch makes the API server refuse it if the object has changed meanwhile. */
  async #patch({ object, conditions }: StatusChange, signal: AbortSignal): Promise<boolean> {
    const { kind, namespace, name, uid, resourceVersion, generation } = object;
    try {
      await this.#connection.json({
        method: 'PATCH',
        path: `${GROUP_PATH}/namespaces/${encodeURIComponent(namespace)}/${CUSTOM_PLURALS[kind]}/${encodeURIComponent(name)}/status`,
        contentType: 'application/merge-patch+json',
        body: { metadata: { uid, resourceVersion }, status: { observedGeneration: generation, conditions } },
        signal,
      });
      this.counts.written += 1;
      this.#problem = null;
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      const status = error instanceof ApiError ? error.status : 0;
      // Changed or deleted: the watch brings the news, and the next round decides again.
      if (status === 409 || status === 404) this.counts.conflicts += 1;
      else this.#failed('status', error);
      return false;
    }
  }

  async #tell(object: LiveObject, { type, reason, message }: Notice, signal: AbortSignal): Promise<void> {
    const { kind, namespace, name, uid, resourceVersion } = object;
    const at = `${new Date(this.#timing.now()).toISOString().slice(0, 19)}Z`;
    const body = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name.slice(0, 200)}.${randomBytes(8).toString('hex')}`, namespace },
      involvedObject: { apiVersion: `${CUSTOM_GROUP}/${CUSTOM_VERSION}`, kind, namespace, name, uid, resourceVersion },
      type,
      reason,
      message,
      source: { component: COMPONENT },
      firstTimestamp: at,
      lastTimestamp: at,
      count: 1,
    };
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/events`;
    await this.#connection.json({ method: 'POST', path, body, signal }).catch((error: unknown) => {
      if (!signal.aborted) this.#failed('event', error);
    });
  }

  #failed(what: string, error: unknown): void {
    this.counts.failures += 1;
    const reason = `${what}: ${error instanceof Error ? error.message : String(error)}`;
    if (reason !== this.#problem) this.#log('warn', 'custom resources: not written', { reason });
    this.#problem = reason;
  }
}
