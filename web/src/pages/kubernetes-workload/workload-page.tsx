import { styled } from '@mui/material/styles';
import type { WorkloadAnswer } from '@plimsoll/contract/wire/kubernetes';
import { useState, useSyncExternalStore } from 'react';
import { changesQuery } from '../../api/change-ledger.ts';
import { useClusterMoment } from '../../api/cluster-moment.ts';
import { clusterOverviewQuery, workloadQuery } from '../../api/kubernetes.ts';
import { ROWS } from '../../api/polling.ts';
import { useQuery } from '../../api/query.ts';
import { WorkloadSizing } from '../../components/capacity/workload-sizing.tsx';
import { WorkloadChanges } from '../../components/changes/workload-changes.tsx';
import { Chip } from '../../components/chips.tsx';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { CopyButton } from '../../components/form/copy-button.tsx';
import { kubectlGet } from '../../components/kubernetes/kubectl.ts';
import { KubernetesSection } from '../../components/kubernetes/section.tsx';
import { shortId } from '../../components/kubernetes/kubernetes-words.ts';
import { Panel } from '../../components/panel.tsx';
import { BandIcon } from '../../components/status-icons.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { plural } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { useParams } from '../../router.ts';
import { ageText, momentMs } from '../../time/age.ts';
import { onTick } from '../../time/clock.ts';
import { SilenceWorkload } from './silence-workload.tsx';
import { WorkloadAlerts } from './workload-alerts.tsx';
import { WorkloadClusters } from './workload-clusters.tsx';
import { WorkloadEvents, WorkloadPods } from './workload-lists.tsx';
import { WorkloadRollouts } from './workload-rollouts.tsx';
import { WorkloadUse } from './workload-use.tsx';

const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 2fr) minmax(0, 1fr)',
  alignItems: 'start',
  gap: 12,
  '& > div': { display: 'grid', gap: 12, gridTemplateColumns: 'minmax(0, 1fr)' },
  [theme.breakpoints.down('lg')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}));

/** "5 of 8 ready"; a kind without replicas counts its pods. */
function readyWords({ desired, ready, owner }: WorkloadAnswer): string {
  return desired === null || ready === null
    ? plural(owner?.pods ?? 0, 'pod')
    : `${String(ready)} of ${String(desired)} ready`;
}

/** "Deployment in prod-fra, 5 of 8 ready. 3 replicas missing for 14 min." */
function sentenceOf(answer: WorkloadAnswer, nowMs: number): string {
  const { kind, desired, ready, suspended } = answer;
  const cluster = answer.cluster_name ?? shortId(answer.cluster_id);
  const since = momentMs(answer.short_since);
  const missing =
    desired === null || ready === null || since === null || ready >= desired
      ? null
      : `${plural(desired - ready, 'replica')} missing for ${ageText(Math.max(0, (nowMs - since) / 1000))}.`;
  const switchedOff = suspended !== true ? null : kind === 'CronJob' ? 'It is suspended.' : 'It is paused.';
  return [`${kind} in ${cluster}, ${readyWords(answer)}.`, missing, switchedOff]
    .filter((one) => one !== null)
    .join(' ');
}

function StateChip({ answer }: { answer: WorkloadAnswer }) {
  const broken = (answer.owner?.phases.Failed ?? 0) + (answer.owner?.phases.Unknown ?? 0);
  const missing = answer.desired === null || answer.ready === null ? 0 : Math.max(0, answer.desired - answer.ready);
  if (broken > 0)
    return (
      <Chip tone="over">
        <BandIcon band="over" />
        {plural(broken, 'pod')} failed
      </Chip>
    );
  if (missing > 0)
    return (
      <Chip tone="near">
        <BandIcon band="near" />
        {missing} missing
      </Chip>
    );
  return answer.suspended === true ? <Chip>{answer.kind === 'CronJob' ? 'Suspended' : 'Paused'}</Chip> : null;
}

/** One workload: its pods, rollouts, requests against use, alerts and events. */
export function Component() {
  const { cluster = '', namespace = '', kind = '', name = '' } = useParams();
  const workload = { clusterId: cluster, namespace, kind, name };
  const asked = useQuery(workloadQuery(workload));
  const overview = useQuery(clusterOverviewQuery(cluster));
  const moment = useClusterMoment(cluster);
  const [hours, setHours] = useState(24);
  const place = { cluster_id: cluster, namespace, kind, name };
  const changes = useQuery(changesQuery({ kind: 'relative', hours }, { ...place, limit: ROWS.chartChanges }));
  const answer = asked.data;
  const sentence = useSyncExternalStore(onTick, () => (answer === undefined ? kind : sentenceOf(answer, Date.now())));
  const title = `${namespace}/${name}`;
  return (
    <KubernetesSection
      tab={null}
      crumbs={[
        { label: 'Kubernetes', to: paths.kubernetes },
        { label: 'Workloads', to: paths.kubernetesWorkloads },
        { label: escapeInvisible(title) },
      ]}
      title={escapeInvisible(title)}
      chip={answer && <StateChip answer={answer} />}
      sentence={escapeInvisible(sentence)}
      aside={
        <>
          <CopyButton text={kubectlGet(workload)} label="kubectl" copied="Copied" />
          {answer !== undefined && <SilenceWorkload workload={answer} />}
        </>
      }
      overview={overview}
      moment={moment}
    >
      {asked.isPending && <RowsSkeleton rows={8} height={40} />}
      {asked.error !== null && asked.error.status === 404 ? (
        <Panel>
          <EmptyState
            size="page"
            sentence="Workload not found"
            reason="It was deleted, or no pod of it was reported yet."
          />
        </Panel>
      ) : (
        <Failure asked={asked} />
      )}
      {answer !== undefined && (
        <Columns>
          <div>
            <WorkloadChanges asked={changes} hours={hours} onHours={setHours} />
            <WorkloadRollouts answer={answer} />
            <WorkloadPods workload={workload} />
            <WorkloadClusters answer={answer} />
            <WorkloadAlerts alerts={answer.alerts} />
          </div>
          <div>
            <WorkloadUse answer={answer} />
            <WorkloadSizing workload={workload} />
            <WorkloadEvents workload={workload} />
          </div>
        </Columns>
      )}
    </KubernetesSection>
  );
}
