import { styled } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { ClusterMomentAnswer, NodeThen, PodThen } from '@plimsoll/contract/wire/kubernetes-moment';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { numberText } from '../../format/figures.ts';
import { Failure, type Asking } from '../feedback/feed-panel.tsx';
import { Notice } from '../feedback/notice.tsx';
import { RowsSkeleton } from '../feedback/skeletons.tsx';
import { EmptyState } from '../feedback/states.tsx';
import { Figure } from '../figure.tsx';
import { Panel } from '../panel.tsx';

const Frame = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: 12,
  gridTemplateColumns: 'minmax(0, 1fr)',
  '& table': { tableLayout: 'fixed' },
  '& td, & th': { padding: '0 9px' },
  // A reason may take a second line; a number keeps its unit beside it.
  '& td': { whiteSpace: 'normal' },
  '& tbody th, & td.text': { overflowWrap: 'anywhere', fontWeight: 400 },
  [theme.breakpoints.down('sm')]: { '& .wide': { display: 'none' } },
}));

/** A query for a moment of a cluster. */
export type MomentAsked = Asking & {
  data?: ClusterMomentAnswer | undefined;
  /** Clusters of the organisation; absent: not known. */
  clusters?: number;
};

const UNKNOWN = 'not stored';

function NodesThen({ nodes, restartsReason }: { nodes: readonly NodeThen[]; restartsReason: string | null }) {
  return (
    <Table size="small" aria-label="Nodes at that moment">
      <TableHead>
        <TableRow>
          <TableCell>Node</TableCell>
          <TableCell align="right">CPU</TableCell>
          <TableCell align="right">Memory</TableCell>
          <TableCell align="right">Pods</TableCell>
          <TableCell align="right" className="wide">
            Restarts 24 h
          </TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {nodes.map((node) => (
          <TableRow key={node.server_id}>
            <TableCell component="th" scope="row">
              {escapeInvisible(node.node_name)}
            </TableCell>
            <TableCell align="right">
              <Figure value={numberText(node.cpu_usage, 1)} unit="%" reason={UNKNOWN} />
            </TableCell>
            <TableCell align="right">
              <Figure value={numberText(node.memory_usage, 1)} unit="%" reason={UNKNOWN} />
            </TableCell>
            <TableCell align="right">{numberText(node.pods_count)}</TableCell>
            <TableCell align="right" className="wide">
              <Figure value={numberText(node.restarts_24h)} reason={restartsReason ?? undefined} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function PodsThen({ pods, restartsReason }: { pods: readonly PodThen[]; restartsReason: string | null }) {
  return (
    <Table size="small" aria-label="Pods at that moment">
      <TableHead>
        <TableRow>
          <TableCell sx={{ width: { sm: '32%' } }}>Pod</TableCell>
          <TableCell className="wide">Namespace</TableCell>
          <TableCell className="wide">Node</TableCell>
          <TableCell align="right">CPU</TableCell>
          <TableCell align="right">Memory</TableCell>
          <TableCell align="right">Restarts 24 h</TableCell>
          <TableCell align="right" className="wide">
            OOM kills 24 h
          </TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {pods.map((pod) => (
          <TableRow key={`${pod.cluster_id}/${pod.namespace}/${pod.pod_name}`}>
            <TableCell component="th" scope="row">
              {escapeInvisible(pod.pod_name)}
            </TableCell>
            <TableCell className="wide text">{escapeInvisible(pod.namespace)}</TableCell>
            <TableCell className="wide text">{escapeInvisible(pod.node_name ?? 'none')}</TableCell>
            <TableCell align="right">
              <Figure value={numberText(pod.cpu_usage_cores, 2)} unit="cores" reason={UNKNOWN} />
            </TableCell>
            <TableCell align="right">
              <Figure value={numberText(pod.memory_usage_mb)} unit="MB" reason={UNKNOWN} />
            </TableCell>
            <TableCell align="right">
              <Figure value={numberText(pod.restarts_24h)} reason={restartsReason ?? undefined} />
            </TableCell>
            <TableCell align="right" className="wide">
              <Figure value={numberText(pod.oom_kills_24h)} reason={restartsReason ?? undefined} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function Found({ answer }: { answer: ClusterMomentAnswer }) {
  const { nodes, pods, total_pods: total, restarts_reason: restartsReason, not_stored: missing } = answer;
  if (nodes.length === 0 && total === 0)
    return (
      <Panel>
        <EmptyState
          sentence="No node or pod is known of this moment"
          reason="The cluster was not monitored yet, or its history is over."
        />
      </Panel>
    );
  return (
    <>
      <Notice>
        <p>From stored usage and restarts. N/A at this moment, because no history is stored: {missing.join(', ')}.</p>
      </Notice>
      <Panel title="Nodes" note={nodes.length}>
        <NodesThen nodes={nodes} restartsReason={restartsReason} />
      </Panel>
      <Panel
        title="Pods"
        note={total > pods.length ? `${pods.length} of ${numberText(total)}, most restarts first` : total}
      >
        <PodsThen pods={pods} restartsReason={restartsReason} />
      </Panel>
    </>
  );
}

/** A cluster at a moment of the past: usage and restarts of its nodes and pods, and what is not known. */
export function ClusterThen({ asked }: { asked: MomentAsked }) {
  return (
    <Frame>
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={10} height={32} />}
      {asked.data !== undefined && <Found answer={asked.data} />}
    </Frame>
  );
}
