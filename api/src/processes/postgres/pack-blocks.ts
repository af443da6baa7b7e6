// SQL packs the rows of a server and a window of time into one.
import type { Pool, PoolClient } from 'pg';
import { underLock } from '../../database/job-lock.ts';

/** Time that reports of a window have to arrive before it is packed. Later ones are merged into the block. */
const GRACE_MS = 120_000;
/** Blocks per transaction, so that none holds its locks for long. */
export const AT_ONCE = 50;

/** The rows of one server in one window; `at` is the start of the window, ms. */
export interface Window {
  key: number;
  at: number;
}

/** Returns the time before which every window is closed, ms. */
export const closedBefore = (now: number, blockMs: number): number => Math.floor((now - GRACE_MS) / blockMs) * blockMs;

/** Packs the windows that `due` returns, at most `AT_ONCE`, and returns their number; null while another replica packs. */
export const packSome = (
  pool: Pool,
  lock: number,
  due: (client: PoolClient) => Promise<readonly Window[]>,
  packBlock: (client: PoolClient, window: Window) => Promise<void>,
): Promise<number | null> =>
  underLock(
    pool,
    lock,
  )(async (client) => {
    const windows = await due(client);
    for (const window of windows) await packBlock(client, window);
    return windows.length;
  });

/** Repeats `pack` until fewer than `AT_ONCE` blocks were due. Returns their number; null while another replica packs. */
export async function packAll(pack: () => Promise<number | null>): Promise<number | null> {
  let total = 0;
  for (let last = AT_ONCE; last === AT_ONCE;) {
    const done = await pack();
    if (done === null) return null;
    last = done;
    total += done;
  }
  return total;
}
