import { percentOf } from '@plimsoll/contract/rules/percent-of';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import type { DiskForecast } from '@plimsoll/contract/wire/servers';
import type { FilesystemPart } from '@plimsoll/contract/wire/report';
import { DiskForecastText } from '../../../components/fleet/disk-forecast.tsx';
import { CapacityBar } from '../../../components/fleet/capacity-bar.tsx';
import { Figure } from '../../../components/figure.tsx';
import { bytesQuantity, plural } from '../../../format/figures.ts';
import { shareOf } from '../../../format/server-facts.ts';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { HideCell, useHideColumn } from '../hiding/hiding.tsx';
import { mountsExport } from './detail-exports.ts';
import { DetailTable } from './detail-table.tsx';

const COLUMNS = [
  { name: 'Mount' },
  { name: 'Use', unseen: true },
  { name: 'Used', right: true },
  { name: 'Reaches its line', right: true },
  { name: 'Free', right: true, wide: true },
  { name: 'Size', right: true, wide: true },
  { name: 'Inodes', right: true, least: true },
  { name: 'Type', wide: true },
];

const inodeShare = ({ inodes_used, inodes_total }: FilesystemPart) => percentOf(inodes_used, inodes_total);
const percent = (value: number | null) => value?.toFixed(0) ?? null;

interface RowProps {
  filesystem: FilesystemPart;
  forecast: DiskForecast | null;
  line: number;
  stale: boolean;
}

function Row({ filesystem, forecast, line, stale }: RowProps) {
  const share = shareOf(filesystem.used_bytes, filesystem.available_bytes);
  return (
    <TableRow>
      <TableCell component="th" scope="row">
        {escapeInvisible(filesystem.mount)}
      </TableCell>
      <TableCell className="bar">
        <CapacityBar name={filesystem.mount} value={share} line={forecast?.line ?? line} stale={stale} />
      </TableCell>
      <TableCell align="right">
        <Figure value={percent(share)} unit="%" />
      </TableCell>
      <TableCell align="right" className="words">
        <DiskForecastText forecast={forecast} />
      </TableCell>
      <TableCell align="right" className="wide">
        <Figure {...bytesQuantity(filesystem.available_bytes)} />
      </TableCell>
      <TableCell align="right" className="wide">
        <Figure {...bytesQuantity(filesystem.size_bytes)} />
      </TableCell>
      <TableCell align="right" className="wide least">
        <Figure value={percent(inodeShare(filesystem))} unit="%" />
      </TableCell>
      <TableCell className="wide quiet">
        {escapeInvisible(filesystem.type)}
        {filesystem.became_read_only === true && ', became read-only'}
      </TableCell>
      <HideCell kind="filesystem" subject={filesystem.mount} />
    </TableRow>
  );
}

interface MountsTableProps {
  subject: string;
  filesystems: readonly FilesystemPart[];
  forecasts: readonly DiskForecast[];
  line: number;
  stale: boolean;
}

/** Every filesystem, fullest first. */
export function MountsTable({ subject, filesystems, forecasts, line, stale }: MountsTableProps) {
  const share = (each: FilesystemPart) => shareOf(each.used_bytes, each.available_bytes) ?? -1;
  const ordered = filesystems.toSorted((a, b) => share(b) - share(a));
  const [fullest] = ordered;
  const count = plural(filesystems.length, 'mount');
  const most = fullest === undefined ? null : percent(shareOf(fullest.used_bytes, fullest.available_bytes));
  const fold =
    fullest === undefined || most === null ? count : `${most} % of ${escapeInvisible(fullest.mount)}, ${count}`;
  const forecastOf = ({ mount }: FilesystemPart) => forecasts.find((each) => each.mount === mount) ?? null;
  return (
    <DetailTable
      title="Filesystems"
      note={count}
      fold={fold}
      columns={[...COLUMNS, ...useHideColumn()]}
      subject={subject}
      exported={() => mountsExport(ordered, forecastOf)}
    >
      {ordered.map((each) => (
        <Row key={each.mount} filesystem={each} forecast={forecastOf(each)} line={line} stale={stale} />
      ))}
    </DetailTable>
  );
}
