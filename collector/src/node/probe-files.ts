import type { AgentOptions } from '../agent.ts';
import type { Disk } from '../runtime/disk.ts';
import { orNull } from '../runtime/or-null.ts';

/** Written anew whenever the dashboard accepts a report: its age is what the pod's readiness looks at. */
export const ACCEPTED_FILE = 'accepted';
/** Written anew after each collection, and while the agent waits to be enrolled: the pod's liveness reads its age. */
export const ALIVE_FILE = 'alive';
const WAITING_MS = 60_000;

// A full disk is no reason to stop; the spool has said so already.
const write = (disk: Disk, file: string, content: string) => void orNull(() => disk.replace(file, content, false));

/** Returns the calls with which the agent keeps both files. */
export function probeFilesKeeper(
  disk: Disk,
  sender: { readonly acceptedAt: number | null },
): Required<Pick<AgentOptions, 'onCollected' | 'onSent'>> {
  let written: number | null = null;
  return {
    onCollected: ({ ts }) => write(disk, ALIVE_FILE, String(ts)),
    onSent: () => {
      if (sender.acceptedAt === written) return;
      written = sender.acceptedAt;
      write(disk, ACCEPTED_FILE, String(written));
    },
  };
}

/** Keeps the pod alive during `work`, which waits for a dashboard that may be away for hours. */
export async function aliveDuring<T>(disk: Disk, work: () => Promise<T>): Promise<T> {
  const beat = () => write(disk, ALIVE_FILE, 'waiting to be enrolled');
  beat();
  const timer = setInterval(beat, WAITING_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
