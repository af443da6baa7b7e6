import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import type { SourceHealth } from '@plimsoll/contract/wire/report';
import type { KernelLimits } from '@plimsoll/contract/wire/servers';
import { Figure } from '../../../components/figure.tsx';
import { numberText } from '../../../format/figures.ts';
import { limitsExport } from './detail-exports.ts';
import { DetailTable } from './detail-table.tsx';
import { clockText, limitRows } from './limit-rows.ts';

const COLUMNS = [
  { name: 'Limit' },
  { name: 'In use', right: true },
  { name: 'Most', right: true },
  { name: 'Share', right: true },
];

interface LimitsTableProps {
  subject: string;
  limits: KernelLimits;
  sources: Readonly<Record<string, SourceHealth>>;
}

/** What is in use of the limits of the kernel, and whether its clock is synchronised. */
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
      {rows.map(({ name, used, max, percent, source }) => {
        const reason =
          used === null
            ? (sources[source]?.error ?? 'the last report does not contain it')
            : 'the kernel sets no limit';
        return (
          <TableRow key={name}>
            <TableCell component="th" scope="row">
              {name}
            </TableCell>
            <TableCell align="right">
              <Figure value={numberText(used)} reason={reason} />
            </TableCell>
            <TableCell align="right">
              <Figure value={numberText(max)} reason={reason} />
            </TableCell>
            <TableCell align="right">
              <Figure value={percent?.toFixed(1) ?? null} unit="%" reason={reason} />
            </TableCell>
          </TableRow>
        );
      })}
    </DetailTable>
  );
}
