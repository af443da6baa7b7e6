/** Later the page has changed since its document was sent, and an answer of then would be old. */
const FIRST_MS = 10_000;

interface FirstCalls {
  /** The session that sent them: another one must not get its answers. */
  token: string;
  answers: Map<string, Promise<Response>>;
}
type Page = typeof globalThis & { firstCalls?: FirstCalls };

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
  const sent = firstCalls?.token === token ? firstCalls?.answers.get(address) : undefined;
  firstCalls?.answers.delete(address);
  const answer = sent?.then(
    (response) => (response.ok ? response : undefined),
    () => undefined,
  );
  return performance.now() < FIRST_MS ? answer : undefined;
}
