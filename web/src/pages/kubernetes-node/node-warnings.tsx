import type { KubernetesNode } from '@plimsoll/contract/wire/kubernetes';
import { kubernetesEventsQuery } from '../../api/kubernetes.ts';
import { useQuery } from '../../api/query.ts';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { WarningRows } from '../../components/kubernetes/warning-rows.tsx';
import { Panel } from '../../components/panel.tsx';

const SHOWN = 20;
const HOURS = 24;

/** Warning events about the node itself: disk pressure, failed mounts, a kubelet that stopped. */
export function NodeWarnings({ node }: { node: KubernetesNode }) {
  const asked = useQuery(
    kubernetesEventsQuery({
      cluster_id: node.cluster_id,
      kind: 'Node',
      name: node.node_name,
      type: 'Warning',
      hours: HOURS,
      limit: SHOWN,
    }),
  );
  const { data } = asked;
  if (data === undefined && asked.error === null) return null;
  if (data?.events.length === 0) return null;
  return (
    <Panel title="Warning events" note="last 24 hours">
      <Failure asked={asked} />
      {data !== undefined && <WarningRows events={data.events} subject={false} />}
    </Panel>
  );
}
