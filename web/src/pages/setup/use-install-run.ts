import { useEffect, useState, useSyncExternalStore } from 'react';
import { UI } from '../../api/polling.ts';
import { onTick } from '../../time/clock.ts';
import { progressAt } from './install-progress.ts';
import type { InstallPlan } from './install-progress.ts';

/** Whole seconds since `startedAt`, ticking; null before it began. */
function useElapsedSeconds(startedAt: number | null): number | null {
  return useSyncExternalStore(onTick, () => (startedAt === null ? null : Math.floor((Date.now() - startedAt) / 1000)));
}

interface InstallRunOptions {
  plan: InstallPlan;
  /** Asks whether something connected; the same function on every render, or the check would begin anew. */
  check: () => Promise<unknown>;
}

/**
 * The progress of one installation: copying starts it; at 100 per cent, or when someone asks, it is ready and checks by
 * itself half a second later. `checked` turns true when such a check has been answered.
 */
export function useInstallRun({ plan, check }: InstallRunOptions) {
  const [startedAt, setStartedAt] = useState<number | null>(null);
  const [asked, setAsked] = useState(0);
  const [answered, setAnswered] = useState<number | null>(null);
  const elapsed = useElapsedSeconds(startedAt);
  const byClock = progressAt(plan, elapsed === null ? null : elapsed * 1000);
  const ready = asked > 0 || byClock.stage === 'ready';
  const due = ready && answered !== asked;

  useEffect(() => {
    if (!due) return;
    const timer = setTimeout(() => void check().then(() => setAnswered(asked)), UI.setupCheckAfterReady);
    return () => clearTimeout(timer);
  }, [due, asked, check]);

  return {
    started: startedAt !== null,
    elapsedSeconds: elapsed,
    stage: ready ? ('ready' as const) : byClock.stage,
    percent: ready ? 100 : byClock.percent,
    checked: answered !== null,
    troubled: elapsed !== null && elapsed * 1000 >= UI.setupTroubleAfter,
    start: () => setStartedAt((before) => before ?? Date.now()),
    checkNow: () => setAsked((times) => times + 1),
  };
}
