/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

export interface BroadcastListener {
  onMessage: (text: string) => void;
  /** Listening broke off and goes on: messages in between are lost. */
  onGap: () => void;
}

/** Messages to the other processes on the same database; at most 8,000 bytes, delivered or lost. */
export interface Broadcast {
  send(text: string): Promise<void>;
  /** What other processes send, never one's own. Returns what ends it. */
  listen(listener: BroadcastListener): Promise<() => Promise<void>>;
}
