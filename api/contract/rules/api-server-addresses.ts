/** Addresses of API servers that a report may hold and that the API keeps of one cluster. */
export const MOST_ADDRESSES = 16;

/** Returns both lists as one, the newest first: replicas of one control plane answer in turn. */
export const joinAddresses = (known: readonly string[], found: readonly string[]): string[] =>
  [...new Set([...found, ...known])].slice(0, MOST_ADDRESSES);
