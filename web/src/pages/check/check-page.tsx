import { HOUR_MS } from '@plimsoll/contract/rules/durations';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';
import type { CheckDetail, CheckSeriesAnswer } from '@plimsoll/contract/wire/checks/checks';
import { Fragment, useState } from 'react';
import { checkQuery, checkSeriesQuery } from '../../api/checks.ts';
import { useClusterNames } from '../../api/cluster-names.ts';
import { useQuery } from '../../api/query.ts';
import { useServerNames } from '../../api/server-names.ts';
import { CheckStatusChip } from '../../components/checks/check-status.tsx';
import { PhaseChart, PhaseLegend } from '../../components/checks/phase-chart.tsx';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { PageSpinner } from '../../components/feedback/page-spinner.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { Toggle } from '../../components/form/toggle.tsx';
import { Page } from '../../components/page.tsx';
import { Panel, PanelBody } from '../../components/panel.tsx';
import { reasonWords } from '../../format/check-words.ts';
import { durationText } from '../../format/duration-text.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { plural } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { Link, useParams } from '../../router.ts';
import { useFreshness } from '../../state/use-freshness.ts';
import { ageText, momentMs } from '../../time/age.ts';
import { CheckActions } from './check-actions.tsx';
import { CheckDays, CheckEvidence, CheckOutages, CheckVotes } from './check-parts.tsx';
import { CheckTiles } from './check-tiles.tsx';

const RANGES = [
  { value: '6', label: '6h', words: '6 hours' },
  { value: '24', label: '24h', words: '24 hours' },
  { value: '168', label: '7d', words: '7 days' },
  { value: '720', label: '30d', words: '30 days' },
  { value: '2160', label: '90d', words: '90 days' },
] as const;
const DAY_HOURS = 24;

/** "a point is 10 min, of 5-minute means": what a reader needs to read a peak. */
function stepWords({ step_seconds: step, source }: CheckSeriesAnswer): string {
  const made = { results: '', '5m': ', of 5-minute means', '1h': ', of hourly means' } as const;
  return `a point is ${durationText(step)}${made[source]}`;
}

const Head = styled('header')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  flexWrap: 'wrap',
  gap: 12,
  paddingTop: 16,
  '& > div': { minWidth: 0 },
  '& nav': { ...theme.typography.caption, marginBottom: 4, overflowWrap: 'anywhere' },
  '& ol': { listStyle: 'none', display: 'flex', flexWrap: 'wrap', gap: 8, margin: 0, padding: 0 },
  '& li': { color: theme.vars.palette.text.secondary, minWidth: 0 },
  '& li + li::before': { content: '"›"', marginRight: 8, color: theme.vars.palette.load.text3 },
  '& .title': { display: 'flex', alignItems: 'center', flexWrap: 'wrap', gap: '4px 10px' },
  '& h1': { ...theme.typography.h1, margin: 0, overflowWrap: 'anywhere' },
  '& p': { margin: 0, color: theme.vars.palette.text.secondary, overflowWrap: 'anywhere' },
}));
const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 2fr) minmax(280px, 1fr)',
  alignItems: 'start',
  gap: 16,
  [theme.breakpoints.down('md')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}));
/** "; 2 places vote up, 1 has no vote": of a check with several places. */
function votesText({ votes }: CheckDetail): string {
  if (votes.length < 2) return '';
  const count = (kind: string): number => votes.filter(({ vote }) => vote === kind).length;
  const [up, down, none] = [count('up'), count('down'), count('none')];
  const parts = [
    ...(up > 0 ? [`${plural(up, 'place')} ${up === 1 ? 'votes' : 'vote'} up`] : []),
    ...(down > 0 ? [`${plural(down, 'place')} ${down === 1 ? 'votes' : 'vote'} down`] : []),
    ...(none > 0 ? [`${String(none)} ${none === 1 ? 'has' : 'have'} no vote`] : []),
  ];
  return `; ${parts.join(', ')}`;
}

/** "GET https://… every 1 min from 3 places. Down for 34 min: HTTP 502; 2 places vote down, 1 has no vote." */
function sentenceOf(check: CheckDetail, nowMs: number): string {
  const what =
    check.heartbeat === null
      ? `${check.target} every ${durationText(check.interval_seconds)} from ${plural(check.votes.length, 'place')}.`
      : `A job calls it: ${check.target}.`;
  const since = momentMs(check.since);
  const age = since === null ? '' : ` for ${ageText((nowMs - since) / 1000)}`;
  const reason = check.status === 'down' ? `: ${reasonWords(check.reason, check.http_status)}` : '';
  const states = { up: 'Up', down: 'Down', unknown: 'Unknown', paused: 'Paused' } as const;
  return `${what} ${states[check.status]}${age}${reason}${votesText(check)}.`;
}

interface ResponseProps {
  check: CheckDetail;
  series: CheckSeriesAnswer | undefined;
  /** Time of the answer, epoch milliseconds: the right edge. */
  to: number;
  hours: number;
  onHours: (hours: number) => void;
}

const LegendRow = styled('div')({ marginTop: 8 });

