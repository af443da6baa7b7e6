import { styled } from '@mui/material/styles';
import type { Pod, PodsAnswer } from '@plimsoll/contract/wire/kubernetes';
import type { Asked } from '../../api/query.ts';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import type { ClusterNameOf } from '../../components/kubernetes/cluster-name-of.ts';
import { PodTable } from '../../components/kubernetes/pod-table.tsx';
import { Pager } from '../../components/pager.tsx';
import { Panel } from '../../components/panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { isFiltered, PAGE_ROWS } from './pods-view.ts';
import type { PodsView } from './pods-view.ts';

const Foot = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  flexWrap: 'wrap',
  paddingLeft: 16,
  color: theme.vars.palette.load.text3,
  '& > nav': { marginLeft: 'auto' },
  [theme.breakpoints.down('lg')]: { '& > span': { display: 'none' } },
}));

interface PodsListProps {
  asked: Asked<PodsAnswer>;
  view: PodsView;
  onChange: (change: Partial<PodsView>) => void;
  onOpen: (pod: Pod) => void;
  clusterName: ClusterNameOf;
}

export function PodsList({ asked, view, onChange, onOpen, clusterName }: PodsListProps) {
  const answer = asked.data;
  const empty = answer !== undefined && answer.pods.length === 0;
  return (
    <Panel>
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={10} height={40} />}
      {empty && (
        <EmptyState
          sentence={isFiltered(view) ? 'No pods match your filters' : 'No pods found'}
          reason={
            isFiltered(view)
              ? 'Remove a filter to see more pods.'
              : 'Pods appear 1-2 minutes after the chart is installed.'
          }
        />
      )}
      {answer !== undefined && !empty && (
        <>
          <PodTable
            label="Pods"
            pods={answer.pods}
            sorting={{ by: view, onSort: onChange }}
            openKey={view.pod}
            onOpen={onOpen}
            clusterName={clusterName}
          />
          <Foot>
            {view.pod !== null && <span>The Owner and Age columns are hidden while a pod is open</span>}
            <Pager
              offset={view.offset}
              limit={PAGE_ROWS}
              total={answer.total}
              onOffset={(offset) => onChange({ offset })}
            />
          </Foot>
        </>
      )}
    </Panel>
  );
}
