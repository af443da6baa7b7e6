import type { IngestWatch } from '../alerts/store.ts';

/** For tests of other things than pauses: the installation has received reports all along. */
export const ALWAYS_RECEIVING: IngestWatch = {
  look: (now) => Promise.resolve({ seenAt: now, receivedAt: now, pausedUntil: 0 }),
  judge: (work) => work(),
};
