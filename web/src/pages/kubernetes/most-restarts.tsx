import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { RestartRankedPod } from '@plimsoll/contract/wire/kubernetes';
import { Chip } from '../../components/chips.tsx';
import { Figure } from '../../components/figure.tsx';
import type { ClusterNameOf } from '../../components/kubernetes/cluster-name-of.ts';
import { PhaseChip } from '../../components/kubernetes/phase-chip.tsx';
import { MiddleTruncate } from '../../components/middle-truncate.tsx';
import { Panel, Rows } from '../../components/panel.tsx';
import { numberText } from '../../format/figures.ts';
import { coresText, megabytesQuantity, podKey } from '../../components/kubernetes/kubernetes-words.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';

const Row = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '24px minmax(120px, 1.2fr) minmax(80px, .8fr) minmax(130px, 1fr) 96px 84px 88px',
  alignItems: 'center',
  gap: 8,
  minHeight: 40,
  padding: '4px 16px',
  '& > .rank': { color: theme.vars.palette.load.text3, fontVariantNumeric: 'tabular-nums' },
  '& > .pod': { minWidth: 0, fontWeight: 600, color: theme.vars.palette.text.primary },
  '& > .namespace': { minWidth: 0, overflow: 'hidden' },
  '& > .namespace > small': { display: 'block', fontSize: 11, color: theme.vars.palette.load.text3 },
  '& > .figure': { textAlign: 'right' },
  '& > .restarts': { textAlign: 'right', whiteSpace: 'nowrap' },
  '& > .restarts > b': { fontVariantNumeric: 'tabular-nums' },
  '&[data-many] > .restarts > b': { color: theme.vars.palette.load.overText },
  [theme.breakpoints.down('md')]: {
    gridTemplateColumns: '24px minmax(0, 1fr) auto',
    '& > .namespace': { gridColumn: 2 },
    '& > .phase': { gridColumn: '2 / 4' },
    '& > .figure.cores': { gridColumn: 2, textAlign: 'left' },
    '& > .restarts': { gridRow: 1, gridColumn: 3 },
  },
}));
const Title = styled('span')(({ theme }) => ({
  display: 'block',
  padding: '8px 0',
  '& > small': { ...theme.typography.caption, display: 'block', color: theme.vars.palette.load.text3 },
}));
/** From this many restarts in a day on the count is red. */
const MANY_RESTARTS = 5;

function Ranked({ pod, rank, cluster }: { pod: RestartRankedPod; rank: number; cluster: string | null }) {
  const to = paths.kubernetesPod(podKey(pod));
  return (
    <Row data-many={pod.restart_count >= MANY_RESTARTS ? '' : undefined}>
      <span className="rank">#{rank}</span>
      <Link className="pod" to={to}>
        <MiddleTruncate text={escapeInvisible(pod.pod_name)} />
      </Link>
      <span className="namespace">
        <Chip title={pod.namespace}>{escapeInvisible(pod.namespace)}</Chip>
        {cluster !== null && <small>{escapeInvisible(cluster)}</small>}
      </span>
      <span className="phase">
        {pod.phase === null ? <Chip>Gone</Chip> : <PhaseChip phase={pod.phase} reason={pod.reason} />}
      </span>
      <span className="figure cores">
        <Figure value={coresText(pod.cpu_usage_cores)} unit="cores" />
      </span>
      <span className="figure">
        <Figure {...megabytesQuantity(pod.memory_usage_mb)} />
      </span>
      <span className="restarts">
        <b>{numberText(pod.restart_count)}</b> {pod.restart_count === 1 ? 'restart' : 'restarts'}
      </span>
    </Row>
  );
}

/** Pods with the most recorded restarts of the last day; renders nothing when there are none. */
export function MostRestarts({ pods, clusterName }: { pods: readonly RestartRankedPod[]; clusterName: ClusterNameOf }) {
  if (pods.length === 0) return null;
  return (
    <Panel
      title={
        <Title>
          Pods with Most Restarts
          <small>Top 5 pods in last 24 hours</small>
        </Title>
      }
      actions={
        <Button variant="outlined" component={Link} to={paths.kubernetesPods}>
          View All Pods
        </Button>
      }
    >
      <Rows>
        {pods.map((pod, index) => (
          <Ranked key={podKey(pod)} pod={pod} rank={index + 1} cluster={clusterName(pod.cluster_id)} />
        ))}
      </Rows>
    </Panel>
  );
}
