import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import { isBrokenContainer } from '@plimsoll/contract/rules/container-states';
import { containerSubject } from '@plimsoll/contract/rules/servers/hidden-parts';
import type { ContainerPart } from '@plimsoll/contract/wire/container-part';
import { Figure } from '../../../components/figure.tsx';
import { MiddleTruncate } from '../../../components/middle-truncate.tsx';
import { bytesQuantity, plural } from '../../../format/figures.ts';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { partStateWords } from '../../../format/container-words.ts';
import { HideCell, useHideColumn } from '../hiding/hiding.tsx';
import { containersExport } from './detail-exports.ts';
import { DetailTable } from './detail-table.tsx';

const COLUMNS = [
  { name: 'Name' },
  { name: 'State' },
  { name: 'CPU', right: true },
  { name: 'Memory', right: true },
  { name: 'Limit', right: true, wide: true },
  { name: 'Image', wide: true },
  { name: 'Runtime', least: true },
];
/** Rows shown first; a button shows the rest. */
const FIRST = 10;

function Bytes({ value, reason }: { value: number | null; reason: string }) {
  return value === null ? <Figure value={null} reason={reason} /> : <Figure {...bytesQuantity(value)} />;
}

function Row({ item }: { item: ContainerPart }) {
  const name = escapeInvisible(item.name ?? item.id);
  return (
    <TableRow data-failed={isBrokenContainer(item) ? '' : undefined}>
      <TableCell component="th" scope="row" title={escapeInvisible(item.id)}>
        <MiddleTruncate text={name} />
      </TableCell>
      <TableCell className={isBrokenContainer(item) ? 'state' : 'state quiet'}>{partStateWords(item)}</TableCell>
      <TableCell align="right">
        <Figure value={item.cpu_percent?.toFixed(1) ?? null} unit="%" reason="first report" />
      </TableCell>
      <TableCell align="right">
        <Bytes value={item.memory_bytes} reason="not reported" />
      </TableCell>
      <TableCell align="right" className="wide">
        {item.memory_limit_bytes === null ? 'none' : <Figure {...bytesQuantity(item.memory_limit_bytes)} />}
      </TableCell>
      <TableCell className="wide quiet">
        {item.image === null ? 'unknown' : <MiddleTruncate text={escapeInvisible(item.image)} tail={12} />}
      </TableCell>
      <TableCell className="wide least quiet">{escapeInvisible(item.runtime ?? 'unknown')}</TableCell>
      <HideCell kind="container" subject={containerSubject(item)} />
    </TableRow>
  );
}

const greediest = (a: ContainerPart, b: ContainerPart) =>
  (b.cpu_percent ?? -1) - (a.cpu_percent ?? -1) || (b.memory_bytes ?? -1) - (a.memory_bytes ?? -1);

/** "3 containers, 1 virtual machine". */
function countText(containers: readonly ContainerPart[]): string {
  const machines = containers.filter(({ runtime }) => runtime === 'qemu').length;
  const counts = [
    plural(containers.length - machines, 'container'),
    machines === 0 ? null : plural(machines, 'virtual machine'),
  ];
  return counts.filter((count) => count !== null).join(', ');
}

/** Containers and virtual machines by their control groups, the greediest first; CPU in per cent of one core. */
export function ContainersTable({ subject, containers }: { subject: string; containers: readonly ContainerPart[] }) {
  const note = `${countText(containers)}, CPU in per cent of one core`;
  return (
    <DetailTable
      title="Containers"
      note={note}
      columns={[...COLUMNS, ...useHideColumn()]}
      subject={subject}
      exported={() => containersExport(containers.toSorted(greediest))}
      first={FIRST}
    >
      {containers.toSorted(greediest).map((item) => (
        <Row key={item.id} item={item} />
      ))}
    </DetailTable>
  );
}
