import { styled } from '@mui/material/styles';
import type { Pod } from '@plimsoll/contract/wire/kubernetes';
import { useClusterMoment } from '../../api/cluster-moment.ts';
import { clusterOverviewQuery, clustersQuery, podsQuery } from '../../api/kubernetes.ts';
import { useEveryRow } from '../../api/every-row.ts';
import { useQuery } from '../../api/query.ts';
import { ExportButton } from '../../components/export/export-button.tsx';
import { useClusterNames } from '../../api/cluster-names.ts';
import { podsExport } from '../../components/kubernetes/cluster-exports.ts';
import { KubernetesSection, useClusterId } from '../../components/kubernetes/section.tsx';
import { plural } from '../../format/figures.ts';
import { podKey } from '../../components/kubernetes/kubernetes-words.ts';
import { paths } from '../../paths.ts';
import { useSearchParams } from '../../router.ts';
import { OwnerGroups } from './owner-groups.tsx';
import { PodDrawer } from './pod-drawer.tsx';
import { PodsList } from './pods-list.tsx';
import { PodsToolbar } from './pods-toolbar.tsx';
import { parsePodsView, podOfKey, podsQueryOf, withPodsView } from './pods-view.ts';
import type { PodsView } from './pods-view.ts';
import { SummaryCards } from './summary-cards.tsx';
import { SummaryChips } from './summary-chips.tsx';
import { usePodKeys } from './use-pod-keys.ts';

const Split = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: 12,
  alignItems: 'start',
  gridTemplateColumns: 'minmax(0, 1fr)',
  '@media (min-width: 1280px)': { '&[data-open]': { gridTemplateColumns: 'minmax(0, 1fr) 354px' } },
  [theme.breakpoints.down('sm')]: { gap: 0 },
}));
/** On a small screen the list comes before the cards. */
const Ordered = styled('div')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  gap: 16,
  [theme.breakpoints.down('sm')]: { gap: 12, '& > .cards': { order: 1 } },
}));

export function Component() {
  const cluster = useClusterId();
  const [search, setSearch] = useSearchParams();
  const view = parsePodsView(search);
  const change = (part: Partial<PodsView>) =>
    setSearch((before) => withPodsView(before, part), { replace: 'pod' in part });
  const asked = useQuery(podsQuery(podsQueryOf(view, cluster)));
  const overview = useQuery(clusterOverviewQuery(cluster));
  const clusters = useQuery(clustersQuery()).data?.clusters ?? [];

  const everyPod = useEveryRow(
    (page) => podsQuery({ ...podsQueryOf(view, cluster), ...page }),
    ({ pods, total }) => ({ rows: pods, total }),
  );

  const answer = asked.data;
  const open = podOfKey(view.pod);
  const onOpen = (pod: Pod) => change({ pod: podKey(pod) === view.pod ? null : podKey(pod) });
  usePodKeys({ keys: answer?.pods.map(podKey) ?? [], open: view.pod, onOpen: (pod) => change({ pod }) });
  const nodes = overview.data?.total_nodes ?? 0;
  const moment = useClusterMoment(cluster);
  const clusterName = useClusterNames(cluster);
  return (
    <KubernetesSection
      tab="pods"
      crumbs={[{ label: 'Kubernetes', to: paths.kubernetes }, { label: 'Pods' }]}
      title="Kubernetes Pods"
      sentence={
        answer === undefined
          ? 'Pods of your clusters by namespace and owner'
          : `${plural(answer.summary.total, 'pod')} on ${plural(nodes, 'node')}`
      }
      aside={answer && <SummaryChips summary={answer.summary} />}
      overview={overview}
      moment={moment}
    >
      <Ordered>
        <div className="cards">{answer && <SummaryCards summary={answer.summary} clusterName={clusterName} />}</div>
        <PodsToolbar
          view={view}
          summary={answer?.summary}
          clusters={clusters}
          onChange={change}
          exporting={
            <ExportButton
              holds={['pods', view.namespace, view.phase]}
              table={async () => podsExport(await everyPod())}
              disabled={(answer?.total ?? 0) === 0}
              labelled
            />
          }
        />
        <Split data-open={open === null ? undefined : ''}>
          {view.view === 'owner' ? (
            <OwnerGroups
              view={view}
              cluster={cluster}
              onOpen={onOpen}
              onOffset={(offset) => change({ offset })}
              clusterName={clusterName}
            />
          ) : (
            <PodsList asked={asked} view={view} onChange={change} onOpen={onOpen} clusterName={clusterName} />
          )}
          {open !== null && <PodDrawer pod={open} onClose={() => change({ pod: null })} />}
        </Split>
      </Ordered>
    </KubernetesSection>
  );
}
