import { useSyncExternalStore } from 'react';
import { uptimeText } from '../../time/age.ts';
import { onTick } from '../../time/clock.ts';

interface UptimeProps {
  /** Epoch seconds. */
  since: number;
  /** Null while the process runs. */
  until: number | null;
}

/** Ticks while the process runs; of the past it stands still at the sample, since nobody saw the process after it. */
export function Uptime({ since, until }: UptimeProps) {
  const words = useSyncExternalStore(onTick, () => uptimeText((until ?? Date.now() / 1000) - since) ?? 'Unknown');
  return <>{words}</>;
}
