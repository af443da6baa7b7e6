import { styled } from '@mui/material/styles';
import type { PodPhase } from '@plimsoll/contract/rules/kubernetes-limits';
import { isHeld, phaseTone, stateWords } from './kubernetes-words.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { Chip } from '../chips.tsx';
import { LevelIcon, StatusIcon } from '../status-icons.tsx';

const Pair = styled('span')({ display: 'inline-flex', flexWrap: 'wrap', gap: 4, verticalAlign: 'middle' });

const Clock = () => (
  <svg width="12" height="12" viewBox="0 0 12 12" fill="none" stroke="currentColor" strokeWidth="1.2" aria-hidden>
    <circle cx="6" cy="6" r="5" />
    <path d="M6 3.2V6l2 1.4" />
  </svg>
);

/** A pod in a crash loop is Running, too: green stands only before one that is well. */
function PhaseIcon({ phase, isWell }: { phase: PodPhase; isWell: boolean }) {
  if (phase === 'Pending') return <Clock />;
  if (phase === 'Failed') return <LevelIcon level="critical" size={12} />;
  return <StatusIcon status={phase === 'Running' && isWell ? 'active' : 'uninstalled'} size={9} />;
}

const CHIP_TONE = { ok: 'plain', near: 'near', over: 'over', quiet: 'plain' } as const;

interface PhaseChipProps {
  phase: PodPhase;
  /** A worse truth than the phase; it stands beside it. */
  reason?: string | null;
  /** Stand beside the phase when they say more than it does. */
  ready?: boolean;
  deleting?: boolean;
  /** The count of a summary. */
  count?: string;
}

/** The phase as Kubernetes says it, and beside it why that is not the whole truth. */
export function PhaseChip({ phase, reason = null, ready = true, deleting = false, count }: PhaseChipProps) {
  const state = stateWords({ phase, reason, ready, deleting });
  const shown = isHeld({ phase, reason }) ? null : reason;
  return (
    <Pair>
      <Chip tone={CHIP_TONE[phaseTone(phase)]}>
        <PhaseIcon phase={phase} isWell={state === null && reason === null} />
        {phase}
        {count !== undefined && <b>{count}</b>}
      </Chip>
      {state !== null && (shown === null || deleting) && (
        <Chip tone="near">
          <LevelIcon level="warning" size={12} />
          {state}
        </Chip>
      )}
      {shown !== null && (
        <Chip tone="over">
          <LevelIcon level="error" size={12} />
          {escapeInvisible(shown)}
        </Chip>
      )}
    </Pair>
  );
}
