import type { ReactNode } from 'react';
import { Panel, Rows } from '../panel.tsx';
import { RowsSkeleton } from './skeletons.tsx';
import { EmptyState, ErrorState, failureDetail } from './states.tsx';

/** The parts of a question a list needs to know. */
export interface Asking {
  isPending: boolean;
  error: { message: string; status: number } | null;
  errorUpdatedAt: number;
  refetch: () => unknown;
}

/** The failure of a question, told where its answer would stand. */
export function Failure({ asked }: { asked: Asking }) {
  if (asked.error === null) return null;
  return (
    <ErrorState
      message={asked.error.message}
      detail={failureDetail(asked.error.status)}
      at={asked.errorUpdatedAt}
      onRetry={() => void asked.refetch()}
    />
  );
}

interface FeedPanelProps {
  title: string;
  note?: ReactNode;
  actions?: ReactNode;
  asked: Asking;
  /** How many rows to keep room for while loading. */
  rows: number;
  empty: { sentence: string; reason?: ReactNode };
  children: readonly ReactNode[];
}

/** A list in a panel: loading, failed, empty or full. A failed refetch leaves the old rows in place. */
export function FeedPanel({ title, note, actions, asked, rows, empty, children }: FeedPanelProps) {
  const nothing = children.length === 0;
  return (
    <Panel title={title} note={note} actions={actions}>
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={rows} height={53} />}
      {!asked.isPending && nothing && asked.error === null && <EmptyState {...empty} />}
      {!nothing && <Rows>{children}</Rows>}
    </Panel>
  );
}
