import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import type { UnitPart } from '@plimsoll/contract/wire/report';
import { Figure } from '../../../components/figure.tsx';
import { MiddleTruncate } from '../../../components/middle-truncate.tsx';
import { numberText, plural } from '../../../format/figures.ts';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { unitsExport } from './detail-exports.ts';
import { DetailTable } from './detail-table.tsx';

const COLUMNS = [
  { name: 'Unit' },
  { name: 'State' },
  { name: 'Detail', wide: true },
  { name: 'Restarts', right: true },
];
/** Rows shown first; a button shows the rest. */
const FIRST = 8;

const isFailed = ({ state }: UnitPart): boolean => state === 'failed';

const rank = (unit: UnitPart): number => (isFailed(unit) ? 0 : unit.state === 'active' ? 1 : 2);

/** Orders failed units first, then running ones; within a group the most restarted first, then by name. */
export const byConcern = (a: UnitPart, b: UnitPart): number =>
  rank(a) - rank(b) || (b.restarts ?? 0) - (a.restarts ?? 0) || a.name.localeCompare(b.name);

function Row({ unit }: { unit: UnitPart }) {
  return (
    <TableRow data-failed={isFailed(unit) ? '' : undefined}>
      <TableCell component="th" scope="row">
        <MiddleTruncate text={escapeInvisible(unit.name)} tail={8} />
      </TableCell>
      <TableCell className="state">{escapeInvisible(unit.state)}</TableCell>
      <TableCell className="wide quiet">{escapeInvisible(unit.sub_state ?? '')}</TableCell>
      <TableCell align="right">
        <Figure value={numberText(unit.restarts)} reason="this systemd version does not report it" />
      </TableCell>
    </TableRow>
  );
}

/** Services of systemd: what failed first, then what was restarted. */
export function UnitsTable({ subject, units }: { subject: string; units: readonly UnitPart[] }) {
  const failed = units.filter(isFailed).length;
  const note = failed === 0 ? plural(units.length, 'unit') : `${plural(units.length, 'unit')}, ${failed} failed`;
  return (
    <DetailTable
      title="Units"
      note={note}
      columns={COLUMNS}
      subject={subject}
      exported={() => unitsExport(units.toSorted(byConcern))}
      first={Math.max(FIRST, failed)}
    >
      {units.toSorted(byConcern).map((unit) => (
        <Row key={unit.name} unit={unit} />
      ))}
    </DetailTable>
  );
}
