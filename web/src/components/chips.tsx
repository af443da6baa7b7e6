import { styled } from '@mui/material/styles';
import type { AlertLevel, ServerStatus } from '@plimsoll/contract/rules/limits';
import type { ReactNode } from 'react';
import { LevelIcon, StatusIcon } from './status-icons.tsx';

export type ChipTone = 'plain' | 'near' | 'over' | 'bare';

const Box = styled('span')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'inline-flex',
  alignItems: 'center',
  gap: 6,
  height: 20,
  padding: '0 7px',
  borderRadius: 4,
  whiteSpace: 'nowrap',
  border: `1px solid ${theme.vars.palette.load.edge}`,
  color: theme.vars.palette.text.secondary,
  '& > svg': { fontSize: 14 },
  '&[data-tone="near"]': {
    borderColor: 'transparent',
    color: theme.vars.palette.load.nearText,
    backgroundColor: theme.vars.palette.load.nearTint,
  },
  '&[data-tone="over"]': {
    borderColor: 'transparent',
    color: theme.vars.palette.load.overText,
    backgroundColor: theme.vars.palette.load.overTint,
  },
  '&[data-tone="bare"]': { borderColor: 'transparent', padding: 0 },
}));

/** A short fact in a box; filled only when something is near or over. */
export function Chip({ tone = 'plain', children, title }: { tone?: ChipTone; children: ReactNode; title?: string }) {
  return (
    <Box data-tone={tone} title={title}>
      {children}
    </Box>
  );
}

const STATUS_NAME: Record<ServerStatus, string> = {
  active: 'Active',
  installing: 'Installing',
  offline: 'Offline',
  refused: 'Refused',
  uninstalled: 'Uninstalled',
};

const isStatus = (status: string): status is ServerStatus => status in STATUS_NAME;

/** A status that is not known is shown as it came, grey. `bare`: "Active" without a border, on cards. */
export function StatusChip({ status, bare = false }: { status: string; bare?: boolean }) {
  return (
    <Chip tone={bare && status === 'active' ? 'bare' : 'plain'}>
      <StatusIcon status={isStatus(status) ? status : 'uninstalled'} />
      {isStatus(status) ? STATUS_NAME[status] : status}
    </Chip>
  );
}

export const LEVEL_NAME: Record<AlertLevel, string> = {
  critical: 'Critical',
  error: 'Error',
  warning: 'Warning',
  info: 'Info',
};

const LevelBox = styled('span')({ display: 'inline-flex', alignItems: 'center', gap: 8, whiteSpace: 'nowrap' });

export function Level({ level }: { level: AlertLevel }) {
  return (
    <LevelBox>
      <LevelIcon level={level} />
      {LEVEL_NAME[level]}
    </LevelBox>
  );
}
