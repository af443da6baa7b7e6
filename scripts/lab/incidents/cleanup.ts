import { errorText } from '@plimsoll/contract/rules/error-text';

type Step = () => Promise<unknown>;

const steps: Step[] = [];
let isListening = false;

/** Undoes everything that is still there, the newest first, and ends the program as the signal would have. */
async function undoAll(signal: NodeJS.Signals): Promise<void> {
  for (const step of steps.toReversed())
    await step().catch((error: unknown) => {
      console.error(`plimsoll: ${errorText(error)}`);
    });
  process.exit(signal === 'SIGINT' ? 130 : 143);
}

/** Runs `work`, then `undo`; a signal that comes meanwhile runs `undo` too, so that nothing of the lab is left behind. */
export async function withUndo<T>(undo: Step, work: () => Promise<T>): Promise<T> {
  if (!isListening)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void undoAll(signal));
  isListening = true;
  steps.push(undo);
  try {
    return await work();
  } finally {
    steps.splice(steps.indexOf(undo), 1);
    await undo();
  }
}
