import { styled } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { ReactNode } from 'react';
import { EmptyState } from '../../components/feedback/states.tsx';
import { Panel } from '../../components/panel.tsx';

const Body = styled(Table)(({ theme }) => ({
  '& th, & td': { whiteSpace: 'normal' },
  '& tbody th': { fontWeight: 400, overflowWrap: 'anywhere' },
  '& .quiet': { color: theme.vars.palette.load.text3 },
  '& .fault': { color: theme.vars.palette.load.overText },
  '& :is(th, td):first-of-type': { paddingLeft: 16 },
  '& :is(th, td):last-of-type': { paddingRight: 16 },
}));

interface HealthTableProps {
  title: string;
  /** The source of the figures. */
  note: ReactNode;
  actions?: ReactNode;
  /** On a phone the panel is folded to this line; it is open if left out. */
  fold?: ReactNode;
  /** The columns after the first stand at the right. */
  columns: readonly string[];
  empty: { sentence: string; reason: string };
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}

/** A small table of one part of the installation: the name, then its figures. */
export function HealthTable({ columns, empty, rows, ...panel }: HealthTableProps) {
  return (
    <Panel {...panel}>
      {rows.length === 0 ? (
        <EmptyState size="line" {...empty} />
      ) : (
        <Body size="small" aria-label={panel.title}>
          <TableHead>
            <TableRow>
              {columns.map((name, column) => (
                <TableCell key={name} align={column === 0 ? 'left' : 'right'}>
                  {name}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {rows.map(({ key, cells: [first, ...rest] }) => (
              <TableRow key={key}>
                <TableCell component="th" scope="row">
                  {first}
                </TableCell>
                {rest.map((cell, column) => (
                  <TableCell key={columns[column + 1]} align="right">
                    {cell}
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Body>
      )}
    </Panel>
  );
}
