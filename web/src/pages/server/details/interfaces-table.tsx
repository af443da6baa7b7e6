import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import type { InterfacePart } from '@plimsoll/contract/wire/report';
import { Figure } from '../../../components/figure.tsx';
import { megabytesPerSecond, numberText, plural, ratePlaces } from '../../../format/figures.ts';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { HideCell, useHideColumn } from '../hiding/hiding.tsx';
import { interfacesExport } from './detail-exports.ts';
import { DetailTable } from './detail-table.tsx';

const COLUMNS = [
  { name: 'Name' },
  { name: 'In', right: true },
  { name: 'Out', right: true },
  { name: 'Errors', right: true, wide: true },
  { name: 'Drops', right: true, wide: true },
  { name: 'Link' },
];

function Rate({ bytes }: { bytes: number | null }) {
  const rate = bytes === null ? null : megabytesPerSecond(bytes);
  return <Figure value={rate === null ? null : rate.toFixed(ratePlaces(rate))} unit="MB/s" />;
}

/** Null if either direction is not known: the other alone would stand for both. */
export const bothWays = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a + b;

function Row({ item }: { item: InterfacePart }) {
  const errors = bothWays(item.receive_errors_per_second, item.transmit_errors_per_second);
  const drops = bothWays(item.receive_drops_per_second, item.transmit_drops_per_second);
  return (
    <TableRow>
      <TableCell component="th" scope="row">
        {escapeInvisible(item.name)}
      </TableCell>
      <TableCell align="right">
        <Rate bytes={item.receive_bytes_per_second} />
      </TableCell>
      <TableCell align="right">
        <Rate bytes={item.transmit_bytes_per_second} />
      </TableCell>
      <TableCell align="right" className="wide">
        <Figure value={numberText(errors, 1)} unit="/s" />
      </TableCell>
      <TableCell align="right" className="wide">
        <Figure value={numberText(drops, 1)} unit="/s" />
      </TableCell>
      <TableCell className="quiet">{item.up === null ? 'unknown' : item.up ? 'up' : 'down'}</TableCell>
      <HideCell kind="interface" subject={item.name} />
    </TableRow>
  );
}

/** Every network interface of the last report. */
export function InterfacesTable({ subject, interfaces }: { subject: string; interfaces: readonly InterfacePart[] }) {
  const count = plural(interfaces.length, 'interface');
  const down = interfaces.filter(({ up }) => up === false).length;
  return (
    <DetailTable
      title="Interfaces"
      note={count}
      fold={down === 0 ? count : `${count}, ${down} down`}
      columns={[...COLUMNS, ...useHideColumn()]}
      subject={subject}
      exported={() => interfacesExport(interfaces)}
    >
      {interfaces.map((item) => (
        <Row key={item.name} item={item} />
      ))}
    </DetailTable>
  );
}
