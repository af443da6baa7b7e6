import { percentOf } from '@plimsoll/contract/rules/percent-of';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import type { FilesystemPart } from '@plimsoll/contract/wire/report';
import { CapacityBar } from '../../../components/fleet/capacity-bar.tsx';
import { Figure } from '../../../components/figure.tsx';
import { bytesQuantity, plural } from '../../../format/figures.ts';
import { shareOf } from '../../../format/server-facts.ts';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { DetailTable } from './detail-table.tsx';

const COLUMNS = [
  { name: 'Mount' },
  { name: '' },
  { name: 'Used', right: true },
  { name: 'Free', right: true, wide: true },
  { name: 'Size', right: true, wide: true },
  { name: 'Inodes', right: true, wide: true },
  { name: 'Type', wide: true },
];

const inodeShare = ({ inodes_used, inodes_total }: FilesystemPart) => percentOf(inodes_used, inodes_total);
const percent = (value: number | null) => value?.toFixed(0) ?? null;

function Row({ filesystem, line, stale }: { filesystem: FilesystemPart; line: number; stale: boolean }) {
  const share = shareOf(filesystem.used_bytes, filesystem.available_bytes);
  return (
    <TableRow>
      <TableCell component="th" scope="row">
        {escapeInvisible(filesystem.mount)}
      </TableCell>
      <TableCell className="bar">
        <CapacityBar name={filesystem.mount} value={share} line={line} stale={stale} />
      </TableCell>
      <TableCell align="right">
        <Figure value={percent(share)} unit="%" />
      </TableCell>
      <TableCell align="right" className="wide">
        <Figure {...bytesQuantity(filesystem.available_bytes)} />
      </TableCell>
      <TableCell align="right" className="wide">
        <Figure {...bytesQuantity(filesystem.size_bytes)} />
      </TableCell>
      <TableCell align="right" className="wide">
        <Figure value={percent(inodeShare(filesystem))} unit="%" />
      </TableCell>
      <TableCell className="wide quiet">{escapeInvisible(filesystem.type)}</TableCell>
    </TableRow>
  );
}

interface MountsTableProps {
  filesystems: readonly FilesystemPart[];
  line: number;
  stale: boolean;
}

/** Every filesystem, fullest first. */
export function MountsTable({ filesystems, line, stale }: MountsTableProps) {
  const share = (each: FilesystemPart) => shareOf(each.used_bytes, each.available_bytes) ?? -1;
  const ordered = filesystems.toSorted((a, b) => share(b) - share(a));
  return (
    <DetailTable title="Filesystems" note={plural(filesystems.length, 'mount')} columns={COLUMNS}>
      {ordered.map((each) => (
        <Row key={each.mount} filesystem={each} line={line} stale={stale} />
      ))}
    </DetailTable>
  );
}
