/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

export interface BroadcastListener {
  onMessage: (text: string) => void;
  /** Runs when listening resumes after an interruption. Messages in between are lost. */
  onGap: () => void;
}

/** Messages to the other processes on the same database; at most 8,000 bytes, delivered or lost. */
export interface Broadcast {
  send(text: string): Promise<void>;
  /** Receives the messages of other processes. Returns a function that stops listening. */
  listen(listener: BroadcastListener): Promise<() => Promise<void>>;
}
