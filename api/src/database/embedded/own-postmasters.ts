import { isAlive, postmasterOf, stopPostmaster } from './postmaster.ts';

/** Postmasters this process started or took over, by the folder of their cluster; the pid is that of the start. */
const own = new Map<string, number | null>();
let isEnding = false;

/** Returns true when this process is about to end: a postmaster that ends now must not be started again. */
export const processIsEnding = (): boolean => isEnding;

/** Registers a postmaster, so that this process does not end without it. */
export function ownPostmaster(cluster: string, pid: number | null): void {
  if (own.size === 0) process.once('exit', interruptOwnPostmasters);
  own.set(cluster, pid ?? own.get(cluster) ?? null);
}

/** Returns it to whoever else uses it. */
export function disownPostmaster(cluster: string): void {
  own.delete(cluster);
  if (own.size === 0) process.off('exit', interruptOwnPostmasters);
}

/** An end that nothing else announces, such as an uncaught error, must not leave a database behind. */
function interruptOwnPostmasters(): void {
  for (const [cluster, started] of own) {
    const pid = postmasterOf(cluster) ?? started;
    if (pid !== null && isAlive(pid)) process.kill(pid, 'SIGINT');
  }
}

/** Stops the postmaster of one cluster and waits for its end. */
export async function stopOwnPostmaster(cluster: string, timeoutMs: number): Promise<void> {
  // One that was just spawned has not written its pid file yet.
  await stopPostmaster(cluster, timeoutMs, own.get(cluster) ?? null);
  disownPostmaster(cluster);
}

/** Stops what a start that is given up has started. */
export async function stopOwnPostmasters(timeoutMs = 30_000): Promise<void> {
  await Promise.all([...own.keys()].map((cluster) => stopOwnPostmaster(cluster, timeoutMs)));
}

/** Stops all of them because the process ends. A start that is still under way starts none after it. */
export async function endOwnPostmasters(): Promise<void> {
  isEnding = true;
  await stopOwnPostmasters();
}
