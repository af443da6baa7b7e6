/** Ctrl-C of `npm start` reaches the process two or three times: from the terminal, from npm and from a parent. */
const ONE_SIGNAL_MS = 1000;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type StopSignal = (typeof SIGNALS)[number];

/**
 * Calls `stop` at the first signal. Signals within a second count as one; a later one does not wait, and ends the process
 * with `exit`. Returns a function that removes the handlers.
 */
export function onStopSignal(stop: (signal: StopSignal) => void, exit: () => void = () => process.exit(1)): () => void {
  let state: 'running' | 'stopping' | 'impatient' = 'running';
  const onSignal = (signal: StopSignal): void => {
    if (state === 'impatient') exit();
    if (state !== 'running') return;
    state = 'stopping';
    // Signals that came while the process was busy are read before the immediate runs.
    const patience = setTimeout(() => setImmediate(() => (state = 'impatient')), ONE_SIGNAL_MS);
    patience.unref();
    stop(signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
}

/** Calls `stop` when standard input ends, which is a pipe from a parent that starts this process: also when it is killed. */
export function onInputEnd(stop: () => void): void {
  process.stdin.once('end', stop).once('error', stop).resume();
}
