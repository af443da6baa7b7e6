import type { Clock } from '../runtime/clock.ts';

/** A clock moved by hand: sleeping moves it, nothing waits. */
export interface FakeClock extends Clock {
  advance(seconds: number): void;
  /** Moves the wall clock only, as an operator or NTP does. */
  jumpWall(seconds: number): void;
  /** A reboot: uptime starts again, the wall clock goes on. */
  reboot(offSeconds: number): void;
}

export function fakeClock(wall = 1_795_000_000, up = 5000): FakeClock {
  let [wallNow, upNow] = [wall, up];
  const advance = (seconds: number): void => {
    wallNow += seconds;
    upNow += seconds;
  };
  return {
    wall: () => wallNow,
    up: () => upNow,
    advance,
    jumpWall: (seconds) => {
      wallNow += seconds;
    },
    reboot: (offSeconds) => {
      wallNow += offSeconds;
      upNow = 10;
    },
    sleep: async (seconds, signal) => {
      if (!signal.aborted) advance(Math.max(0, seconds));
    },
  };
}
