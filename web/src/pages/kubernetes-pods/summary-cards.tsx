import type { ClusterNameOf } from '../../components/kubernetes/cluster-name-of.ts';
import { styled } from '@mui/material/styles';
import type { PodsSummary } from '@plimsoll/contract/wire/kubernetes';
import { BandIcon } from '../../components/status-icons.tsx';
import { Figure } from '../../components/figure.tsx';
import { MiddleTruncate } from '../../components/middle-truncate.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { cssVars } from '../../components/css-vars.ts';
import { numberText, plural } from '../../format/figures.ts';
import {
  ageBucketText,
  coresText,
  megabytesQuantity,
  zombieText,
} from '../../components/kubernetes/kubernetes-words.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';

const Pair = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
  gap: 12,
  [theme.breakpoints.down('md')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}));
const Namespaces = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: 0,
  padding: '10px 16px 12px',
  '& > li': {
    display: 'grid',
    gridTemplateColumns: 'minmax(70px, 140px) minmax(24px, 1fr) 84px 76px',
    alignItems: 'center',
    gap: 8,
    minHeight: 24,
  },
  // The cluster stands below: beside it, two clusters with a long namespace of one name look alike.
  '& > li > :first-of-type': { minWidth: 0 },
  '& small': { ...theme.typography.caption, display: 'block', color: theme.vars.palette.text.secondary },
  '& .bar': {
    height: 6,
    borderRadius: 1,
    width: 'calc(var(--share) * 100%)',
    backgroundColor: theme.vars.palette.load.series1,
  },
  '& .figure': { textAlign: 'right' },
}));
const Buckets = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: 0,
  padding: '10px 16px 6px',
  display: 'grid',
  gridTemplateColumns: 'repeat(5, minmax(0, 1fr))',
  gap: 8,
  '& .plot': {
    display: 'flex',
    alignItems: 'flex-end',
    height: 76,
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
  },
  '& .plot > i': {
    display: 'block',
    width: 28,
    minHeight: 1,
    height: 'calc(var(--share) * 100%)',
    borderRadius: '1px 1px 0 0',
    backgroundColor: theme.vars.palette.load.series1,
  },
  '& li[data-old] .plot > i': { backgroundColor: theme.vars.palette.load.stale },
  '& b': { display: 'block', marginTop: 4, fontWeight: 600, fontVariantNumeric: 'tabular-nums' },
  '& small': { ...theme.typography.caption, whiteSpace: 'nowrap', color: theme.vars.palette.text.secondary },
  [theme.breakpoints.down('sm')]: { gap: 4 },
}));
const Zombies = styled('p')(({ theme }) => ({
  ...theme.typography.caption,
  margin: 0,
  padding: '0 16px 12px',
  display: 'flex',
  gap: 8,
  alignItems: 'center',
  color: theme.vars.palette.text.secondary,
}));

function NamespaceCard({ summary, clusterName }: { summary: PodsSummary; clusterName: ClusterNameOf }) {
  const most = Math.max(...summary.namespaces.map(({ cpu_usage_cores: cores }) => cores ?? 0), 0.001);
  return (
    <Panel
      title="Namespace resources"
      note="top 6 by CPU"
      actions={<Link to={paths.kubernetesNamespaces}>All namespaces</Link>}
    >
      {summary.namespaces.length === 0 && <EmptyState sentence="No pods found" />}
      <Namespaces>
        {summary.namespaces.map(
          ({ cluster_id: id, namespace, pods, cpu_usage_cores: cores, memory_usage_mb: memory }) => (
            <li key={`${id}/${namespace}`} title={plural(pods, 'pod')}>
              <Place namespace={namespace} cluster={clusterName(id)} />
              <span className="bar" style={cssVars({ share: (cores ?? 0) / most })} />
              <span className="figure">
                <Figure value={coresText(cores)} unit="cores" />
              </span>
              <span className="figure">
                <Figure {...megabytesQuantity(memory)} />
              </span>
            </li>
          ),
        )}
      </Namespaces>
    </Panel>
  );
}

function Place({ namespace, cluster }: { namespace: string; cluster: string | null }) {
  return (
    <span>
      <MiddleTruncate text={escapeInvisible(namespace)} />
      {cluster !== null && (
        <small>
          <MiddleTruncate text={escapeInvisible(cluster)} />
        </small>
      )}
    </span>
  );
}

function AgeCard({ summary }: { summary: PodsSummary }) {
  const most = Math.max(...summary.age_buckets.map(({ count }) => count), 1);
  const zombies = zombieText(summary.zombies);
  return (
    <Panel title="Pod age">
      <Buckets>
        {summary.age_buckets.map(({ under_seconds: under, count }) => (
          <li key={under ?? 'older'} data-old={under === null ? '' : undefined}>
            <div className="plot" aria-hidden>
              <i style={cssVars({ share: count / most })} />
            </div>
            <b>{numberText(count)}</b>
            <small>{ageBucketText(under)}</small>
          </li>
        ))}
      </Buckets>
      {zombies !== null && (
        <Zombies>
          <BandIcon band="near" />
          {zombies}
        </Zombies>
      )}
    </Panel>
  );
}

/** Largest users and ages of all pods, not only of the page. */
export function SummaryCards({ summary, clusterName }: { summary: PodsSummary; clusterName: ClusterNameOf }) {
  return (
    <Pair>
      <NamespaceCard summary={summary} clusterName={clusterName} />
      <AgeCard summary={summary} />
    </Pair>
  );
}
