import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { Children, useState } from 'react';
import type { ReactNode } from 'react';
import { ExportButton } from '../../../components/export/export-button.tsx';
import type { ExportTable } from '../../../components/export/export-file.ts';
import { Panel } from '../../../components/panel.tsx';
import { VisuallyHidden } from '../../../components/visually-hidden.tsx';

/** Width of a table, in pixels, from which it has room for its least important column. */
const ROOM_PX = 600;

const Scroll = styled('div')(({ theme }) => ({
  overflowX: 'auto',
  containerType: 'inline-size',
  // Names that are read out only are positioned: without this they would widen the page.
  position: 'relative',
  '& tbody tr:last-of-type > *': { borderBottom: 0 },
  '& .bar': { minWidth: 110 },
  '& .quiet': { color: theme.vars.palette.load.text3 },
  '& td.words': { whiteSpace: 'normal' },
  '& td.error': { whiteSpace: 'normal', color: theme.vars.palette.load.text3 },
  '& [data-failed] .state': { color: theme.vars.palette.load.nearText },
  '& .small': { ...theme.typography.caption, paddingBottom: 6 },
  [theme.breakpoints.up('sm')]: { '& .small': { display: 'none' } },
  [theme.breakpoints.down('sm')]: { '& .wide': { display: 'none' } },
  [`@container (max-width: ${String(ROOM_PX)}px)`]: { '& .least': { display: 'none' } },
}));

const Fold = styled(Button)({ margin: '4px 8px' });

interface Column {
  name: string;
  /** The name is read out only: the cells say it by themselves. */
  unseen?: boolean;
  /** Numbers stand at the right. */
  right?: boolean;
  /** Not on a phone. */
  wide?: boolean;
  /** The least important column, which is left out first. */
  least?: boolean;
}

interface DetailTableProps {
  title: string;
  note: ReactNode;
  /** The one line of the folded table on a phone; the note when left out. */
  fold?: ReactNode;
  columns: readonly Column[];
  /** Rows shown first, with a button for the rest; all of them when left out. */
  first?: number;
  /** Whose figures they are, and what a file of them holds. */
  subject: string;
  exported: () => ExportTable;
  /** Rows; cells of a wide column carry the class `wide`, of the least one `least` too, what stands in for one where there is no room `small`. */
  children: ReactNode;
}

/** Table of one part of a server, from its last report. */
export function DetailTable(props: DetailTableProps) {
  const { title, note, fold = note ?? '', columns, first = Infinity, subject, exported, children } = props;
  const [all, setAll] = useState(false);
  const rows = Children.toArray(children);
  return (
    <Panel
      title={title}
      note={note}
      fold={fold}
      actions={<ExportButton holds={[subject, title]} table={exported} disabled={rows.length === 0} />}
    >
      <Scroll tabIndex={0} role="group" aria-label={title}>
        <Table size="small" aria-label={title}>
          <TableHead>
            <TableRow>
              {columns.map(({ name, right, wide, least, unseen }) => (
                <TableCell
                  key={name}
                  align={right ? 'right' : 'left'}
                  className={least ? 'wide least' : wide ? 'wide' : undefined}
                >
                  {unseen ? <VisuallyHidden>{name}</VisuallyHidden> : name}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>{all ? rows : rows.slice(0, first)}</TableBody>
        </Table>
      </Scroll>
      {rows.length > first && (
        <Fold variant="text" onClick={() => setAll(!all)} aria-expanded={all}>
          {all ? `First ${first}` : `All ${rows.length}`}
        </Fold>
      )}
    </Panel>
  );
}
