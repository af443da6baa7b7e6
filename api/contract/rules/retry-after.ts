/** Longest Retry-After that is obeyed: the other side may be wrong, and nothing is read or sent meanwhile. Seconds. */
export const LONGEST_RETRY_AFTER = {
  /** Readers of the API server, of metrics-server and of Prometheus. */
  reader: 60,
  /** Collectors towards Plimsoll. */
  collector: 600,
} as const;

const SECONDS = /^\d+(?:\.\d+)?$/;
/** The three forms of a date in HTTP; Date.parse alone reads numbers such as "-3" as a year. */
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w :-]{15,40}$/;

/**
 * Parses the header Retry-After: seconds from 0 to `mostSeconds`, from a number or a date. A date in the past is 0. Null:
 * there is none, or it cannot be read, so the caller's own backoff counts.
 */
export function retryAfterSeconds(
  text: string | null | undefined,
  { nowMs, mostSeconds }: { nowMs: number; mostSeconds: number },
): number | null {
  const header = text?.trim() ?? '';
  const seconds = SECONDS.test(header) ? Number(header) : DATE.test(header) ? (Date.parse(header) - nowMs) / 1000 : NaN;
  return Number.isNaN(seconds) ? null : Math.min(mostSeconds, Math.max(0, seconds));
}
