/** A busy browser may have no idle moment at all. */
const LATEST_MS = 3000;

/**
 * Runs something that the shown page does not need yet, once the browser has drawn it and has nothing else to do, or after
 * 3 s; at once in a browser that cannot say so. Returns what cancels it.
 */
export function whenIdle(run: () => void): () => void {
  if (typeof window.requestIdleCallback !== 'function') {
    run();
    return () => undefined;
  }
  const id = window.requestIdleCallback(run, { timeout: LATEST_MS });
  return () => window.cancelIdleCallback(id);
}
