/** Milliseconds before a script that failed to load is requested again. */
const PAUSE_MS = 500;

/**
 * Loads the script, and once more if the first try fails: a connection that breaks for a moment must not replace
 * the page with an error. Throws the second error.
 */
export async function loadScript<Script>(load: () => Promise<Script>, pauseMs = PAUSE_MS): Promise<Script> {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => {
      setTimeout(resolve, pauseMs);
    });
    return load();
  }
}
