import { styled } from '@mui/material/styles';
import type { PodsSummary } from '@plimsoll/contract/wire/kubernetes';
import { POD_PHASES } from '@plimsoll/contract/rules/kubernetes-limits';
import { Chip } from '../../components/chips.tsx';
import { PhaseChip } from '../../components/kubernetes/phase-chip.tsx';
import { numberText } from '../../format/figures.ts';

const Chips = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: 8,
  '& b': { fontWeight: 600, color: theme.vars.palette.text.primary },
  '& [data-tone="near"] b, & [data-tone="over"] b': { color: 'inherit' },
}));

/** Counts of all pods, whatever the page shows of them; a phase nobody is in is left out. */
export function SummaryChips({ summary }: { summary: PodsSummary }) {
  const { phases, total } = summary;
  return (
    <Chips>
      <Chip>
        Total <b>{numberText(total)}</b>
      </Chip>
      {POD_PHASES.filter((phase) => phase === 'Running' || phases[phase] > 0).map((phase) => (
        <PhaseChip key={phase} phase={phase} count={numberText(phases[phase]) ?? '0'} />
      ))}
      <Chip>
        Restarts 24 h <b>{numberText(summary.restarts_24h)}</b>
      </Chip>
      {summary.oom_kills_24h > 0 && (
        <Chip tone="over">
          OOM kills 24 h <b>{numberText(summary.oom_kills_24h)}</b>
        </Chip>
      )}
    </Chips>
  );
}