function Response({ check, series, to, hours, onHours }: ResponseProps) {
  const points = series?.points ?? [];
  const words = RANGES.find(({ value }) => value === String(hours))?.words ?? '';
  return (
    <Panel title="Response by phase" note={series === undefined ? '' : stepWords(series)}>
      <PanelBody>
        <Toggle
          label="Time range"
          value={String(hours)}
          options={RANGES.map(({ value, label }) => ({ value, label }))}
          onChange={(value) => onHours(Number(value))}
        />
        <LegendRow>
          <PhaseLegend points={points} />
        </LegendRow>
        {series !== undefined && points.length === 0 ? (
          <EmptyState sentence={`No result in the last ${words}`} />
        ) : (
          <PhaseChart
            points={points}
            stepSeconds={series?.step_seconds ?? 60}
            outages={check.outages}
            lineMs={check.slow_line_ms}
            from={to - hours * HOUR_MS}
            to={to}
          />
        )}
      </PanelBody>
    </Panel>
  );
}

/** The workloads that serve the target: while one is broken, its incident holds the failure of the check. */
function OfWorkloads({ workloads }: Pick<CheckDetail, 'workloads'>) {
  const clusterName = useClusterNames(null)(workloads[0]?.cluster_id ?? '');
  return (
    <p>
      Served by{' '}
      {workloads.map(({ cluster_id, namespace, kind, name }, index) => (
        <Fragment key={`${kind}/${name}`}>
          {index > 0 && ', '}
          <Link
            to={paths.kubernetesWorkload({ cluster_id, namespace, owner_kind: kind, owner_name: name })}
            style={{ textDecoration: 'underline' }}
          >
            {escapeInvisible(`${namespace}/${name}`)}
          </Link>
        </Fragment>
      ))}
      {clusterName !== null && ` in ${escapeInvisible(clusterName)}`}: one incident while{' '}
      {workloads.length === 1 ? 'it' : 'one of them'} is broken.
    </p>
  );
}

/** The host behind the check: while it is down, its incident holds the failure of the check. */
function OfServer({ id }: { id: string }) {
  const name = useServerNames().find((server) => server.id === id)?.name ?? 'a server';
  return (
    <p>
      Belongs to{' '}
      <Link to={paths.server(id)} style={{ textDecoration: 'underline' }}>
        {escapeInvisible(name)}
      </Link>
      : one incident while that server is down.
    </p>
  );
}

const MISSING = [400, 404];

/** One check: its figures, the phases of its answers, the votes, its outages. */
export function Component() {
  const { checkId = '' } = useParams();
  const asked = useQuery(checkQuery(checkId));
  const check = asked.data?.check;
  const isProbe = check?.heartbeat === null;
  const [hours, setHours] = useState(DAY_HOURS);
  const series = useQuery({ ...checkSeriesQuery(checkId, hours), enabled: isProbe });
  // The tiles are about a day, whatever the chart shows.
  const ofDay = useQuery({ ...checkSeriesQuery(checkId, DAY_HOURS), enabled: isProbe });
  useFreshness('updated', momentMs(check?.checked_at));
  if (check === undefined) {
    if (asked.error === null) return <PageSpinner />;
    return (
      <Page title={MISSING.includes(asked.error.status) ? 'Check not found' : 'Check'}>
        {MISSING.includes(asked.error.status) ? (
          <Paper>
            <EmptyState
              size="page"
              sentence="It was deleted, or it belongs to another account."
              action={
                <Button component={Link} to={paths.checks} variant="contained">
                  Back to Checks
                </Button>
              }
            />
          </Paper>
        ) : (
          <Failure asked={asked} />
        )}
      </Page>
    );
  }
  const name = escapeInvisible(check.name);
  return (
    <Page title={name} header={false}>
      <Head>
        <div>
          <nav aria-label="Breadcrumb">
            <ol>
              <li>
                <Link to={paths.servers}>Servers</Link>
              </li>
              <li>
                <Link to={paths.checks}>Checks</Link>
              </li>
              <li aria-current="page">{name}</li>
            </ol>
          </nav>
          <div className="title">
            <h1>{name}</h1>
            <CheckStatusChip status={check.status} />
          </div>
          <p>{escapeInvisible(sentenceOf(check, asked.dataUpdatedAt))}</p>
          {check.server_id !== null && <OfServer id={check.server_id} />}
          {check.workloads.length > 0 && <OfWorkloads workloads={check.workloads} />}
        </div>
        <CheckActions check={check} />
      </Head>
      <CheckTiles check={check} series={ofDay.data} />
      {isProbe && (
        <Columns>
          <Response
            check={check}
            series={series.data}
            to={series.dataUpdatedAt || asked.dataUpdatedAt}
            hours={hours}
            onHours={setHours}
          />
          <CheckVotes check={check} />
        </Columns>
      )}
      <CheckDays check={check} now={asked.dataUpdatedAt} />
      <Columns>
        <CheckOutages check={check} />
        <CheckEvidence check={check} />
      </Columns>
    </Page>
  );
}
