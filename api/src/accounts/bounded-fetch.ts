import { atMost } from '../egress.ts';

/** More than any real answer of a sign-in provider. */
const MOST_BYTES = 1_000_000;

/** The client of OpenID Connect passes absent parts as undefined. */
type Init = { [Part in keyof RequestInit]?: RequestInit[Part] | undefined };

/**
 * Fetches from a sign-in provider. Reading an answer over the limit fails, after it is inflated, so that no provider fills the
 * memory within the time limit.
 */
export async function boundedFetch(url: string, init: Init): Promise<Response> {
  const answer = await fetch(url, init as RequestInit);
  return answer.body === null ? answer : new Response(answer.body.pipeThrough(atMost(MOST_BYTES)), answer);
}
