import Button from '@mui/material/Button';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { CapacityCluster, CapacityLoss } from '@plimsoll/contract/wire/capacity';
import { useState } from 'react';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { numberText } from '../../format/figures.ts';
import { EmptyState } from '../../components/feedback/states.tsx';
import { Figure } from '../../components/figure.tsx';
import { CapacityBar } from '../../components/fleet/capacity-bar.tsx';
import { Panel } from '../../components/panel.tsx';
import { BandIcon } from '../../components/status-icons.tsx';
import { Below, CapacityScroll } from './capacity-table.tsx';
import { whoWords } from '../../components/capacity/capacity-words.ts';

const SHOWN = 8;

/** Effects of the loss of each node, the worst one first. */
export function LossTable({ cluster }: { cluster: CapacityCluster }) {
  const [isWhole, setWhole] = useState(false);
  const rows = isWhole ? cluster.loss : cluster.loss.slice(0, SHOWN);
  const line = cluster.resources.find(({ resource }) => resource === 'memory')?.line_percent ?? null;
  return (
    <Panel title="Loss of each node" note="memory requested on the others">
      {cluster.loss.length === 0 ? (
        <EmptyState sentence="N/A" reason={cluster.reason ?? 'No node can be judged.'} />
      ) : (
        <CapacityScroll tabIndex={0} role="region" aria-label="Loss of each node">
          <Table aria-label="Loss of each node">
            <TableHead>
              <TableRow>
                <TableCell>Without</TableCell>
                <TableCell className="number">Pending</TableCell>
                <TableCell>Memory after</TableCell>
                <TableCell>Who stays pending</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {rows.map((loss) => (
                <Row key={loss.node} loss={loss} line={line} />
              ))}
            </TableBody>
          </Table>
        </CapacityScroll>
      )}
      {cluster.loss.length > rows.length && (
        <Below>
          {numberText(rows.length)} of {numberText(cluster.loss_total)} shown, the worst first.{' '}
          <Button size="small" onClick={() => setWhole(true)}>
            Show {numberText(cluster.loss.length)}
          </Button>
        </Below>
      )}
    </Panel>
  );
}

function Row({ loss, line }: { loss: CapacityLoss; line: number | null }) {
  const { node, pending, reason, memory_percent_after: after } = loss;
  const isOver = pending !== null && pending > 0;
  return (
    <TableRow>
      <TableCell>{escapeInvisible(node)}</TableCell>
      <TableCell data-name="Pending" className="number" data-tone={isOver ? 'over' : undefined}>
        {isOver && <BandIcon band="over" />}
        <Figure value={pending === null ? null : `${reason === null ? '' : '≥ '}${numberText(pending) ?? ''}`} />
      </TableCell>
      <TableCell data-name="Memory after">
        {after === null ? (
          <Figure value={null} reason={reason === null ? 'no other node' : null} />
        ) : (
          <>
            <Figure value={numberText(after)} unit="%" />
            <span className="bar">
              <CapacityBar name={`Memory without ${node}`} value={after} line={line} />
            </span>
          </>
        )}
      </TableCell>
      <TableCell data-name="Who stays pending" data-wide className="words">
        <span className={isOver ? undefined : 'quiet'}>{[whoWords(loss), reason].filter(Boolean).join('. ')}</span>
      </TableCell>
    </TableRow>
  );
}
