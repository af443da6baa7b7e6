import { styled } from '@mui/material/styles';
import Paper from '@mui/material/Paper';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { Alert } from '@plimsoll/contract/wire/alerts';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import type { Asking } from '../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { AlertLine } from './alert-line.tsx';

const Frame = styled(Paper)(({ theme }) => ({
  overflow: 'hidden',
  [theme.breakpoints.down('lg')]: { '& .wide': { display: 'none' } },
  [theme.breakpoints.down('sm')]: { '& .medium': { display: 'none' } },
}));

interface AlertsPanelProps {
  alerts: readonly Alert[];
  asked: Asking;
  /** Id of the open row; '' none. */
  opened: string;
  onOpen: (id: string) => void;
}

function AlertsTable({ alerts, opened, onOpen }: Omit<AlertsPanelProps, 'asked'>) {
  return (
    <Table aria-label="Alerts">
      <TableHead>
        <TableRow>
          <TableCell>Level</TableCell>
          <TableCell>Message</TableCell>
          <TableCell className="medium">Server</TableCell>
          <TableCell className="wide">Metric</TableCell>
          <TableCell className="medium">Current / threshold</TableCell>
          <TableCell align="right">Age</TableCell>
          <TableCell className="wide" />
        </TableRow>
      </TableHead>
      <TableBody>
        {alerts.map((alert) => (
          <AlertLine
            key={alert.alert_id}
            alert={alert}
            open={alert.alert_id === opened}
            onToggle={() => onOpen(alert.alert_id === opened ? '' : alert.alert_id)}
          />
        ))}
      </TableBody>
    </Table>
  );
}

export function AlertsPanel({ alerts, asked, opened, onOpen }: AlertsPanelProps) {
  return (
    <Frame>
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={6} height={40} />}
      {!asked.isPending && asked.error === null && alerts.length === 0 && (
        <EmptyState sentence="No alerts in this time range" reason="No value stayed over its threshold long enough." />
      )}
      {alerts.length > 0 && <AlertsTable alerts={alerts} opened={opened} onOpen={onOpen} />}
    </Frame>
  );
}
