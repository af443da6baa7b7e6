import { kubernetesEventsQuery, podsQuery, type WorkloadName } from '../../api/kubernetes.ts';
import { useQuery } from '../../api/query.ts';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { podKey } from '../../components/kubernetes/kubernetes-words.ts';
import { PodTable } from '../../components/kubernetes/pod-table.tsx';
import { WarningRows } from '../../components/kubernetes/warning-rows.tsx';
import { Panel } from '../../components/panel.tsx';
import { numberText } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { Link, useNavigate } from '../../router.ts';

const PODS_SHOWN = 50;
const EVENTS_SHOWN = 8;
const HOURS = 24;
const ownedBy = ({ clusterId, namespace, kind, name }: WorkloadName) => ({
  cluster_id: clusterId,
  namespace,
  owner_kind: kind,
  owner_name: name,
});

/** The pods of the workload, the worst first. */
export function WorkloadPods({ workload }: { workload: WorkloadName }) {
  const asked = useQuery(podsQuery({ ...ownedBy(workload), sort: 'state', order: 'asc', limit: PODS_SHOWN }));
  const navigate = useNavigate();
  const { clusterId, namespace, kind, name } = workload;
  const search = new URLSearchParams({ cluster: clusterId, namespace, owner: kind, search: name });
  const pods = asked.data?.pods ?? [];
  return (
    <Panel
      title="Pods"
      note={asked.data === undefined ? undefined : numberText(asked.data.total)}
      actions={<Link to={`${paths.kubernetesPods}?${search.toString()}`}>In the list of pods</Link>}
    >
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={5} height={40} />}
      {asked.data !== undefined && pods.length === 0 && <EmptyState sentence="No pods found" />}
      {pods.length > 0 && (
        <PodTable
          label={`Pods of ${name}`}
          pods={pods}
          compact
          grouped
          onOpen={(pod) => void navigate(paths.kubernetesPod(podKey(pod)))}
        />
      )}
    </Panel>
  );
}

/** Events of the workload, its pods, ReplicaSets and Jobs in the last day. */
export function WorkloadEvents({ workload }: { workload: WorkloadName }) {
  const asked = useQuery(kubernetesEventsQuery({ ...ownedBy(workload), hours: HOURS, limit: EVENTS_SHOWN }));
  const { data } = asked;
  const search = new URLSearchParams({ cluster: workload.clusterId, search: workload.name });
  return (
    <Panel
      title="Events"
      note="last 24 hours"
      actions={
        data !== undefined && data.total > 0 ? (
          <Link to={`${paths.kubernetesEvents}?${search.toString()}`}>All {numberText(data.total)}</Link>
        ) : undefined
      }
    >
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={4} height={40} />}
      {data?.events.length === 0 && <EmptyState sentence="No events in the last 24 hours" />}
      {data !== undefined && <WarningRows events={data.events} />}
    </Panel>
  );
}
