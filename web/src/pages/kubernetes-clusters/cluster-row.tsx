import { styled } from '@mui/material/styles';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import type { ClusterShare } from '@plimsoll/contract/rules/kubernetes-limits';
import type { ClusterState } from '@plimsoll/contract/wire/kubernetes';
import type { ReactNode } from 'react';
import { HeadroomPhrase } from '../../components/fleet/headroom-phrase.tsx';
import { HeadroomPlot } from '../../components/fleet/headroom-plot.tsx';
import { Age } from '../../components/age.tsx';
import { shortId } from '../../components/kubernetes/kubernetes-words.ts';
import { NotAvailable, UsageCell } from '../../components/kubernetes/usage.tsx';
import { MiddleTruncate } from '../../components/middle-truncate.tsx';
import { BandIcon, StatusIcon } from '../../components/status-icons.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { numberText } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { ageText, momentMs } from '../../time/age.ts';

const Silent = styled('span')({ display: 'inline-flex', alignItems: 'center', gap: 6, whiteSpace: 'nowrap' });

const WHY_NONE = {
  requested: 'no node of this cluster is known',
  used: 'no usage data: neither node agents, metrics-server nor Prometheus report',
} as const;

/** From this many minor versions on, the version is no longer supported upstream. */
const MANY_BEHIND = 3;

/** "17 of 18", with a mark where not all are. */
function Count({ bad, count, of, words }: { bad: boolean; count: number; of: number; words: string }) {
  return (
    <span title={words}>
      {bad && <BandIcon band="over" />} <b className={bad ? 'over' : undefined}>{numberText(count)}</b>{' '}
      <small>of {numberText(of)}</small>
    </span>
  );
}

function VersionCell({ cluster }: { cluster: ClusterState }) {
  const { version, versions_behind: behind } = cluster;
  const many = behind !== null && behind >= MANY_BEHIND && !cluster.silent;
  return (
    <TableCell className="roomy" data-name="Version" sx={{ whiteSpace: 'nowrap' }}>
      {version === null ? <NotAvailable reason="the collector does not report it" /> : escapeInvisible(version)}{' '}
      {behind !== null && behind > 0 && (
        <small className={many ? 'near' : undefined}>
          {many && <BandIcon band="near" />} {behind} behind
        </small>
      )}
    </TableCell>
  );
}

function Name({ cluster }: { cluster: ClusterState }) {
  const name = cluster.name ?? shortId(cluster.cluster_id);
  return (
    <TableCell className="name">
      <Link to={`${paths.kubernetes}?cluster=${encodeURIComponent(cluster.cluster_id)}`}>
        <MiddleTruncate text={escapeInvisible(name)} />
      </Link>
    </TableCell>
  );
}

/** Grey, with the last known numbers: nothing of a silent cluster is of now. */
function SilentRow({ cluster }: { cluster: ClusterState }) {
  const known = (count: number): ReactNode => <>{numberText(count)} known</>;
  return (
    <TableRow data-silent="">
      <Name cluster={cluster} />
      <TableCell data-name="Headroom">
        <Silent>
          <StatusIcon status="offline" />
          silent
        </Silent>
      </TableCell>
      <TableCell className="plot">
        <HeadroomPlot headroom={null} stale />
      </TableCell>
      <TableCell colSpan={2} data-name="CPU and memory">
        no report for {ageText(cluster.age_seconds)}
      </TableCell>
      <TableCell className="number" data-name="Nodes">
        {known(cluster.nodes)}
      </TableCell>
      <TableCell className="number" data-name="Pods">
        {known(cluster.pods)}
      </TableCell>
      <VersionCell cluster={cluster} />
      <AlertsCell cluster={cluster} />
      <SeenCell cluster={cluster} />
    </TableRow>
  );
}

function AlertsCell({ cluster }: { cluster: ClusterState }) {
  const { total, critical } = cluster.alerts;
  return (
    <TableCell className="number" data-name="Alerts">
      {total === 0 ? (
        <small>none</small>
      ) : (
        <span title={critical === 0 ? 'none of them critical' : `${numberText(critical) ?? ''} critical`}>
          {critical > 0 && !cluster.silent && <BandIcon band="over" />}{' '}
          <b className={critical > 0 && !cluster.silent ? 'over' : undefined}>{numberText(total)}</b>
        </span>
      )}
    </TableCell>
  );
}

const SeenCell = ({ cluster }: { cluster: ClusterState }) => (
  <TableCell className="number" data-name="Seen">
    <Age at={momentMs(cluster.last_seen_at)} form="short" />
  </TableCell>
);

interface ClusterRowProps {
  cluster: ClusterState;
  share: ClusterShare;
}

export function ClusterRow({ cluster, share }: ClusterRowProps) {
  if (cluster.silent) return <SilentRow cluster={cluster} />;
  const { cpu_percent: cpu, memory_percent: memory } = cluster[share];
  const name = cluster.name ?? shortId(cluster.cluster_id);
  const origin = { source: null, age_seconds: null, reason: WHY_NONE[share] };
  const headroom = cluster.headroom && { ...cluster.headroom, subject: null };
  const notReady = cluster.nodes - cluster.ready_nodes;
  return (
    <TableRow>
      <Name cluster={cluster} />
      <TableCell data-name="Headroom">
        {headroom === null ? <NotAvailable reason={WHY_NONE[share]} /> : <HeadroomPhrase headroom={headroom} />}
      </TableCell>
      <TableCell className="plot">
        <HeadroomPlot headroom={headroom} stale={false} />
      </TableCell>
      <TableCell data-name="CPU" sx={{ '--bar': '64px' }}>
        <UsageCell name={`CPU ${share} of ${name}`} percent={cpu} origin={origin} />
      </TableCell>
      <TableCell data-name="Memory" sx={{ '--bar': '64px' }}>
        <UsageCell name={`Memory ${share} of ${name}`} percent={memory} origin={origin} />
      </TableCell>
      <TableCell className="number" data-name="Nodes ready">
        <Count
          bad={notReady > 0}
          count={cluster.ready_nodes}
          of={cluster.nodes}
          words={`${String(notReady)} not ready`}
        />
      </TableCell>
      <TableCell className="number" data-name="Broken pods">
        <Count
          bad={cluster.broken_pods > 0}
          count={cluster.broken_pods}
          of={cluster.pods}
          words="failed, unknown, or waiting for a reason"
        />
      </TableCell>
      <VersionCell cluster={cluster} />
      <AlertsCell cluster={cluster} />
      <SeenCell cluster={cluster} />
    </TableRow>
  );
}
