import Button from '@mui/material/Button';
import { useState } from 'react';
import { nodePodsQuery } from '../../api/kubernetes.ts';
import { useQuery } from '../../api/query.ts';
import { ExportButton } from '../../components/export/export-button.tsx';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { podsExport } from '../../components/kubernetes/cluster-exports.ts';
import { podKey } from '../../components/kubernetes/kubernetes-words.ts';
import { PodTable } from '../../components/kubernetes/pod-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { paths } from '../../paths.ts';
import { useNavigate } from '../../router.ts';
import { printing } from '../../state/printing.ts';
import { useStored } from '../../state/use-stored.ts';

/** More than a kubelet runs in any installation known to us. */
const MOST_PODS = 500;
/** The column beside them is about as high. */
const FIRST_PODS = 12;

/** The pods of a node, the worst first; a full node has more than a screen of them. */
export function NodePods({ serverId, nodeName }: { serverId: string; nodeName: string }) {
  const asked = useQuery(nodePodsQuery(serverId, MOST_PODS));
  const navigate = useNavigate();
  const [all, setAll] = useState(false);
  const [prints] = useStored(printing);
  const pods = asked.data?.pods ?? [];
  const shown = all || prints ? pods : pods.slice(0, FIRST_PODS);
  return (
    <Panel
      title="Pods"
      note={asked.data === undefined ? undefined : String(asked.data.total)}
      actions={<ExportButton holds={['pods', nodeName]} table={() => podsExport(pods)} disabled={pods.length === 0} />}
    >
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={6} height={40} />}
      {asked.data !== undefined && pods.length === 0 && <EmptyState sentence="No pods found on this node" />}
      {pods.length > 0 && (
        <PodTable
          label={`Pods on ${nodeName}`}
          pods={shown}
          compact
          grouped
          onOpen={(pod) => void navigate(paths.kubernetesPod(podKey(pod)))}
        />
      )}
      {shown.length < pods.length && (
        <Button fullWidth onClick={() => setAll(true)}>
          Show all {pods.length} pods
        </Button>
      )}
    </Panel>
  );
}
