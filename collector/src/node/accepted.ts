import type { Disk } from '../runtime/disk.ts';
import { orNull } from '../runtime/or-null.ts';

/** Written anew whenever the dashboard accepts a report: its age is what the pod's readiness looks at. */
export const ACCEPTED_FILE = 'accepted';

/** To be called after every attempt to send; writes only when something was accepted since. */
export function acceptedKeeper(disk: Disk, sender: { readonly acceptedAt: number | null }): () => void {
  let written: number | null = null;
  return () => {
    if (sender.acceptedAt === written) return;
    written = sender.acceptedAt;
    // A full disk is no reason to stop; the spool has said so already.
    orNull(() => disk.replace(ACCEPTED_FILE, String(written), false));
  };
}
