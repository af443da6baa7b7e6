import { styled } from '@mui/material/styles';
import type { ClusterMomentAnswer } from '@plimsoll/contract/wire/kubernetes-moment';
import { clusterMomentQuery, clusterOverviewQuery } from '../../api/kubernetes.ts';
import type { ClusterOverview } from '../../api/kubernetes.ts';
import { useQuery } from '../../api/query.ts';
import { Figure } from '../../components/figure.tsx';
import { SurvivalLine } from '../../components/capacity/survival-line.tsx';
import { HealthChip } from '../../components/kubernetes/health-chip.tsx';
import { Panel } from '../../components/panel.tsx';
import { clusterHealth, crashLooping, healthReasons } from '../../components/kubernetes/cluster-health.ts';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { useView } from '../../state/view.ts';
import { numberText } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { HubOutlined as HubIcon } from '../../components/icons/material.tsx';

const Cells = styled('dl')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(6, minmax(0, 1fr))',
  margin: 0,
  overflow: 'hidden',
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: 'repeat(3, minmax(0, 1fr))' },
  '& > div': {
    margin: '-1px 0 0 -1px',
    padding: '8px 12px 10px',
    borderTop: `1px solid ${theme.vars.palette.divider}`,
    borderLeft: `1px solid ${theme.vars.palette.divider}`,
  },
  '& dt': { ...theme.typography.caption, color: theme.vars.palette.text.secondary },
  '& dd': { margin: 0, fontSize: 15, fontWeight: 600 },
  '& [data-band="near"] dd': { color: theme.vars.palette.load.nearText },
  '& [data-band="over"] dd': { color: theme.vars.palette.load.overText },
}));

/** The whole panel opens the cluster; its own link is the one for the keyboard. */
const Whole = styled('div')({
  position: 'relative',
  '& a.open::after': { content: '""', position: 'absolute', inset: 0 },
});

const Name = styled('span')({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 8,
  '& > svg': { fontSize: 18 },
});

function cellsOf(overview: ClusterOverview): Cell[] {
  const { pending_pods: pending, failed_pods: failed, aggregate_metrics: averages } = overview;
  return [
    { name: 'Nodes', value: `${overview.ready_nodes} / ${overview.total_nodes}` },
    { name: 'Running', value: numberText(overview.running_pods) },
    { name: 'Pending', value: numberText(pending), band: pending > 0 ? 'near' : undefined },
    { name: 'Failed', value: numberText(failed), band: failed > 0 ? 'over' : undefined },
    { name: 'Avg CPU', value: numberText(averages.avg_cpu_usage, 1), unit: '%' },
    { name: 'Avg mem', value: numberText(averages.avg_memory_usage, 1), unit: '%' },
  ];
}

/** Shown only when a cluster reports nodes. */
export function KubernetesCard() {
  const { at } = useView();
  return at === null ? <KubernetesNow /> : <KubernetesThen at={at} />;
}

const meanOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
};

function cellsThen({ nodes, total_pods: pods, restarts_reason: reason }: ClusterMomentAnswer): Cell[] {
  const unknown = 'not stored';
  const restarts = nodes.reduce((sum, { restarts_24h: count }) => sum + (count ?? 0), 0);
  return [
    { name: 'Nodes', value: numberText(nodes.length) },
    { name: 'Ready', value: null, reason: unknown },
    { name: 'Pods', value: numberText(pods) },
    { name: 'Restarts 24 h', value: reason === null ? numberText(restarts) : null, reason: unknown },
    { name: 'Avg CPU', value: numberText(meanOf(nodes.map((node) => node.cpu_usage)), 1), unit: '%', reason: unknown },
    {
      name: 'Avg mem',
      value: numberText(meanOf(nodes.map((node) => node.memory_usage)), 1),
      unit: '%',
      reason: unknown,
    },
  ];
}

/** The clusters at a moment of the past. */
function KubernetesThen({ at }: { at: number }) {
  const asked = useQuery(clusterMomentQuery(at, null));
  return (
    <Panel title="Kubernetes" actions={<Link to={paths.kubernetes}>Open</Link>}>
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={1} height={53} />}
      {asked.data !== undefined && <CellList cells={cellsThen(asked.data)} />}
    </Panel>
  );
}

interface Cell {
  name: string;
  value: string | null;
  unit?: string;
  band?: 'near' | 'over' | undefined;
  reason?: string;
}
function CellList({ cells }: { cells: readonly Cell[] }) {
  return (
    <Cells>
      {cells.map(({ name, value, unit, band, reason }) => (
        <div key={name} data-band={band}>
          <dt>{name}</dt>
          <dd>
            <Figure
              value={value}
              {...(unit === undefined ? {} : { unit })}
              {...(reason === undefined ? {} : { reason })}
            />
          </dd>
        </div>
      ))}
    </Cells>
  );
}

function KubernetesNow() {
  const overview = useQuery(clusterOverviewQuery()).data;
  if (overview === undefined || overview.total_nodes === 0) return null;
  return (
    <Whole>
      <Panel
        title={
          <Name>
            <HubIcon aria-hidden /> Kubernetes
          </Name>
        }
        note={
          <HealthChip
            health={clusterHealth(overview)}
            reasons={healthReasons(overview)}
            crashing={crashLooping(overview)}
          />
        }
        actions={
          <Link className="open" to={paths.kubernetes}>
            Open
          </Link>
        }
      >
        <CellList cells={cellsOf(overview)} />
        <SurvivalLine />
      </Panel>
    </Whole>
  );
}
