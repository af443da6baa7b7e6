import { styled } from '@mui/material/styles';
import type { Cluster } from '@plimsoll/contract/wire/kubernetes';
import { useState } from 'react';
import { allowOrganisationRules } from '../../api/kubernetes.ts';
import { useQueryClient } from '../../api/query.ts';
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { Check } from '../../components/form/check.tsx';
import { Panel, Rows } from '../../components/panel.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';

const Line = styled('li')({ padding: '6px 16px', overflowWrap: 'anywhere' });
const nameOf = ({ name, cluster_id: id }: Cluster): string => escapeInvisible(name ?? id.slice(0, 8));

/** For admins: which clusters may set rules of the whole organisation by their custom resources. */
export function ObjectsPanel({ clusters }: { clusters: readonly Cluster[] }) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Cluster | null>(null);
  const [error, setError] = useState<string | null>(null);
  const change = async (cluster: Cluster) => {
    setAsked(null);
    setError(null);
    try {
      await allowOrganisationRules(cluster.cluster_id, !cluster.objects_rule_organisation);
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : 'Unknown error');
    }
    await queries.invalidateQueries({ queryKey: ['kubernetes', 'clusters'] });
  };
  if (clusters.length === 0) return null;
  return (
    <Panel title="Custom resources" note="rules that concern more than their cluster">
      {error !== null && <Notice tone="error">{error}</Notice>}
      <Rows>
        {clusters.map((cluster) => (
          <Line key={cluster.cluster_id}>
            <Check checked={cluster.objects_rule_organisation} onChange={() => setAsked(cluster)}>
              The objects of {nameOf(cluster)} may set rules of the whole organisation
            </Check>
          </Line>
        ))}
      </Rows>
      {asked !== null && (
        <Question cluster={asked} onConfirm={() => void change(asked)} onClose={() => setAsked(null)} />
      )}
    </Panel>
  );
}

interface QuestionProps {
  cluster: Cluster;
  onConfirm: () => void;
  onClose: () => void;
}

function Question({ cluster, onConfirm, onClose }: QuestionProps) {
  const ends = cluster.objects_rule_organisation;
  return (
    <ConfirmDialog
      open
      danger={ends}
      title={`${ends ? 'End' : 'Allow'} rules of the whole organisation?`}
      confirm={ends ? 'End' : 'Allow'}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <span>
        {ends
          ? `Alert rules that objects of ${nameOf(cluster)} set beyond this cluster are deleted. The objects become Degraded.`
          : `Whoever may write objects in the namespace of the release, or has the cluster token of ${nameOf(cluster)}, can then change and switch off alerts of every server.`}
      </span>
    </ConfirmDialog>
  );
}
