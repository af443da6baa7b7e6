import { styled } from '@mui/material/styles';
import type { Pod, PodOwner } from '@plimsoll/contract/wire/kubernetes';
import { POD_PHASES } from '@plimsoll/contract/rules/kubernetes-limits';
import { useId, useState } from 'react';
import { ownersQuery, podsQuery } from '../../api/kubernetes.ts';
import { useQuery } from '../../api/query.ts';
import { Chip } from '../../components/chips.tsx';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { Figure } from '../../components/figure.tsx';
import type { ClusterNameOf } from '../../components/kubernetes/cluster-name-of.ts';
import { PhaseChip } from '../../components/kubernetes/phase-chip.tsx';
import { PodTable } from '../../components/kubernetes/pod-table.tsx';
import { Pager } from '../../components/pager.tsx';
import { Panel, Rows } from '../../components/panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { numberText, plural } from '../../format/figures.ts';
import { coresText, megabytesQuantity } from '../../components/kubernetes/kubernetes-words.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { isFiltered, PAGE_ROWS } from './pods-view.ts';
import type { PodsView } from './pods-view.ts';
import { ExpandMore as ExpandMoreIcon } from '../../components/icons/material.tsx';

const Head = styled('button')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'grid',
  gridTemplateColumns: '20px minmax(0, 2fr) minmax(0, 1fr) minmax(0, 1.4fr) 96px 96px 92px',
  alignItems: 'center',
  gap: 10,
  width: '100%',
  minHeight: 44,
  padding: '4px 16px',
  border: 0,
  textAlign: 'left',
  cursor: 'pointer',
  color: theme.vars.palette.text.primary,
  background: 'none',
  '&:hover': { backgroundColor: theme.vars.palette.action.hover },
  '&:focus-visible': { outline: `2px solid ${theme.vars.palette.info.main}`, outlineOffset: -2 },
  '& > svg': { fontSize: 18, color: theme.vars.palette.text.secondary, transform: 'rotate(-90deg)' },
  '&[aria-expanded="true"] > svg': { transform: 'none' },
  '& b': { fontWeight: 600 },
  '& small, & .namespace': { color: theme.vars.palette.text.secondary },
  '& .name': { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& .phases': { display: 'flex', flexWrap: 'wrap', gap: 4 },
  '& .figure': { textAlign: 'right' },
  [theme.breakpoints.down('md')]: {
    gridTemplateColumns: '20px minmax(0, 1fr) auto',
    '& > .namespace': { gridColumn: 2 },
    '& > .phases': { gridColumn: '2 / 4' },
    '& > .figure': { gridColumn: 3 },
    '& > .figure.cores': { gridColumn: 2, textAlign: 'left' },
  },
}));

interface GroupProps {
  owner: PodOwner;
  clusterName: string | null;
  openKey: string | null;
  onOpen: (pod: Pod) => void;
}

function GroupPods({ owner, openKey, onOpen }: GroupProps) {
  const asked = useQuery(
    podsQuery({
      cluster_id: owner.cluster_id,
      namespace: owner.namespace,
      owner_kind: owner.owner_kind ?? 'none',
      ...(owner.owner_name === null ? {} : { owner_name: owner.owner_name }),
      limit: PAGE_ROWS,
      sort: 'memory_percent',
      order: 'desc',
    }),
  );
  return (
    <>
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={Math.min(owner.pods, 5)} height={40} />}
      {asked.data !== undefined && (
        <PodTable
          label={`Pods of ${owner.owner_name ?? 'no owner'}`}
          pods={asked.data.pods}
          openKey={openKey}
          onOpen={onOpen}
        />
      )}
    </>
  );
}

function Group(props: GroupProps) {
  const { owner, clusterName } = props;
  const [open, setOpen] = useState(false);
  const id = useId();
  const count =
    owner.desired === null || owner.ready === null ? numberText(owner.pods) : `${owner.ready} / ${owner.desired}`;
  return (
    <li>
      <Head type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <ExpandMoreIcon aria-hidden />
        <span className="name">
          <small>{owner.owner_kind ?? 'No owner'}</small>{' '}
          <b>{owner.owner_name === null ? '' : escapeInvisible(owner.owner_name)}</b>{' '}
          <small>
            {count} {owner.desired === null ? (owner.pods === 1 ? 'pod' : 'pods') : 'ready'}
          </small>
        </span>
        <span className="namespace">
          {escapeInvisible(owner.namespace)}
          {clusterName !== null && <small> · {escapeInvisible(clusterName)}</small>}
        </span>
        <span className="phases">
          {POD_PHASES.filter((phase) => owner.phases[phase] > 0).map((phase) => (
            <PhaseChip key={phase} phase={phase} count={String(owner.phases[phase])} />
          ))}
          {owner.desired !== null && owner.ready !== null && owner.ready < owner.desired && (
            <Chip tone="near">{owner.desired - owner.ready} missing</Chip>
          )}
        </span>
        <span className="figure cores">
          <Figure value={coresText(owner.cpu_usage_cores)} unit="cores" />
        </span>
        <span className="figure">
          <Figure {...megabytesQuantity(owner.memory_usage_mb)} />
        </span>
        <span className="figure">{plural(owner.restarts_24h, 'restart')}</span>
      </Head>
      <div id={id}>{open && <GroupPods {...props} />}</div>
    </li>
  );
}

interface OwnerGroupsProps {
  view: PodsView;
  cluster: string | null;
  onOpen: (pod: Pod) => void;
  onOffset: (offset: number) => void;
  clusterName: ClusterNameOf;
}

/** Deployments, StatefulSets, DaemonSets, Jobs … and what runs for each; a group opens in place. */
export function OwnerGroups({ view, cluster, onOpen, onOffset, clusterName }: OwnerGroupsProps) {
  const asked = useQuery(
    ownersQuery({
      limit: PAGE_ROWS,
      offset: view.offset,
      sort: 'cpu',
      order: 'desc',
      ...(cluster === null ? {} : { cluster_id: cluster }),
      ...(view.search.trim() === '' ? {} : { search: view.search.trim() }),
      ...(view.namespace === '' ? {} : { namespace: view.namespace }),
      ...(view.owner === '' ? {} : { owner_kind: view.owner }),
    }),
  );
  const owners = asked.data?.owners ?? [];
  return (
    <Panel>
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={8} height={44} />}
      {asked.data !== undefined && owners.length === 0 && (
        <EmptyState sentence={isFiltered(view) ? 'No pods match your filters' : 'No pods found'} />
      )}
      <Rows>
        {owners.map((owner) => (
          <Group
            key={`${owner.cluster_id}/${owner.namespace}/${owner.owner_kind}/${owner.owner_name}`}
            owner={owner}
            clusterName={clusterName(owner.cluster_id)}
            openKey={view.pod}
            onOpen={onOpen}
          />
        ))}
      </Rows>
      {asked.data !== undefined && owners.length > 0 && (
        <Pager offset={view.offset} limit={PAGE_ROWS} total={asked.data.total} onOffset={onOffset} />
      )}
    </Panel>
  );
}
