import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import type { SourceHealth } from '@plimsoll/contract/wire/report';
import type { KernelLimits } from '@plimsoll/contract/wire/servers';
import { Figure } from '../../../components/figure.tsx';
import { numberText } from '../../../format/figures.ts';
import { limitsExport } from './detail-exports.ts';
import { DetailTable } from './detail-table.tsx';
import { clockText, type LimitRow, limitRows } from './limit-rows.ts';

const COLUMNS = [
  { name: 'Limit' },
  { name: 'In use', right: true },
  { name: 'Share', right: true },
  { name: 'Most', right: true },
];

/** The figures of a row. One reason stands for all that are missing. */
function Use({ row: { used, max, percent }, reason }: { row: LimitRow; reason: string }) {
  if (used === null)
    return (
      <TableCell colSpan={3} align="right">
        <Figure value={null} reason={reason} />
      </TableCell>
    );
  return (
    <>
      <TableCell align="right">
        <Figure value={numberText(used)} />
      </TableCell>
      {max === null ? (
        <TableCell colSpan={2} align="right">
          <Figure value={null} reason="the kernel sets no limit" />
        </TableCell>
      ) : (
        <>
          <TableCell align="right">
            <Figure value={percent?.toFixed(1) ?? null} unit="%" />
          </TableCell>
          <TableCell align="right">
            <Figure value={numberText(max)} />
          </TableCell>
        </>
      )}
    </>
  );
}

interface LimitsTableProps {
  subject: string;
  limits: KernelLimits;
  sources: Readonly<Record<string, SourceHealth>>;
}

/** The use of the kernel's limits, and the state of its clock. */
export function LimitsTable({ subject, limits, sources }: LimitsTableProps) {
  const rows = limitRows(limits);
  return (
    <DetailTable
      title="Kernel limits"
      note={clockText(limits)}
      columns={COLUMNS}
      subject={subject}
      exported={() => limitsExport(rows)}
    >
      {rows.map((row) => (
        <TableRow key={row.name}>
          <TableCell component="th" scope="row">
            {row.name}
          </TableCell>
          <Use row={row} reason={sources[row.source]?.error ?? 'the last report does not contain it'} />
        </TableRow>
      ))}
    </DetailTable>
  );
}
