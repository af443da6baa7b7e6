/** User actions on an alert, as the sender needs them. Times are epoch milliseconds. */
export interface ActingState {
  acknowledgedAt: number | null;
  /** The silence that ends last of those that match now. */
  silence: { id: string; endsAt: number } | null;
}

/** A delivery that waits for one alert in one channel. */
interface Waiting {
  state: 'firing' | 'escalated' | 'repeated' | 'resolved' | 'cause';
  /** The channel has delivered this alert as firing. */
  isDelivered: boolean;
}

export type ActingVerdict = { kind: 'send' } | { kind: 'hold'; until: number } | { kind: 'skip' };

/**
 * Returns what the send side does with the messages of one alert. A silence holds them until it ends; an alert that
 * opened and ended in it is never sent. An acknowledgement drops repetitions and nothing else: escalations are sent.
 */
export function judgeActing(acting: ActingState, waiting: readonly Waiting[]): ActingVerdict {
  const { silence, acknowledgedAt } = acting;
  if (silence !== null) {
    const isOver = waiting.some(({ state }) => state === 'resolved');
    const isDelivered = waiting.some((entry) => entry.isDelivered);
    return isOver && !isDelivered ? { kind: 'skip' } : { kind: 'hold', until: silence.endsAt };
  }
  const isRepetition = waiting.length > 0 && waiting.every(({ state }) => state === 'repeated');
  return acknowledgedAt !== null && isRepetition ? { kind: 'skip' } : { kind: 'send' };
}
