import type { KubernetesNode } from '@plimsoll/contract/wire/kubernetes';
import { bandOf } from '@plimsoll/contract/rules/headroom';
import { CapacityBar } from '../../components/fleet/capacity-bar.tsx';
import { StatGrid, StatTile } from '../../components/stat-tile.tsx';
import { uptimeText } from '../../time/age.ts';
import { cssVars } from '../../components/css-vars.ts';
import { numberText } from '../../format/figures.ts';
import { percentText } from '../../components/kubernetes/kubernetes-words.ts';
import { originText } from '../../components/kubernetes/usage-origin.ts';
import { day } from '../../time/zone.ts';

const LABEL = { cpu: 'CPU Usage', memory: 'Memory Usage', disk: 'Disk Usage' } as const;

function factOf(node: KubernetesNode, resource: keyof typeof LABEL): string | undefined {
  if (resource === 'disk') return undefined;
  const percent = node.requested[`${resource}_percent`];
  const limited = node.limited[`${resource}_percent`];
  if (percent === null) return undefined;
  return `${numberText(percent)} % requested${limited === null ? '' : `, limits ${numberText(limited)} %`}`;
}

function Usage({ node, resource }: { node: KubernetesNode; resource: keyof typeof LABEL }) {
  const value = node.metrics[`${resource}_usage`];
  const { warning: line, critical } = node.lines[resource];
  return (
    <StatTile
      label={LABEL[resource]}
      value={percentText(value)}
      unit="%"
      reason={node.origins[`${resource}_usage`].reason}
      band={value !== null && bandOf(value, line) === 'over' ? 'over' : 'ok'}
      bar={<CapacityBar name={LABEL[resource]} value={value} line={line} critical={critical} />}
      aside={originText(node.origins[`${resource}_usage`]) ?? undefined}
      fact={factOf(node, resource)}
    />
  );
}

/** The four cards of a node. */
export function NodeStats({ node }: { node: KubernetesNode }) {
  return (
    <StatGrid style={cssVars({ columns: 4 })}>
      <Usage node={node} resource="cpu" />
      <Usage node={node} resource="memory" />
      <Usage node={node} resource="disk" />
      <StatTile
        label="Uptime"
        value={uptimeText(node.metrics.uptime)}
        reason={node.origins.uptime.reason}
        fact={`in the cluster since ${day(Date.parse(node.created_at))}`}
      />
    </StatGrid>
  );
}
