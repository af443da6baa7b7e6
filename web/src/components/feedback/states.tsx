import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { clockSeconds } from '../../time/zone.ts';
import { ErrorOutlineOutlined as ErrorOutlineIcon } from '../icons/first-load.tsx';

const Band = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'flex-start',
  gap: 8,
  margin: 12,
  padding: '8px 12px',
  borderRadius: 6,
  backgroundColor: theme.vars.palette.load.overTint,
  '& > svg': { color: theme.vars.palette.load.overText, fontSize: 16, marginTop: 2, flex: 'none' },
  '& strong': { display: 'block', fontWeight: 600 },
  '& p': { ...theme.typography.caption, margin: 0, color: theme.vars.palette.text.secondary },
  '& > div': { flex: 1, minWidth: 0, overflowWrap: 'anywhere' },
}));

interface ErrorStateProps {
  /** The failed request, in the words of its error. */
  message: string;
  detail?: ReactNode;
  /** Epoch milliseconds of the try. */
  at?: number | undefined;
  onRetry?: (() => void) | undefined;
}

/** Shows an error with its time and a retry button. Old figures stay where they are. */
export function ErrorState({ message, detail, at, onRetry }: ErrorStateProps) {
  return (
    <Band role="alert">
      <ErrorOutlineIcon aria-hidden />
      <div>
        <strong>{message}</strong>
        {detail !== undefined && <p>{detail}</p>}
        {at !== undefined && at > 0 && <p>Tried {clockSeconds(at)}.</p>}
      </div>
      {onRetry && (
        <Button variant="outlined" onClick={onRetry}>
          Retry
        </Button>
      )}
    </Band>
  );
}

/** The parts of a failed call that a person reads. */
export interface CallFailure {
  message: string;
  /** 0 if no answer came. */
  status: number;
  remedy?: string | null;
}

/** Returns the API's remedy, else its status, else where to look. */
export function failureDetail({ status, remedy }: CallFailure): string {
  if (status === 0) return 'No answer came. Check that the API is running.';
  return remedy ?? `The server answered ${status}.`;
}

const Hollow = styled('div')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  justifyContent: 'center',
  gap: 4,
  padding: '24px 16px',
  minHeight: 160,
  textAlign: 'center',
  color: theme.vars.palette.text.secondary,
  '& strong': { color: theme.vars.palette.text.primary, fontWeight: 600 },
  '& svg.mark': { color: theme.vars.palette.load.text3, marginBottom: 12 },
  '& button, & a.MuiButton-root': { marginTop: 8 },
  '&[data-size="line"]': { minHeight: 0, padding: '12px 16px', alignItems: 'flex-start', textAlign: 'left', gap: 0 },
  '&[data-size="page"]': { minHeight: 240 },
  '&[data-size="page"] strong': { fontSize: 16, lineHeight: '24px' },
}));

interface EmptyStateProps {
  sentence: string;
  reason?: ReactNode;
  action?: ReactNode;
  /** `line` takes no more room than its words; `page` carries the mark on its line. */
  size?: 'line' | 'panel' | 'page';
}

/** Nothing to show: the sentence, one reason, one thing to do. */
export function EmptyState({ sentence, reason, action, size = 'panel' }: EmptyStateProps) {
  return (
    <Hollow data-size={size}>
      {size === 'page' && (
        <svg
          className="mark"
          width="220"
          height="32"
          viewBox="0 0 220 32"
          fill="none"
          stroke="currentColor"
          aria-hidden
        >
          <path d="M0 16h220" strokeWidth="1.5" />
          <circle cx="110" cy="16" r="15" strokeWidth="1.5" />
        </svg>
      )}
      <strong>{sentence}</strong>
      {reason !== undefined && <span>{reason}</span>}
      {action}
    </Hollow>
  );
}
