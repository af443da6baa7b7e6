import { useClusterMoment } from '../../api/cluster-moment.ts';
import { clusterOverviewQuery, clustersQuery, kubernetesEventsQuery } from '../../api/kubernetes.ts';
import { useQuery } from '../../api/query.ts';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { SearchField } from '../../components/form/search-field.tsx';
import { Filter, Toolbar } from '../../components/form/toolbar.tsx';
import { useTyped } from '../../components/form/use-typed.ts';
import { useClusterNames } from '../../api/cluster-names.ts';
import { ClusterSelect } from '../../components/kubernetes/cluster-select.tsx';
import { EventRows } from '../../components/kubernetes/event-rows.tsx';
import { KubernetesSection, useClusterId } from '../../components/kubernetes/section.tsx';
import { Pager } from '../../components/pager.tsx';
import { Panel } from '../../components/panel.tsx';
import { plural } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { useAddressFilters } from '../../state/address-filters.ts';

const HOURS = 24;
const PAGE_ROWS = 100;
const all = { value: '', label: 'All' };
const named = (values: readonly string[], chosen: string) =>
  [...new Set([...values, ...(chosen === '' ? [] : [chosen])])].map((value) => ({ value, label: value }));

/** Events of the clusters in the last day: what happened, to what, how often. */
export function Component() {
  const cluster = useClusterId();
  const { values, chosen, offset, set } = useAddressFilters(['search', 'type', 'reason', 'kind']);
  const asked = useQuery(
    kubernetesEventsQuery({
      ...chosen,
      ...(cluster === null ? {} : { cluster_id: cluster }),
      hours: HOURS,
      limit: PAGE_ROWS,
      offset,
    }),
  );
  const overview = useQuery(clusterOverviewQuery(cluster));
  const clusters = useQuery(clustersQuery()).data?.clusters ?? [];
  const clusterName = useClusterNames(cluster);
  const moment = useClusterMoment(cluster);
  const [typed, setTyped] = useTyped(values.search, (search) => set({ search }));
  const answer = asked.data;
  const isFiltered = Object.keys(chosen).length > 0;
  return (
    <KubernetesSection
      tab="events"
      crumbs={[{ label: 'Kubernetes', to: paths.kubernetes }, { label: 'Events' }]}
      title="Kubernetes Events"
      sentence={
        answer === undefined ? 'Events of the last 24 hours' : `${plural(answer.total, 'event')} in the last 24 hours`
      }
      overview={overview}
      moment={moment}
    >
      <Toolbar>
        <SearchField label="Search events" value={typed} onChange={setTyped} />
        <ClusterSelect clusters={clusters} />
        <Filter
          label="Type"
          value={values.type}
          options={[all, ...named(['Warning', 'Normal'], values.type)]}
          onChange={(type) => set({ type })}
        />
        <Filter
          label="Reason"
          value={values.reason}
          options={[all, ...named(answer?.reasons ?? [], values.reason)]}
          onChange={(reason) => set({ reason })}
        />
        <Filter
          label="Object"
          value={values.kind}
          options={[all, ...named(answer?.kinds ?? [], values.kind)]}
          onChange={(kind) => set({ kind })}
        />
      </Toolbar>
      <Panel>
        <Failure asked={asked} />
        {asked.isPending && <RowsSkeleton rows={10} height={48} />}
        {answer?.events.length === 0 && (
          <EmptyState
            sentence={isFiltered ? 'No events match your filters' : 'No events found'}
            reason={
              isFiltered
                ? 'Remove a filter to see more events.'
                : 'Nothing happened in the cluster in the last 24 hours.'
            }
          />
        )}
        {answer !== undefined && answer.events.length > 0 && (
          <EventRows events={answer.events} clusterName={clusterName} />
        )}
        {answer !== undefined && answer.total > PAGE_ROWS && (
          <Pager
            offset={offset}
            limit={PAGE_ROWS}
            total={answer.total}
            onOffset={(next) => set({ offset: String(next) })}
          />
        )}
      </Panel>
    </KubernetesSection>
  );
}
