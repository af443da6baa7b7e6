import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';
import type { Gap } from '@plimsoll/contract/wire/metrics';
import type { ProcessSnapshotAnswer } from '@plimsoll/contract/wire/processes';
import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import { useEffect } from 'react';
import { processSnapshotQuery } from '../../../api/processes.ts';
import { useQuery } from '../../../api/query.ts';
import { Failure } from '../../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../../components/feedback/states.tsx';
import { NearestLists } from '../../../components/processes/nearest-lists.tsx';
import { fullMoment } from '../../../time/zone.ts';
import { snapshotText } from '../../../format/process-list-words.ts';
import { isFuture, momentTitle, noSnapshot } from './moment-context.ts';
import { Around } from './around.tsx';
import { ProcessesThen } from './processes-then.tsx';
import { Close as CloseIcon } from '../../../components/icons/material.tsx';

const Beside = styled(Paper)({
  position: 'sticky',
  top: 'calc(68px + var(--moment-band, 0px))',
  zIndex: 2,
  maxHeight: 'calc(100vh - 80px - var(--moment-band, 0px))',
  overflowY: 'auto',
}) as typeof Paper;
const Head = styled('header')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  alignItems: 'center',
  padding: '6px 8px 8px 16px',
  '& h2': { ...theme.typography.h2, margin: 0 },
  '& > div': { gridColumn: '1 / -1' },
  '& p': { ...theme.typography.caption, gridColumn: '1 / -1', margin: 0, color: theme.vars.palette.text.secondary },
}));

interface WhatRanProps {
  server: ServerDetail;
  /** Epoch seconds. */
  at: number;
  nowMs: number;
  gaps: readonly Gap[];
  /** True if there is room beside the charts; else the panel covers the screen. */
  beside: boolean;
  onMoment: (at: number) => void;
  onClose: () => void;
}

/** Esc closes the panel beside the charts; a panel over the screen handles Esc itself. */
function useEscape(onEscape: () => void) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) onEscape();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [onEscape]);
}

const NOTHING_YET: ProcessSnapshotAnswer = {
  kept_since: 0,
  snapshot_at: null,
  next_at: null,
  list: null,
  server_cpu_usage: null,
  processes: [],
};

function Content({ server, at, nowMs, gaps, onMoment, onClose }: WhatRanProps) {
  const future = isFuture(at, nowMs);
  const asked = useQuery({ ...processSnapshotQuery(server.id, at), enabled: !future });
  const answer = future ? NOTHING_YET : asked.data;
  const taken = answer?.snapshot_at ?? null;
  const none = answer === undefined ? null : noSnapshot({ at, answer, gaps, createdAt: server.created_at, nowMs });
  return (
    <>
      <Head>
        <h2 title={fullMoment(at * 1000)}>{momentTitle(at, nowMs)}</h2>
        <IconButton onClick={onClose} aria-label="Close what ran then">
          <CloseIcon />
        </IconButton>
        <p role="status">{taken === null ? 'Processes, events and alerts' : snapshotText(taken, at)}</p>
        {!future && asked.data !== undefined && <NearestLists answer={asked.data} onMoment={onMoment} />}
      </Head>
      {!future && asked.isPending && <RowsSkeleton rows={8} height={32} />}
      <Failure asked={asked} />
      {none !== null && taken === null && <EmptyState {...none} />}
      {answer !== undefined && taken !== null && <ProcessesThen answer={answer} />}
      {!future && <Around serverId={server.id} at={at} />}
    </>
  );
}

function Standing(props: WhatRanProps) {
  useEscape(props.onClose);
  return (
    <Beside component="section" aria-label="Processes at that time">
      <Content {...props} />
    </Beside>
  );
}

/** Processes, events and alerts at a moment of the past: beside the charts, or over a narrow screen. */
export function WhatRan(props: WhatRanProps) {
  if (props.beside) return <Standing {...props} />;
  return (
    <Drawer
      anchor="right"
      open
      onClose={props.onClose}
      slotProps={{ paper: { sx: { width: '100%', maxWidth: 480 }, 'aria-label': 'Processes at that time' } }}
    >
      <Content {...props} />
    </Drawer>
  );
}
