import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { KubernetesNode } from '@plimsoll/contract/wire/kubernetes';
import { NodeName, NodeRows, NodeUptime, NodeUsageCells } from '../../components/kubernetes/node-load.tsx';
import type { ClusterNameOf } from '../../components/kubernetes/cluster-name-of.ts';
import { Panel } from '../../components/panel.tsx';
import { numberText } from '../../format/figures.ts';
import { shortId } from '../../components/kubernetes/kubernetes-words.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';

const COLUMNS = ['Node Name', 'OS', 'Pods', 'CPU Usage', 'Memory Usage', 'Disk Usage', 'Uptime'] as const;

function noteOf(node: KubernetesNode, clusterName: ClusterNameOf): string {
  const cluster = clusterName(node.cluster_id);
  const id = `ID: ${shortId(node.server_id)}`;
  return cluster === null ? id : `${escapeInvisible(cluster)} · ${id}`;
}

export function NodeTable({ nodes, clusterName }: { nodes: readonly KubernetesNode[]; clusterName: ClusterNameOf }) {
  return (
    <Panel>
      <NodeRows>
        <Table aria-label="Kubernetes nodes">
          <TableHead>
            <TableRow>
              {COLUMNS.map((column) => (
                <TableCell key={column}>{column}</TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {nodes.map((node) => (
              <TableRow key={node.server_id}>
                <TableCell sx={{ py: 0.5 }}>
                  <NodeName node={node} note={noteOf(node, clusterName)} />
                </TableCell>
                <TableCell data-name="OS">{escapeInvisible(node.os_type ?? 'N/A')}</TableCell>
                <TableCell data-name="Pods" className="figure-only">
                  {numberText(node.metrics.pods_count)}
                </TableCell>
                <NodeUsageCells node={node} />
                <TableCell data-name="Uptime" className="figure-only">
                  <NodeUptime node={node} />
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </NodeRows>
    </Panel>
  );
}
