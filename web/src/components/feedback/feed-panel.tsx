import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { useConnectionState } from '../../state/use-connection.ts';
import { Panel, Rows } from '../panel.tsx';
import { RowsSkeleton } from './skeletons.tsx';
import { EmptyState, ErrorState, failureDetail } from './states.tsx';
import type { CallFailure } from './states.tsx';

/** The parts of a query that a list needs. */
export interface Asking {
  data?: unknown;
  isPending: boolean;
  error: CallFailure | null;
  errorUpdatedAt: number;
  refetch: () => unknown;
}

/** "Loading silences…", or that they could not be loaded: the sentence of a page until its list is there. */
export const awaitedWords = ({ error }: Pick<Asking, 'error'>, noun: string): string =>
  error === null ? `Loading ${noun}…` : `The ${noun} could not be loaded.`;

const Quiet = styled('p')(({ theme }) => ({
  margin: 0,
  padding: '24px 16px',
  textAlign: 'center',
  color: theme.vars.palette.text.secondary,
}));

/** Stands in for figures whose call failed, where a band says so elsewhere. */
export const NotLoaded = () => <Quiet>Not loaded</Quiet>;

/** No answer, or that of a proxy or of an API without its database: what the band of the page already says. */
const isConnectionFault = ({ status }: CallFailure) => status === 0 || status >= 500;

/** Shows a failed query in the place of its answer. While the connection is lost, the band of the page says it once. */
export function Failure({ asked }: { asked: Asking }) {
  const connection = useConnectionState();
  if (asked.error === null) return null;
  if (connection === 'lost' && isConnectionFault(asked.error)) return asked.data === undefined ? <NotLoaded /> : null;
  return (
    <ErrorState
      message={asked.error.message}
      detail={failureDetail(asked.error)}
      at={asked.errorUpdatedAt}
      onRetry={() => void asked.refetch()}
    />
  );
}

interface FeedPanelProps {
  title: string;
  note?: ReactNode;
  actions?: ReactNode;
  /** On a phone the list is folded to its title and this line. */
  fold?: ReactNode;
  asked: Asking;
  /** Rows to keep room for while loading. */
  rows: number;
  empty: { sentence: string; reason?: ReactNode; action?: ReactNode };
  children: readonly ReactNode[];
}

/** A list in a panel: loading, failed, empty or full. A failed refetch leaves the old rows in place. */
export function FeedPanel({ title, note, actions, fold, asked, rows, empty, children }: FeedPanelProps) {
  const nothing = children.length === 0;
  return (
    <Panel title={title} note={note} actions={actions} fold={fold}>
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={rows} height={53} />}
      {!asked.isPending && nothing && asked.error === null && <EmptyState size="line" {...empty} />}
      {!nothing && <Rows>{children}</Rows>}
    </Panel>
  );
}
