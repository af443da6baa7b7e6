import { momentName } from '../../components/chart/points/chart-ticks.ts';
import { peakOfFigure, peakTime } from '../../components/chart/points/peak-moment.ts';
import { bandPoints, overSince, peakOf } from '../../components/chart/points/series-shape.ts';
import { clockTime } from '../../time/zone.ts';
import IconButton from '@mui/material/IconButton';
import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';
import type { LatestMetricsItem, TimeseriesAnswer, TimeseriesPoint } from '@plimsoll/contract/wire/metrics';
import type { Headroom, ServerDetail } from '@plimsoll/contract/wire/servers';
import { Age } from '../../components/age.tsx';
import { StatusChip } from '../../components/chips.tsx';
import { Region } from '../../components/flag.tsx';
import { HeadroomPhrase } from '../../components/fleet/headroom-phrase.tsx';
import { ResourceBars } from './resource-bars.tsx';
import { ageText, momentMs, uptimeText } from '../../time/age.ts';
import { gigabytesText } from '../../format/figures.ts';
import { serverName, staleSince, systemText } from '../../format/server-facts.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { ArrowBack as ArrowBackIcon } from '../../components/icons/pages.tsx';

const Frame = styled(Paper)(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  flexWrap: 'wrap',
  gap: '12px 24px',
  marginTop: 16,
  padding: '14px 16px',
  '& > .who': { flex: '1 1 380px', minWidth: 0 },
  '& > .load': {
    display: 'flex',
    alignItems: 'center',
    gap: 20,
    paddingLeft: 24,
    borderLeft: `1px solid ${theme.vars.palette.divider}`,
    [theme.breakpoints.down('md')]: { paddingLeft: 0, borderLeft: 0, flexWrap: 'wrap' },
  },
  '& .phrase': { fontSize: 15 },
  '& .since': { ...theme.typography.caption, color: theme.vars.palette.load.text3 },
})) as typeof Paper;
const Title = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  flexWrap: 'wrap',
  gap: '4px 10px',
  '& > h1': { ...theme.typography.h1, margin: 0, overflowWrap: 'anywhere' },
  ...theme.typography.caption,
  color: theme.vars.palette.load.text3,
  '& > h1, & > span': { color: theme.vars.palette.text.primary },
}));
const Line = styled('dl')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  flexWrap: 'wrap',
  gap: '2px 14px',
  margin: '6px 0 0 42px',
  [theme.breakpoints.down('sm')]: { marginLeft: 0 },
  '& > div': { display: 'flex', gap: 5 },
  '& dt': { color: theme.vars.palette.load.text3 },
  '& dd': { margin: 0, fontWeight: 500 },
}));

function factsOf(server: ServerDetail) {
  const size = (gigabytes: number | null) => (gigabytes === null ? null : gigabytesText(gigabytes));
  return [
    { name: 'OS', value: systemText(server) },
    { name: 'Cores', value: server.cpu_cores },
    { name: 'Memory', value: size(server.total_memory) },
    { name: 'Storage', value: size(server.total_storage) },
    { name: 'CLI', value: server.cli_version === null ? null : escapeInvisible(server.cli_version) },
    { name: 'Uptime', value: uptimeText(server.uptime_seconds) },
  ];
}

/** Seconds between the first and the last point: a moment in more than a day needs its day. */
const spanOf = (points: readonly TimeseriesPoint[]): number =>
  (points.at(-1)?.timestamp ?? 0) - (points[0]?.timestamp ?? 0);

/** "since 20:50, 18 min" for a resource over its line; its highest moment for one below; null when nothing is known. */
export function sinceText(
  headroom: Headroom,
  points: readonly TimeseriesPoint[],
  nowMs: number,
  peaks?: TimeseriesAnswer['peaks'],
): string | null {
  const series = bandPoints(points, headroom.resource);
  if (headroom.points <= 0) {
    const since = overSince(series, headroom.line);
    return since === null ? null : `since ${clockTime(since * 1000)}, ${ageText(nowMs / 1000 - since)}`;
  }
  const known = peakOfFigure(peaks, headroom.resource);
  if (known !== null) return `highest in this range ${known.value.toFixed(1)} % at ${peakTime(known, spanOf(points))}`;
  const peak = peakOf(series);
  return peak === null
    ? null
    : `highest in this range ${peak.value.toFixed(1)} % at ${momentName(peak.at, spanOf(points))}`;
}

interface ServerHeaderProps {
  server: ServerDetail;
  latest: LatestMetricsItem | undefined;
  /** The chart's points up to the moment shown. */
  points: readonly TimeseriesPoint[];
  /** The highest moments of the range; absent where a moment of the past cuts it. */
  peaks?: TimeseriesAnswer['peaks'];
  /** Now, or the moment shown. */
  nowMs: number;
}

/** Name of the server, and its distance from its line. */
export function ServerHeader({ server, latest, points, peaks, nowMs }: ServerHeaderProps) {
  const values = {
    cpu: latest?.metrics.cpu_usage.value ?? null,
    memory: latest?.metrics.memory_usage.value ?? null,
    disk: latest?.metrics.disk_usage.value ?? null,
    io_wait: latest?.metrics.io_wait.value ?? null,
  };
  const late = server.status !== 'active';
  const since = late || server.headroom === null ? null : sinceText(server.headroom, points, nowMs, peaks);
  return (
    <Frame component="header">
      <div className="who">
        <Title>
          <IconButton component={Link} to={paths.servers} aria-label="Back to Servers">
            <ArrowBackIcon />
          </IconButton>
          <h1>{serverName(server)}</h1>
          <StatusChip status={server.status} />
          <Region region={server.region} />
          {/* The phrase of an offline or refused server says it. */}
          {server.status !== 'offline' && server.status !== 'refused' && (
            <Age
              at={momentMs(server.last_seen_at)}
              prefix={late ? 'last report ' : 'reported '}
              never="no report yet"
            />
          )}
        </Title>
        <Line>
          {factsOf(server).map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value ?? 'N/A'}</dd>
            </div>
          ))}
        </Line>
      </div>
      <div className="load">
        <div>
          <div className="phrase">
            <HeadroomPhrase
              headroom={server.headroom}
              form="full"
              staleSince={staleSince(server)}
              status={server.status}
            />
          </div>
          {since !== null && <div className="since">{since}</div>}
        </div>
        <ResourceBars lines={server.lines} values={values} stale={late} />
      </div>
    </Frame>
  );
}
