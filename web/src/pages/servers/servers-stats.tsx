import type { ServersSummary } from '@plimsoll/contract/wire/servers';
import { StatGrid, StatTile } from '../../components/stat-tile.tsx';
import { cssVars } from '../../components/css-vars.ts';
import { numberText } from '../../format/figures.ts';
import { notOnlineText } from '../../format/server-counts.ts';

/** Total, Online, Uninstalled, Kubernetes Nodes: true for the whole fleet. */
export function ServersStats({ summary }: { summary: ServersSummary | undefined }) {
  const value = (count: number | undefined) => (count === undefined ? '…' : numberText(count));
  return (
    <StatGrid style={cssVars({ columns: 4 })} role="group" aria-label="Servers">
      <StatTile low label="Total" value={value(summary?.total)} />
      <StatTile
        low
        label="Online"
        value={value(summary?.online)}
        fact={summary && (notOnlineText(summary) || undefined)}
      />
      <StatTile low label="Uninstalled" value={value(summary?.uninstalled)} />
      <StatTile low label="Kubernetes Nodes" value={value(summary?.kubernetes_nodes)} />
    </StatGrid>
  );
}
