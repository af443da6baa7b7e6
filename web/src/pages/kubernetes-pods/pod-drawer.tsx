import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { ChangePlace } from '@plimsoll/contract/rules/changes';
import type { Pod, PodAnswer } from '@plimsoll/contract/wire/kubernetes';
import { useSyncExternalStore } from 'react';
import { changesQuery } from '../../api/change-ledger.ts';
import { podHistoryQuery, podQuery } from '../../api/kubernetes.ts';
import type { PodName } from '../../api/kubernetes.ts';
import { ROWS } from '../../api/polling.ts';
import { useQuery } from '../../api/query.ts';
import { OwnerChanges } from '../../components/changes/owner-changes.tsx';
import { CopyButton } from '../../components/form/copy-button.tsx';
import { LastWords } from '../../components/lines/last-words.tsx';
import { ExplainButton } from '../../components/explain-button.tsx';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { kubectlGet } from '../../components/kubernetes/kubectl.ts';
import { PhaseChip } from '../../components/kubernetes/phase-chip.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { whyText } from '../../components/kubernetes/kubernetes-words.ts';
import { ageText, momentMs } from '../../time/age.ts';
import { onTick } from '../../time/clock.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { PodLogs } from './pod-logs.tsx';
import { PodMemoryChart } from './pod-memory-chart.tsx';
import { PodContainers, PodEvents, PodFacts, PodLabels, PodVolumes } from './pod-parts.tsx';
import {
  Close as CloseIcon,
  LinkOutlined as LinkIcon,
  TerminalOutlined as TerminalIcon,
} from '../../components/icons/material.tsx';

/** From this width on the pod stands beside the table. */
const BESIDE_FROM = '(min-width: 1280px)';
const HISTORY_HOURS = 24;

const Beside = styled(Paper)({
  position: 'sticky',
  top: 'calc(68px + var(--moment-band, 0px))',
  maxHeight: 'calc(100vh - 80px - var(--moment-band, 0px))',
  overflowY: 'auto',
});
const Head = styled('header')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  gap: '6px 8px',
  padding: '12px 8px 12px 16px',
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& h2': { ...theme.typography.h2, margin: 0, overflowWrap: 'anywhere', alignSelf: 'center' },
  '& .where': {
    ...theme.typography.caption,
    gridColumn: '1 / -1',
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: 8,
    color: theme.vars.palette.text.secondary,
  },
}));

const Why = styled('p')(({ theme }) => ({
  margin: 0,
  padding: '10px 16px',
  fontWeight: 600,
  overflowWrap: 'anywhere',
  color: theme.vars.palette.load.overText,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
}));
const changeText = ({ container, from, to }: NonNullable<PodAnswer['image_change']>) =>
  escapeInvisible(`${container}: ${from} → ${to}`);

interface PodDrawerProps {
  pod: PodName;
  onClose: () => void;
}

/** The address that opens this pod, for a chat or a ticket. */
const linkTo = ({ clusterId, namespace, name }: PodName) =>
  `${window.location.origin}${paths.kubernetesPod(`${clusterId}/${namespace}/${name}`)}`;

const Ask = styled('div')({ padding: '8px 16px' });

/** The pod that stands open: beside the table where there is room, else over the whole screen. */
export function PodDrawer({ pod, onClose }: PodDrawerProps) {
  const beside = useMediaQuery(BESIDE_FROM, { noSsr: true });
  const content = <OpenPod key={`${pod.clusterId}/${pod.namespace}/${pod.name}`} pod={pod} onClose={onClose} />;
  if (beside) {
    return (
      <Beside aria-label={`Pod ${pod.name}`} role="complementary">
        {content}
      </Beside>
    );
  }
  return (
    <Drawer
      anchor="right"
      open
      onClose={onClose}
      slotProps={{ paper: { sx: { width: '100%' }, 'aria-label': `Pod ${pod.name}` } }}
    >
      {content}
    </Drawer>
  );
}

function OpenPod({ pod, onClose }: PodDrawerProps) {
  const asked = useQuery(podQuery(pod));
  return (
    <>
      <Head>
        <h2>{escapeInvisible(pod.name)}</h2>
        <span>
          <CopyButton text={pod.name} name="Copy pod name" />
          <CopyButton
            text={kubectlGet({ kind: 'pod', ...pod })}
            name="Copy kubectl command"
            icon={<TerminalIcon aria-hidden />}
          />
          <CopyButton text={linkTo(pod)} name="Copy link to pod" icon={<LinkIcon aria-hidden />} />
          <IconButton onClick={onClose} aria-label="Close pod">
            <CloseIcon />
          </IconButton>
        </span>
        {asked.data !== undefined && <Where answer={asked.data} />}
      </Head>
      {asked.isPending && <RowsSkeleton rows={8} height={36} />}
      {asked.data !== undefined && <PodBody pod={pod} answer={asked.data} />}
      {asked.error !== null && asked.error.status === 404 ? (
        <EmptyState sentence="Pod not found" reason="It finished, or another pod replaced it." />
      ) : (
        <Failure asked={asked} />
      )}
    </>
  );
}

function Where({ answer: { pod } }: { answer: PodAnswer }) {
  return (
    <div className="where">
      <PhaseChip phase={pod.phase} reason={pod.reason} ready={pod.ready} deleting={pod.deleting} />
      <span>{escapeInvisible(pod.namespace)}</span>
      {pod.node_name !== null && pod.server_id !== null && (
        <Link to={paths.kubernetesNode(pod.server_id, pod.node_name)}>{escapeInvisible(pod.node_name)}</Link>
      )}
      <span>{ageText(pod.pod_age_seconds)}</span>
    </div>
  );
}

const WEEK = { kind: 'relative', hours: 168 } as const;

function ChangesOfOwner({ pod: { cluster_id: cluster, namespace, owner_kind: kind, owner_name: name } }: { pod: Pod }) {
  const place: ChangePlace = { cluster_id: cluster, namespace };
  if (kind !== null) place.kind = kind;
  if (name !== null) place.name = name;
  const { data } = useQuery({
    ...changesQuery(WEEK, { ...place, limit: ROWS.drawerChanges }),
    enabled: name !== null,
  });
  return name === null ? null : <OwnerChanges place={place} data={data} />;
}

function PodBody({ pod, answer }: { pod: PodName; answer: PodAnswer }) {
  const history = useQuery(podHistoryQuery(pod, HISTORY_HOURS));
  const changedAt = momentMs(answer.image_change?.at);
  const why = useSyncExternalStore(onTick, () => whyText(answer.pod, changedAt, Date.now()));
  return (
    <>
      {why !== null && (
        <Why title={answer.image_change === null ? undefined : changeText(answer.image_change)}>
          {escapeInvisible(why)}
        </Why>
      )}
      {history.data !== undefined && <PodMemoryChart pod={answer.pod} history={history.data} />}
      <Failure asked={history} />
      <Ask>
        <ExplainButton
          question={`Why is pod ${pod.namespace}/${pod.name} in this state?`}
          subject={{ kind: 'pod', namespace: pod.namespace, pod: pod.name, cluster_id: answer.pod.cluster_id }}
        />
      </Ask>
      <ChangesOfOwner pod={answer.pod} />
      <PodFacts pod={answer.pod} />
      <PodContainers pod={answer.pod} />
      <PodVolumes volumes={answer.volumes} />
      <PodEvents answer={answer} />
      <LastWords place={{ cluster_id: pod.clusterId, namespace: pod.namespace, pod: pod.name }} />
      <PodLogs pod={pod} containers={answer.pod.containers} />
      <PodLabels pod={answer.pod} />
    </>
  );
}
