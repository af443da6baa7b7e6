import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import type { LoadPart, PressurePart } from '@plimsoll/contract/wire/report';
import { Figure } from '../../../components/figure.tsx';
import { loadText, type PressureRow, pressureRows } from './pressure-rows.ts';
import { pressureExport } from './detail-exports.ts';
import { DetailTable } from './detail-table.tsx';

const COLUMNS = [
  { name: 'Waiting for' },
  { name: 'Tasks' },
  { name: '10 s', right: true },
  { name: '1 min', right: true },
  { name: '5 min', right: true },
];

function Row({ row: { resource, tasks, shares } }: { row: PressureRow }) {
  return (
    <TableRow>
      <TableCell component="th" scope="row">
        {resource}
      </TableCell>
      <TableCell className="quiet">{tasks}</TableCell>
      {shares === null ? (
        <TableCell colSpan={3} align="right">
          <Figure value={null} reason="not available from this kernel" />
        </TableCell>
      ) : (
        shares.map((share, window) => (
          <TableCell key={window} align="right">
            <Figure value={share?.toFixed(2) ?? null} unit="%" reason="this agent does not send it" />
          </TableCell>
        ))
      )}
    </TableRow>
  );
}

interface PressureTableProps {
  subject: string;
  load: LoadPart | null;
  pressure: PressurePart | null;
  cores: number | null;
}

/** Share of time in which tasks waited for a resource, and the load averages above it. */
export function PressureTable({ subject, load, pressure, cores }: PressureTableProps) {
  const rows = pressure === null ? [] : pressureRows(pressure);
  return (
    <DetailTable
      title="Pressure"
      note={load === null ? undefined : loadText(load, cores)}
      columns={COLUMNS}
      subject={subject}
      exported={() => pressureExport(rows)}
    >
      {pressure === null ? (
        <TableRow>
          <TableCell colSpan={COLUMNS.length}>
            <Figure value={null} reason="the last report contains no pressure figures" />
          </TableCell>
        </TableRow>
      ) : (
        rows.map((row) => <Row key={`${row.resource} ${row.tasks}`} row={row} />)
      )}
    </DetailTable>
  );
}
