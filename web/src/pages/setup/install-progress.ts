import { boundedPercentOf } from '@plimsoll/contract/rules/percent-of';
import { UI } from '../../api/polling.ts';

export type Target = 'linux' | 'macos' | 'kubernetes';
const STAGES = ['installing', 'starting', 'connecting', 'ready'] as const;
export type Stage = (typeof STAGES)[number];

/** The chosen installation; its times follow from it. */
export interface InstallPlan {
  target: Target;
  /** Set on the Kubernetes tab. */
  prometheus: boolean;
}

/** Milliseconds after the command was copied at which each stage begins; a server has no stages in between. */
export function stageTimes({ target, prometheus }: InstallPlan): { stage: Stage; atMs: number }[] {
  if (target !== 'kubernetes')
    return [
      { stage: 'installing', atMs: 0 },
      { stage: 'ready', atMs: UI.setupProgress.plain },
    ];
  return [
    { stage: 'installing', atMs: 0 },
    { stage: 'starting', atMs: UI.setupStage.starting },
    { stage: 'connecting', atMs: prometheus ? UI.setupStage.connectingWithPrometheus : UI.setupStage.connecting },
    { stage: 'ready', atMs: prometheus ? UI.setupProgress.prometheus : UI.setupProgress.plain },
  ];
}

/** `elapsedMs` null: nothing copied yet. */
export function progressAt(plan: InstallPlan, elapsedMs: number | null): { percent: number; stage: Stage } {
  const times = stageTimes(plan);
  const whole = times.at(-1)?.atMs ?? UI.setupProgress.plain;
  const elapsed = Math.max(0, elapsedMs ?? 0);
  const stage = times.findLast(({ atMs }) => elapsed >= atMs)?.stage ?? 'installing';
  return { percent: boundedPercentOf(elapsed, whole) ?? 0, stage };
}
