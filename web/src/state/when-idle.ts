/**
 * Runs something that the shown page does not need yet, once the browser has drawn it and has nothing else to do; at once
 * in a browser that cannot say so. Returns what cancels it.
 */
export function whenIdle(run: () => void): () => void {
  if (typeof window.requestIdleCallback !== 'function') {
    run();
    return () => undefined;
  }
  const id = window.requestIdleCallback(run);
  return () => window.cancelIdleCallback(id);
}
