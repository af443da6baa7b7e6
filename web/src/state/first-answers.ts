/** Later the page has changed since its document was sent, and an answer of then would be old. */
const FIRST_MS = 10_000;

type Page = typeof globalThis & { firstCalls?: Map<string, Promise<Response>> };

/**
 * Returns the answer of a call that the document of this page has sent already (public/start.js); undefined if it sent no
 * such call. Each answer is given once: who requests it again wants a new one.
 */
export function takeFirstAnswer(address: string, page: Page = globalThis): Promise<Response> | undefined {
  const answer = page.firstCalls?.get(address);
  page.firstCalls?.delete(address);
  return performance.now() < FIRST_MS ? answer : undefined;
}
