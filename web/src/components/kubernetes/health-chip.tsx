import type { ClusterHealth } from './cluster-health.ts';
import { Chip } from '../chips.tsx';
import { LevelGlyph, StatusGlyph } from '../status-icons.tsx';

const TONE = { Healthy: 'plain', Warning: 'near', Critical: 'over' } as const;

/** The state of a cluster; its causes on hover and, as a sentence, beside it on the page. */
export function HealthChip({ health, reasons }: { health: ClusterHealth; reasons: string }) {
  return (
    <Chip tone={TONE[health]} title={reasons}>
      {health === 'Healthy' && <StatusGlyph status="active" />}
      {health === 'Warning' && <LevelGlyph level="warning" size={13} />}
      {health === 'Critical' && <LevelGlyph level="critical" size={13} />}
      {health}
    </Chip>
  );
}
