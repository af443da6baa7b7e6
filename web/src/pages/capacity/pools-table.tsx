import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { percentOf } from '@plimsoll/contract/rules/percent-of';
import type { CapacityCluster, CapacityPool } from '@plimsoll/contract/wire/capacity';
import { trendName } from '../../components/capacity/capacity-words.ts';
import { Figure } from '../../components/figure.tsx';
import { Panel } from '../../components/panel.tsx';
import { BandIcon } from '../../components/status-icons.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { numberText } from '../../format/figures.ts';
import { CapacityScroll } from './capacity-table.tsx';
import { dateWords } from '../../time/calendar-date.ts';

/** Requests, trend and the worst loss of each node pool. */
export function PoolsTable({ cluster: { pools, autoscaler } }: { cluster: CapacityCluster }) {
  const scaled = autoscaler === null ? 'no autoscaler of nodes is seen' : `${autoscaler} may add nodes`;
  return (
    <Panel title="Node pools" note={`by ${[...new Set(pools.map(({ label }) => label))].join(', ')}; ${scaled}`}>
      <CapacityScroll tabIndex={0} role="region" aria-label="Node pools">
        <Table aria-label="Node pools">
          <TableHead>
            <TableRow>
              <TableCell>Pool</TableCell>
              <TableCell className="number">Nodes</TableCell>
              <TableCell className="number">CPU requested</TableCell>
              <TableCell className="number">Memory requested</TableCell>
              <TableCell>Next node due</TableCell>
              <TableCell>Worst loss</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {pools.map((pool) => (
              <Row key={pool.pool} pool={pool} />
            ))}
          </TableBody>
        </Table>
      </CapacityScroll>
    </Panel>
  );
}

function Row({ pool: { pool, nodes, resources, trends, worst } }: { pool: CapacityPool }) {
  const shareOf = (name: 'cpu' | 'memory'): string | null => {
    const row = resources.find(({ resource }) => resource === name);
    return row === undefined ? null : numberText(percentOf(row.requested, row.allocatable), 0);
  };
  const [due] = trends
    .filter(({ date }) => date !== null)
    .toSorted((a, b) => ((a.date ?? '') < (b.date ?? '') ? -1 : 1));
  const isOver = worst?.pending != null && worst.pending > 0;
  return (
    <TableRow>
      <TableCell>
        <b>{escapeInvisible(pool)}</b>
      </TableCell>
      <TableCell data-name="Nodes" className="number">
        {numberText(nodes)}
      </TableCell>
      <TableCell data-name="CPU requested" className="number">
        <Figure value={shareOf('cpu')} unit="%" />
      </TableCell>
      <TableCell data-name="Memory requested" className="number">
        <Figure value={shareOf('memory')} unit="%" />
      </TableCell>
      <TableCell data-name="Next node due" data-wide className="words">
        {due === undefined ? (
          <Figure value={null} reason={trends[0]?.reason ?? 'no history'} />
        ) : (
          <>
            <b>{dateWords(due.date)}</b> <span className="quiet">{trendName(due)}</span>
          </>
        )}
      </TableCell>
      <TableCell data-name="Worst loss" data-wide className="words" data-tone={isOver ? 'over' : undefined}>
        {isOver && <BandIcon band="over" />}
        {worst === null || worst.pending === null ? (
          <Figure
            value={null}
            reason={worst === null ? 'its nodes are not judged' : `${worst.node} cannot be judged`}
          />
        ) : worst.pending === 0 ? (
          <span className="quiet">nobody stays pending</span>
        ) : (
          `${numberText(worst.pending) ?? ''} pending without ${escapeInvisible(worst.node)}`
        )}
      </TableCell>
    </TableRow>
  );
}
