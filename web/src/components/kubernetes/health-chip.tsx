import { styled } from '@mui/material/styles';
import type { ClusterHealth } from './cluster-health.ts';
import { Chip } from '../chips.tsx';
import { LevelIcon, StatusIcon } from '../status-icons.tsx';

const Chips = styled('span')({ display: 'inline-flex', flexWrap: 'wrap', gap: 6 });
const TONE = { Healthy: 'plain', Degraded: 'near', Warning: 'near', Critical: 'over', Unknown: 'plain' } as const;

interface HealthChipProps {
  health: ClusterHealth;
  reasons: string;
  /** "2 pods crash-looping": they leave the health as it is, so they stand beside it. */
  crashing?: string | null;
}

/** The state of a cluster; its causes on hover and, as a sentence, beside it on the page. */
export function HealthChip({ health, reasons, crashing = null }: HealthChipProps) {
  return (
    <Chips>
      <Chip tone={TONE[health]} title={reasons}>
        {health === 'Healthy' && <StatusIcon status="active" />}
        {health === 'Unknown' && <StatusIcon status="offline" />}
        {(health === 'Warning' || health === 'Degraded') && <LevelIcon level="warning" size={13} />}
        {health === 'Critical' && <LevelIcon level="critical" size={13} />}
        {health}
      </Chip>
      {crashing !== null && (
        <Chip tone="over" title={reasons}>
          <LevelIcon level="error" size={13} />
          {crashing}
        </Chip>
      )}
    </Chips>
  );
}
