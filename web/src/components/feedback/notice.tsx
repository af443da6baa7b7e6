import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import {
  ErrorOutlineOutlined as ErrorOutlineIcon,
  CheckCircleOutlined as CheckCircleIcon,
  InfoOutlined as InfoIcon,
  WarningAmberOutlined as WarningAmberIcon,
} from '../icons/first-load.tsx';

type Tone = 'info' | 'ok' | 'warning' | 'error';

const Band = styled('div')(({ theme }) => ({
  display: 'flex',
  gap: 8,
  padding: '8px 12px',
  borderRadius: 6,
  overflowWrap: 'anywhere',
  '& > div': { flex: 1, minWidth: 0 },
  '& strong': { fontWeight: 600 },
  '& p': { margin: 0 },
  '& p + pre, & pre + *': { marginTop: 8 },
  '& > svg': { fontSize: 16, marginTop: 2, flex: 'none', color: theme.vars.palette.info.main },
  backgroundColor: theme.vars.palette.load.infoTint,
  '&[data-tone="ok"]': { backgroundColor: theme.vars.palette.load.okTint },
  '&[data-tone="ok"] > svg': { color: theme.vars.palette.load.okText },
  '&[data-tone="warning"]': { backgroundColor: theme.vars.palette.load.nearTint },
  '&[data-tone="warning"] > svg': { color: theme.vars.palette.load.nearText },
  '&[data-tone="error"]': { backgroundColor: theme.vars.palette.load.overTint },
  '&[data-tone="error"] > svg': { color: theme.vars.palette.load.overText },
}));

const ICON = { info: InfoIcon, ok: CheckCircleIcon, warning: WarningAmberIcon, error: ErrorOutlineIcon } as const;

/** One thing worth knowing, in place. Errors interrupt a screen reader, the rest waits its turn. */
export function Notice({ tone = 'info', children }: { tone?: Tone; children: ReactNode }) {
  const Icon = ICON[tone];
  return (
    <Band data-tone={tone} role={tone === 'error' ? 'alert' : 'status'}>
      <Icon aria-hidden />
      <div>{children}</div>
    </Band>
  );
}
