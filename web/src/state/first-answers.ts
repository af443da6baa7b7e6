import { SECOND_MS } from '@plimsoll/contract/rules/durations';

/** Later the page has changed since its document was sent, and an answer of then would be old. */
const FIRST_MS = 10_000;

interface FirstCalls {
  /** The session that sent them: another one must not get its answers. */
  token: string;
  answers: Map<string, Promise<Response>>;
}
type Page = typeof globalThis & { firstCalls?: FirstCalls };

const START = /\bstart_date=(\d+)/;
const startOf = (address: string): number => Number(START.exec(address)?.[1] ?? 0);

/** Returns the address of the sent call that asks for the same: one that begins at most as long ago as the page is old, too. */
function sentAddress(address: string, sent: Iterable<string>): string {
  const alike = address.replace(START, '');
  const isSame = (one: string) =>
    one.replace(START, '') === alike && Math.abs(startOf(one) - startOf(address)) * SECOND_MS <= FIRST_MS;
  return [...sent].find(isSame) ?? address;
}

/**
 * Returns the answer of a call that the document of this page has sent already (public/start.js) for the same session;
 * undefined if it sent no such call, or the answer is an error. Each answer is given once: the next request needs a new one.
 */
export function takeFirstAnswer(
  address: string,
  token: string | null,
  page: Page = globalThis,
): Promise<Response | undefined> | undefined {
  const { firstCalls } = page;
  if (firstCalls === undefined) return undefined;
  const key = sentAddress(address, firstCalls.answers.keys());
  const sent = firstCalls.token === token ? firstCalls.answers.get(key) : undefined;
  firstCalls.answers.delete(key);
  const answer = sent?.then(
    (response) => (response.ok ? response : undefined),
    () => undefined,
  );
  return performance.now() < FIRST_MS ? answer : undefined;
}
