import { CodedError } from '../../errors.ts';

/** Returns the refusal of a rate, sent with Retry-After. */
export const tooMany = (waitSeconds: number): CodedError =>
  new CodedError('too_many_requests', 'Too many requests', {
    remedy: `Try again in ${String(Math.max(1, Math.ceil(waitSeconds)))} s.`,
    retryAfterSeconds: waitSeconds,
  });
