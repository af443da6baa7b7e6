import { EgressError, egressRequest, type EgressProxy } from '../egress.ts';

interface HeartbeatLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
export interface HeartbeatDeps {
  url: string;
  /** Fails while the database does not answer. */
  ping: () => Promise<void>;
  log: HeartbeatLogger;
  observe: (outcome: 'ok' | 'failed') => void;
  timeoutMs?: number;
  /** Null: none. */
  proxy?: EgressProxy | null;
}

const TIMEOUT_MS = 10_000;
const MOST_ANSWER_BYTES = 65_536;

/**
 * Calls the operator's dead-man's switch while the database answers. The log gets the first failure in a row only, and
 * its end; the URL is a secret and stays out of it.
 */
export function createHeartbeat({
  url,
  ping,
  log,
  observe,
  timeoutMs = TIMEOUT_MS,
  proxy = null,
}: HeartbeatDeps): () => Promise<void> {
  let isFailing = false;
  const problem = async (): Promise<string | null> => {
    await ping();
    try {
      const { status } = await egressRequest(url, {
        maxBytes: MOST_ANSWER_BYTES,
        timeoutMs,
        allowPrivate: true,
        proxy,
      });
      return status >= 200 && status < 300 ? null : `status ${String(status)}`;
    } catch (error) {
      if (error instanceof EgressError) return error.message;
      throw error;
    }
  };
  return async () => {
    const reason = await problem();
    observe(reason === null ? 'ok' : 'failed');
    if (reason !== null && !isFailing) log.warn({ reason }, 'heartbeat call failed');
    if (reason === null && isFailing) log.info({}, 'heartbeat call succeeds again');
    isFailing = reason !== null;
  };
}
