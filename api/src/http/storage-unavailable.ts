import { errorText } from '@plimsoll/contract/rules/error-text';
import { CodedError } from '../errors.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../telemetry/logger.ts';

/**
 * SQLSTATE classes of a database that cannot serve anybody now: 08 connection, 53 resources (disk, memory,
 * connections), 57P operator intervention (shutdown, starting up), 58 system error. 25006 is a read-only standby.
 */
const SQLSTATES = /^(?:08...|53...|57P..|58...|25006)$/;
/**
 * SQLSTATEs of a database that is too busy with others for this statement: it takes too long, waits too long for a lock,
 * or lost a deadlock or a conflict. The same request succeeds later.
 */
const BUSY_SQLSTATES = /^(?:57014|55P03|40P01|40001)$/;
const SYSTEM_CODES: readonly string[] = ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'];
/** Prisma: not reachable, timed out, operation timed out, connection closed, pool timeout. */
const PRISMA_CODES: readonly string[] = ['P1001', 'P1002', 'P1008', 'P1017', 'P2024'];
/** Errors of pg and pg-pool that carry no code. */
const MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/m;
/** System calls of a connection. A missing file is ENOENT too, of `open`. */
const CONNECTION_CALLS: readonly unknown[] = ['connect', 'read', 'write'];
const MOST_CAUSES = 8;

const isOfPrisma = ({ name }: Record<string, unknown>): boolean =>
  typeof name === 'string' && (name.startsWith('Prisma') || name === 'DriverAdapterError');
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function isOwnFailure(error: Record<string, unknown>): boolean {
  const { code, errorCode, originalCode, message, syscall } = error;
  if ([code, errorCode].some((one) => typeof one === 'string' && PRISMA_CODES.includes(one))) return true;
  if ([code, originalCode].some((one) => typeof one === 'string' && SQLSTATES.test(one))) return true;
  // Prisma keeps the code and loses the system call; so does the AggregateError of a name with several addresses.
  if (typeof code === 'string' && SYSTEM_CODES.includes(code))
    return CONNECTION_CALLS.includes(syscall) || error instanceof AggregateError || isOfPrisma(error);
  return typeof message === 'string' && error instanceof Error && MESSAGES.test(message);
}

/**
 * Returns the error inside a wrapper of Prisma. Causes of other errors are not followed: `fetch` fails with
 * ECONNREFUSED as well.
 */
function wrappedBy(error: Record<string, unknown>): unknown {
  const { cause, meta } = error;
  if (isRecord(meta) && 'driverAdapterError' in meta) return meta['driverAdapterError'];
  return isOfPrisma(error) ? cause : undefined;
}

/** Returns true if the database is stopped, starting, full, read-only or unreachable. */
export const isStorageUnavailable = (error: unknown): boolean => isOrWraps(error, isOwnFailure);

/** Returns true if the database takes too long because of its load. */
const isStorageBusy = (error: unknown): boolean =>
  isOrWraps(error, ({ code, originalCode }) =>
    [code, originalCode].some((one) => typeof one === 'string' && BUSY_SQLSTATES.test(one)),
  );

function isOrWraps(error: unknown, isIt: (error: Record<string, unknown>) => boolean): boolean {
  let current = error;
  for (let i = 0; i < MOST_CAUSES && isRecord(current); i += 1) {
    if (isIt(current)) return true;
    current = wrappedBy(current);
  }
  return false;
}

/** Seconds, drawn at random so that collectors do not all come back at once. */
const RETRY_AFTER = { least: 5, most: 30 } as const;
const LOG_EVERY_MS = 1000;

/**
 * Turns failures of the database into `storage_unavailable`, or `took_too_long` if it is busy, and logs at most one of
 * them a second.
 */
export class StorageFailures {
  readonly #log: Pick<Logger, 'error'>;
  readonly #clock: Clock;
  readonly #random: () => number;
  #loggedAt = -Infinity;
  #suppressed = 0;

  constructor(log: Pick<Logger, 'error'>, clock: Clock, random: () => number = Math.random) {
    this.#log = log;
    this.#clock = clock;
    this.#random = random;
  }

  /** Returns null for any other error. */
  explain(error: unknown, context: { requestId: string; route: string }): CodedError | null {
    const isBusy = isStorageBusy(error);
    if (!isBusy && !isStorageUnavailable(error)) return null;
    this.#report(error, isBusy ? 'the database takes too long' : 'the database is not available', context);
    const seconds = RETRY_AFTER.least + Math.floor(this.#random() * (RETRY_AFTER.most - RETRY_AFTER.least + 1));
    const [code, detail] = isBusy
      ? (['took_too_long', 'The database took too long'] as const)
      : (['storage_unavailable', 'The database is not available'] as const);
    return new CodedError(code, detail, {
      remedy: `Try again in ${String(seconds)} s.`,
      retryAfterSeconds: seconds,
    });
  }

  #report(error: unknown, message: string, context: { requestId: string; route: string }): void {
    const now = this.#clock.now();
    // A clock set back must not silence the log.
    if (now >= this.#loggedAt && now - this.#loggedAt < LOG_EVERY_MS) {
      this.#suppressed += 1;
      return;
    }
    // Prisma puts the call first and the reason last.
    const reason = errorText(error).trim().split('\n').at(-1);
    this.#log.error({ reason, ...context, suppressed: this.#suppressed }, message);
    this.#loggedAt = now;
    this.#suppressed = 0;
  }
}
