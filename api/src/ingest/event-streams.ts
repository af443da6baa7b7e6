/** `signed_out`: the browser must not come back; `restart`: it may at once, and asks again who it is. */
export type StreamEnd = 'signed_out' | 'restart';
type End = (why: StreamEnd) => void;

/** The open event streams of this process, so that a sign-out or a shutdown ends them at once. */
export class EventStreams {
  readonly #open = new Map<string, Set<End>>();
  #relay: (sessionId: string) => void = () => {};

  get size(): number {
    let size = 0;
    for (const streams of this.#open.values()) size += streams.size;
    return size;
  }

  /** Returns what forgets the stream again. */
  add(sessionId: string, end: End): () => void {
    const streams = this.#open.get(sessionId) ?? new Set();
    this.#open.set(sessionId, streams.add(end));
    return () => {
      streams.delete(end);
      if (streams.size === 0) this.#open.delete(sessionId);
    };
  }

  /** The session is over: its streams end here and, through `relay`, in the other processes. */
  endSession(sessionId: string): void {
    this.endHere(sessionId);
    this.#relay(sessionId);
  }

  /** In this process only: another one signed the session out. */
  endHere(sessionId: string): void {
    for (const end of this.#open.get(sessionId) ?? []) end('signed_out');
  }

  relayTo(relay: (sessionId: string) => void): void {
    this.#relay = relay;
  }

  /** The sessions live on: browsers connect again by themselves. */
  restartAll(): void {
    for (const streams of this.#open.values()) for (const end of streams) end('restart');
  }
}
