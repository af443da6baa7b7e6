import { CodedError } from '../errors.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../telemetry/logger.ts';

const LOG_EVERY_MS = 1000;

/**
 * Turns the failure to read a body whose sender is gone into `body_cut_off`, and logs at most one a second: a network that
 * loses packets, or somebody hostile, cuts off thousands.
 */
export class CutOffBodies {
  readonly #log: Pick<Logger, 'info'>;
  readonly #clock: Clock;
  #loggedAt = -Infinity;
  #suppressed = 0;

  constructor(log: Pick<Logger, 'info'>, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** `isGone`: the client closed the connection. Returns null for any other error. */
  explain(error: unknown, isGone: boolean, context: { requestId: string; route: string }): CodedError | null {
    const { code, message } = error as { code?: unknown; message?: unknown };
    if (!isGone || (code !== 'ECONNRESET' && message !== 'aborted')) return null;
    const now = this.#clock.now();
    // A clock set back must not silence the log.
    if (now >= this.#loggedAt && now - this.#loggedAt < LOG_EVERY_MS) this.#suppressed += 1;
    else {
      this.#log.info(
        { ...context, suppressed: this.#suppressed },
        'the client closed the connection before its body ended',
      );
      this.#loggedAt = now;
      this.#suppressed = 0;
    }
    return new CodedError('body_cut_off', 'The connection closed before the body ended', {
      remedy: 'Send the request again.',
    });
  }
}
