/** For what may be missing on a healthy host: null instead of an error. */
export function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
