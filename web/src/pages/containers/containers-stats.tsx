import type { ContainersSummary } from '@plimsoll/contract/wire/containers';
import type { Band } from '@plimsoll/contract/rules/headroom';
import { cssVars } from '../../components/css-vars.ts';
import { StatGrid, StatTile } from '../../components/stat-tile.tsx';
import { numberText, plural } from '../../format/figures.ts';

/** Counts over all containers in the scope, whatever the filters. */
export function ContainersStats({ summary }: { summary: ContainersSummary | undefined }) {
  const value = (count: number | undefined) => (count === undefined ? '…' : numberText(count));
  const band = (count: number | undefined, worst: Band): Band => ((count ?? 0) > 0 ? worst : 'ok');
  return (
    <StatGrid style={cssVars({ columns: 6 })} role="group" aria-label="Containers">
      <StatTile
        low
        label="Containers"
        value={value(summary?.total)}
        fact={summary && `on ${plural(summary.hosts, 'host')}`}
      />
      <StatTile low label="Running" value={value(summary?.running)} />
      <StatTile low label="Broken" value={value(summary?.broken)} band={band(summary?.broken, 'over')} marked />
      <StatTile
        low
        label="Over the memory line"
        value={value(summary?.over_line)}
        band={band(summary?.over_line, 'over')}
        marked
        fact="of their limit"
      />
      <StatTile
        low
        label="Within 20 points"
        value={value(summary?.near_line)}
        band={band(summary?.near_line, 'near')}
        marked
      />
      <StatTile low label="No limit" value={value(summary?.no_limit)} fact="could take a host" />
    </StatGrid>
  );
}
