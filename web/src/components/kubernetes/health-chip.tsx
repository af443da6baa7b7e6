import type { ClusterHealth } from './cluster-health.ts';
import { Chip } from '../chips.tsx';
import { LevelIcon, StatusIcon } from '../status-icons.tsx';

const TONE = { Healthy: 'plain', Warning: 'near', Critical: 'over', Unknown: 'plain' } as const;

/** The state of a cluster; its causes on hover and, as a sentence, beside it on the page. */
export function HealthChip({ health, reasons }: { health: ClusterHealth; reasons: string }) {
  return (
    <Chip tone={TONE[health]} title={reasons}>
      {health === 'Healthy' && <StatusIcon status="active" />}
      {health === 'Unknown' && <StatusIcon status="offline" />}
      {health === 'Warning' && <LevelIcon level="warning" size={13} />}
      {health === 'Critical' && <LevelIcon level="critical" size={13} />}
      {health}
    </Chip>
  );
}
