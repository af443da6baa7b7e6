import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { CapacityCluster, Survival } from '@plimsoll/contract/wire/capacity';
import { useState } from 'react';
import { capacityQuery } from '../../api/capacity.ts';
import { useClusterMoment } from '../../api/cluster-moment.ts';
import { clusterOverviewQuery } from '../../api/kubernetes.ts';
import { useQuery } from '../../api/query.ts';
import { useIsAdmin } from '../../api/user.ts';
import { Age } from '../../components/age.tsx';
import { clusterWords, nearestResource } from '../../components/capacity/capacity-words.ts';
import { AdviceForm } from './advice-form.tsx';
import { CostTable } from './cost-table.tsx';
import { FitsTable } from './fits-table.tsx';
import { LossTable } from './loss-table.tsx';
import { PoolsTable } from './pools-table.tsx';
import { ResourceRows } from './resource-rows.tsx';
import { Sentences } from './sentences.tsx';
import { SizingTable } from './sizing-table.tsx';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { Filter } from '../../components/form/toolbar.tsx';
import { KubernetesSection, useClusterId } from '../../components/kubernetes/section.tsx';
import { Panel } from '../../components/panel.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { plural } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { useSearchParams } from '../../router.ts';
import { momentMs } from '../../time/age.ts';

const Two = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
  alignItems: 'start',
  gap: 12,
  [theme.breakpoints.down('lg')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}));
const Notes = styled('ul')(({ theme }) => ({
  ...theme.typography.caption,
  margin: 0,
  paddingLeft: 16,
  color: theme.vars.palette.text.secondary,
  overflowWrap: 'anywhere',
}));

/** Page of a cluster: room for more pods, the loss of a node, the day it is full, and wrong sizes. */
export function Component() {
  const chosen = useClusterId();
  const isAdmin = useIsAdmin();
  const [isSetting, setSetting] = useState(false);
  const asked = useQuery(capacityQuery(chosen));
  const overview = useQuery(clusterOverviewQuery(chosen));
  const moment = useClusterMoment(chosen);
  const cluster = asked.data?.cluster ?? null;
  const computedAt = cluster?.computed_at == null ? null : momentMs(cluster.computed_at);
  return (
    <KubernetesSection
      tab="capacity"
      crumbs={[{ label: 'Kubernetes', to: paths.kubernetes }, { label: 'Capacity' }]}
      title={cluster === null ? 'Capacity' : escapeInvisible(clusterWords(cluster))}
      sentence={cluster === null ? 'What fits, and what the loss of a node would do' : sentenceOf(cluster)}
      aside={
        <>
          {computedAt !== null && <Age at={computedAt} prefix="Computed " />}
          {cluster !== null && isAdmin && (
            <Button variant="outlined" aria-expanded={isSetting} onClick={() => setSetting(!isSetting)}>
              Settings
            </Button>
          )}
          {cluster !== null && <ChooseCluster clusters={asked.data?.clusters ?? []} shown={cluster.cluster_id} />}
        </>
      }
      overview={overview}
      moment={moment}
    >
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={8} height={48} />}
      {asked.data !== undefined && cluster === null && (
        <Panel>
          <EmptyState
            size="page"
            sentence="No cluster found"
            reason="Connect one on the Kubernetes tab of Setup. Its plan appears within two minutes."
          />
        </Panel>
      )}
      {cluster !== null && isSetting && <AdviceForm key={cluster.cluster_id} cluster={cluster} />}
      {cluster !== null && <Plan cluster={cluster} />}
    </KubernetesSection>
  );
}

/** A plan is of one cluster, so there is no choice of all. Without a choice the one that is worst off is shown. */
function ChooseCluster({ clusters, shown }: { clusters: readonly Survival[]; shown: string }) {
  const [, setSearch] = useSearchParams();
  if (clusters.length < 2) return null;
  const options = clusters
    .map((one) => ({ value: one.cluster_id, label: clusterWords(one) }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
  const choose = (id: string) =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      next.set('cluster', id);
      return next;
    });
  return <Filter label="Cluster" value={shown} options={options} onChange={choose} />;
}

function sentenceOf(cluster: CapacityCluster): string {
  const counts = `${plural(cluster.nodes, 'node')}, ${plural(cluster.pods, 'pod')}.`;
  return [counts, nearestResource(cluster)].filter((part) => part !== null).join(' ');
}

function Plan({ cluster }: { cluster: CapacityCluster }) {
  return (
    <>
      <Sentences cluster={cluster} />
      {cluster.notes.length > 0 && (
        <Notes aria-label="Limits of these answers">
          {cluster.notes.map((note) => (
            <li key={note}>{escapeInvisible(note)}</li>
          ))}
        </Notes>
      )}
      {cluster.resources.length > 0 && <ResourceRows cluster={cluster} />}
      <Two>
        <FitsTable cluster={cluster} />
        <LossTable cluster={cluster} />
      </Two>
      <SizingTable cluster={cluster.cluster_id} />
      {cluster.pools.length > 0 && <PoolsTable cluster={cluster} />}
      {cluster.cost !== null && <CostTable cluster={cluster} cost={cluster.cost} />}
    </>
  );
}
