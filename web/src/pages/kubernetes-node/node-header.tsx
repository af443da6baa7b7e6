import { styled } from '@mui/material/styles';
import type { KubernetesNode } from '@plimsoll/contract/wire/kubernetes';
import { Chip } from '../../components/chips.tsx';
import { NodeHeadroom, ReadyIcon } from '../../components/kubernetes/node-load.tsx';
import { numberText } from '../../format/figures.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';

const Line = styled('span')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: '2px 16px',
  color: theme.vars.palette.text.secondary,
  '& b': { fontWeight: 500, color: theme.vars.palette.text.primary },
}));

/** Ready, not ready, or no recent report; and whether new pods may come. */
export function NodeState({ node }: { node: KubernetesNode }) {
  const words = node.ready === true ? 'Ready' : node.ready === false ? 'Not Ready' : 'Unknown';
  return (
    <>
      <Chip tone={node.ready === true ? 'plain' : 'over'}>
        <ReadyIcon node={node} />
        {words}
      </Chip>
      {node.unschedulable && <Chip tone="near">Cordoned</Chip>}
      <NodeHeadroom node={node} form="full" />
    </>
  );
}

/** Operating system and architecture, and what else tells this node from another. */
export function NodeFacts({ node }: { node: KubernetesNode }) {
  const { cpu_cores: cores, memory_mb: memory } = node.capacity;
  return (
    <Line>
      <span>
        OS <b>{escapeInvisible(node.os_type ?? 'Linux')}</b>
      </span>
      <span>
        Architecture <b>{escapeInvisible(node.architecture ?? 'x86_64')}</b>
      </span>
      {cores !== null && (
        <span>
          Cores <b>{numberText(cores, Number.isInteger(cores) ? 0 : 1)}</b>
        </span>
      )}
      {memory !== null && (
        <span>
          Memory <b>{numberText(memory / 1024, 1)}</b> GB
        </span>
      )}
      {node.kubelet_version !== null && (
        <span>
          kubelet <b>{escapeInvisible(node.kubelet_version)}</b>
        </span>
      )}
    </Line>
  );
}
