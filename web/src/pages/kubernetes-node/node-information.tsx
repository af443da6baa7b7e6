import { styled } from '@mui/material/styles';
import { isBadCondition } from '@plimsoll/contract/rules/node-conditions';
import type { KubernetesNode } from '@plimsoll/contract/wire/kubernetes';
import { Chip } from '../../components/chips.tsx';
import { Facts } from '../../components/facts.tsx';
import { Panel, Rows } from '../../components/panel.tsx';
import { momentMs } from '../../time/age.ts';
import { Age } from '../../components/age.tsx';
import { numberText } from '../../format/figures.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';

const Condition = styled('li')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 10,
  minHeight: 36,
  padding: '4px 16px',
  '& > small': {
    ...theme.typography.caption,
    minWidth: 0,
    marginLeft: 'auto',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    color: theme.vars.palette.load.text3,
  },
}));

export function NodeConditions({ node }: { node: KubernetesNode }) {
  if (node.conditions.length === 0) return null;
  return (
    <Panel title="Conditions">
      <Rows>
        {node.conditions.map(({ type, status, reason, message, since }) => (
          <Condition key={type} title={message === null ? undefined : escapeInvisible(message)}>
            <span>{escapeInvisible(type)}</span>
            <Chip tone={isBadCondition({ type, status }) || status === 'Unknown' ? 'over' : 'plain'}>
              {escapeInvisible(status)}
            </Chip>
            <small>
              {reason === null ? null : escapeInvisible(reason)}
              {since !== null && (
                <>
                  {' '}
                  <Age at={momentMs(since)} suffix="" />
                </>
              )}
            </small>
          </Condition>
        ))}
      </Rows>
    </Panel>
  );
}

const stallText = (stall: { some_percent: number } | null) =>
  stall === null ? 'N/A' : `${numberText(stall.some_percent, 1)} %`;

export function NodeInformation({ node }: { node: KubernetesNode }) {
  const { stall, agent } = node;
  const text = (value: string | null) => (value === null ? null : escapeInvisible(value));
  return (
    <Panel title="Node Information">
      <Facts
        facts={[
          { name: 'Server ID', value: <code>{node.server_id}</code> },
          { name: 'Cluster', value: text(node.cluster_name ?? node.cluster_id) },
          { name: 'Roles', value: node.roles.map(escapeInvisible).join(', ') || '—' },
          { name: 'Taints', value: node.taints.map(escapeInvisible).join(', ') || '—' },
          { name: 'Internal IP', value: text(node.internal_ip) },
          { name: 'OS image', value: text(node.os_image) },
          { name: 'Kernel', value: text(node.kernel) },
          { name: 'Runtime', value: text(node.container_runtime) },
          {
            name: 'Pressure',
            value:
              stall === null
                ? `N/A${node.stall_reason === null ? '' : `, ${node.stall_reason}`}`
                : `CPU ${stallText(stall.cpu)}, memory ${stallText(stall.memory)}, IO ${stallText(stall.io)}`,
          },
          { name: 'Restarts 24 h', value: numberText(node.restarts_24h) },
          {
            name: 'Agent',
            value:
              agent === null
                ? 'none: metrics-server provides the figures'
                : `${agent.mode}${agent.kubelet_tls_verified ? '' : ', kubelet TLS not verified'}`,
          },
        ]}
      />
    </Panel>
  );
}
