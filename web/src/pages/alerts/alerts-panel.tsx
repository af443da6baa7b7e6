import { styled, useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import Checkbox from '@mui/material/Checkbox';
import Paper from '@mui/material/Paper';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { Alert } from '@plimsoll/contract/wire/alerts';
import { useEffect } from 'react';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import type { Asking } from '../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { BulkBar } from './acting/bulk-bar.tsx';
import type { Acting } from './acting/use-acting.ts';
import { AlertLine, prefetchDetails } from './alert-line.tsx';

const Frame = styled(Paper)(({ theme }) => ({
  // Not hidden: that scrolls, and the bar for ticked alerts would stick to the frame and cover the first of them.
  overflow: 'clip',
  [theme.breakpoints.down('lg')]: { '& .wide': { display: 'none' } },
  [theme.breakpoints.down('sm')]: { '& .medium': { display: 'none' } },
}));

interface AlertsPanelProps {
  alerts: readonly Alert[];
  asked: Asking;
  /** Id of the open row; '' none. */
  opened: string;
  onOpen: (id: string) => void;
  /** Null: a viewer reads only. */
  acting: Acting | null;
  /** Ids of the ticked alerts. */
  ticked: readonly string[];
  onTick: (id: string, ticked: boolean) => void;
  /** Ticks these, and no others. */
  onTickAll: (ids: readonly string[]) => void;
}

function AlertsTable({ alerts, opened, onOpen, acting, ticked, onTick, onTickAll }: Omit<AlertsPanelProps, 'asked'>) {
  const open = alerts.filter(({ status }) => status !== 'resolved').map(({ alert_id: id }) => id);
  const wide = useMediaQuery(useTheme().breakpoints.up('lg'));
  const columns = acting === null ? 7 : 8;
  useEffect(prefetchDetails, []);
  return (
    <Table aria-label="Alerts">
      <TableHead>
        <TableRow>
          {acting !== null && (
            <TableCell sx={{ width: 40, p: '0 0 0 8px' }}>
              <Checkbox
                size="small"
                color="info"
                disabled={open.length === 0}
                checked={ticked.length > 0 && ticked.length === open.length}
                indeterminate={ticked.length > 0 && ticked.length < open.length}
                onChange={(_, all) => onTickAll(all ? open : [])}
                slotProps={{ input: { 'aria-label': 'Tick all open alerts' } }}
              />
            </TableCell>
          )}
          <TableCell>Level</TableCell>
          <TableCell>Message</TableCell>
          <TableCell className="medium">Server</TableCell>
          <TableCell className="wide">Metric</TableCell>
          <TableCell className="medium">Current / threshold</TableCell>
          <TableCell align="right">Age</TableCell>
          {wide && (
            <TableCell>
              <VisuallyHidden>Actions</VisuallyHidden>
            </TableCell>
          )}
        </TableRow>
      </TableHead>
      <TableBody>
        {alerts.map((alert) => (
          <AlertLine
            key={alert.alert_id}
            alert={alert}
            open={alert.alert_id === opened}
            onOpen={onOpen}
            acting={acting}
            ticked={ticked.includes(alert.alert_id)}
            onTick={onTick}
            columns={columns}
            wide={wide}
          />
        ))}
      </TableBody>
    </Table>
  );
}

export function AlertsPanel({ asked, ...table }: AlertsPanelProps) {
  const { alerts, acting, ticked, onTickAll } = table;
  return (
    <Frame>
      <Failure asked={asked} />
      {acting !== null && <BulkBar chosen={ticked} acting={acting} onClear={() => onTickAll([])} />}
      {asked.isPending && <RowsSkeleton rows={6} height={40} />}
      {!asked.isPending && asked.error === null && alerts.length === 0 && (
        <EmptyState sentence="No alerts in this time range" reason="No value stayed over its threshold long enough." />
      )}
      {alerts.length > 0 && <AlertsTable {...table} />}
    </Frame>
  );
}
