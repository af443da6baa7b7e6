import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import { sensorSubject } from '@plimsoll/contract/rules/servers/hidden-parts';
import type { TemperaturePart } from '@plimsoll/contract/wire/report';
import { Figure } from '../../../components/figure.tsx';
import { plural } from '../../../format/figures.ts';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { HideCell, useHideColumn } from '../hiding/hiding.tsx';
import { temperaturesExport } from './detail-exports.ts';
import { DetailTable } from './detail-table.tsx';

const COLUMNS = [
  { name: 'Sensor' },
  { name: 'Chip', wide: true },
  { name: 'Now', right: true },
  { name: 'Critical at', right: true },
];
/** Rows shown first; a button shows the rest. */
const FIRST = 8;

const hottest = (a: TemperaturePart, b: TemperaturePart) => b.celsius - a.celsius;

/** Sensors of the machine, the hottest first. */
export function TemperaturesTable({
  subject,
  temperatures,
}: {
  subject: string;
  temperatures: readonly TemperaturePart[];
}) {
  return (
    <DetailTable
      title="Temperatures"
      note={plural(temperatures.length, 'sensor')}
      columns={[...COLUMNS, ...useHideColumn()]}
      subject={subject}
      exported={() => temperaturesExport(temperatures.toSorted(hottest))}
      first={FIRST}
    >
      {temperatures.toSorted(hottest).map(({ chip, label, celsius, critical_celsius: critical }, place) => (
        // By its place: collectors of before name two drives or processors of a kind alike.
        <TableRow key={place}>
          <TableCell component="th" scope="row">
            {escapeInvisible(label)}
            <div className="small quiet">{escapeInvisible(chip)}</div>
          </TableCell>
          <TableCell className="wide quiet">{escapeInvisible(chip)}</TableCell>
          <TableCell align="right">
            <Figure value={celsius.toFixed(0)} unit="°C" />
          </TableCell>
          <TableCell align="right">
            <Figure value={critical?.toFixed(0) ?? null} unit="°C" reason="not reported" />
          </TableCell>
          <HideCell kind="sensor" subject={sensorSubject({ chip, label })} />
        </TableRow>
      ))}
    </DetailTable>
  );
}
