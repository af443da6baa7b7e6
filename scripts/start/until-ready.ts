import { setTimeout as delay } from 'node:timers/promises';
import type { Started } from './process.ts';

/** A start is given up when it shows no progress for so long. A slow machine may take any time as long as it goes on. */
const QUIET_SECONDS = 120;
const POLL_MS = 100;

export interface StartWatch {
  /** Returns true when the API serves. */
  isReady: () => Promise<boolean>;
  /** Returns a text that changes while the start goes on. */
  progress: () => string;
  now?: () => number;
  pause?: (ms: number) => Promise<unknown>;
}

/** Resolves when the API is ready. Throws when it ends, or when nothing goes on for two minutes. */
export async function untilReady(
  api: Pick<Started, 'exited' | 'name'>,
  { isReady, progress, now = () => performance.now(), pause = (ms) => delay(ms) }: StartWatch,
): Promise<void> {
  let ended: number | null = null;
  void api.exited.then(
    (code) => (ended = code),
    () => (ended = 1),
  );
  let last = { state: progress(), at: now() };
  for (;;) {
    if (ended !== null) throw new Error(`the API ended with exit code ${String(ended)}; its messages are above`);
    if (await isReady()) return;
    const state = progress();
    if (state !== last.state) last = { state, at: now() };
    if (now() - last.at > QUIET_SECONDS * 1000)
      throw new Error(
        `the start went no further for ${String(QUIET_SECONDS)} s: neither the database nor the API did anything. Run with --verbose to see the last step`,
      );
    await pause(POLL_MS);
  }
}

/** Returns true if the API at this address says it is ready. */
export async function isReadyAt(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => null);
  await answer?.body?.cancel();
  return answer?.ok === true;
}
