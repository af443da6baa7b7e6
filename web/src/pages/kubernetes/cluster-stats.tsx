import { styled } from '@mui/material/styles';
import type { ClusterOverviewAnswer, Origin } from '@plimsoll/contract/wire/kubernetes';
import { CapacityBar } from '../../components/fleet/capacity-bar.tsx';
import { Chip } from '../../components/chips.tsx';
import { StatGrid, StatTile } from '../../components/stat-tile.tsx';
import { HEALTH_LINE } from '../../components/kubernetes/cluster-health.ts';
import { cssVars } from '../../components/css-vars.ts';
import { numberText } from '../../format/figures.ts';
import { distanceSentence } from '@plimsoll/contract/rules/load-words';
import { originText } from '../../components/kubernetes/usage-origin.ts';

const Chips = styled('span')({ display: 'flex', flexWrap: 'wrap', gap: 6 });

function Average({ label, value, origin }: { label: string; value: number | null; origin: Origin }) {
  return (
    <StatTile
      label={label}
      aside={value === null ? undefined : (originText(origin) ?? undefined)}
      value={numberText(value, 1)}
      unit="%"
      reason={origin.reason ?? 'no usage data'}
      band={value !== null && value >= HEALTH_LINE ? 'over' : 'ok'}
      bar={<CapacityBar name={label} value={value === null ? null : Math.min(100, value)} line={HEALTH_LINE} />}
      fact={
        value === null
          ? undefined
          : distanceSentence(HEALTH_LINE - value).replace(/^(\S+) (below|over)/, '$1 points $2')
      }
    />
  );
}

/** The four summary cards. */
export function ClusterStats({ overview }: { overview: ClusterOverviewAnswer }) {
  const { total_nodes: nodes, ready_nodes: ready, aggregate_metrics: averages, aggregate_origin: origin } = overview;
  return (
    <StatGrid style={cssVars({ columns: 4 })}>
      <StatTile
        label="Nodes"
        value={numberText(nodes)}
        bar={
          <Chips>
            <Chip>{numberText(ready)} Ready</Chip>
            {ready < nodes && <Chip tone="over">{numberText(nodes - ready)} Not Ready</Chip>}
          </Chips>
        }
      />
      <StatTile
        label="Pods"
        value={numberText(overview.total_pods)}
        bar={
          <Chips>
            <Chip>{numberText(overview.running_pods)} Running</Chip>
            {overview.pending_pods > 0 && <Chip tone="near">{numberText(overview.pending_pods)} Pending</Chip>}
            {overview.failed_pods > 0 && <Chip tone="over">{numberText(overview.failed_pods)} Failed</Chip>}
          </Chips>
        }
      />
      <Average label="Avg CPU Usage" value={averages.avg_cpu_usage} origin={origin} />
      <Average label="Avg Memory Usage" value={averages.avg_memory_usage} origin={origin} />
    </StatGrid>
  );
}
