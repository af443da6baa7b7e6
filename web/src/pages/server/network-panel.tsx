import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import type { NetworkMetrics } from '@plimsoll/contract/wire/network';
import { networkMetricsQuery, networkTimeseriesQuery } from '../../api/network.ts';
import { aroundMoment, useQuery } from '../../api/query.ts';
import { LoadChart } from '../../components/chart/load-chart.tsx';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { Figure } from '../../components/figure.tsx';
import { Panel } from '../../components/panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { highest } from '../../components/chart/points/chart-shape.ts';
import { megabytesPerSecond, numberText, ratePlaces } from '../../format/figures.ts';
import { connectionCells } from '../../format/connection-words.ts';
import { chartGaps, ratePoints, rateTick, rateTop } from '../../components/chart/points/series-shape.ts';
import type { TimeRange } from '../../time/range.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import type { Marks } from './use-marks.ts';

const Reading = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  gap: 16,
  padding: '10px 16px 0',
  color: theme.vars.palette.text.secondary,
  '& > span': { display: 'inline-flex', alignItems: 'center', gap: 6 },
  '& i': { width: 10, height: 2 },
  '& .in': { backgroundColor: theme.vars.palette.load.series1 },
  '& .out': { backgroundColor: theme.vars.palette.load.series2 },
  '& b': { color: theme.vars.palette.text.primary, fontWeight: 600 },
}));
const Cells = styled('dl')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
  margin: 0,
  overflow: 'hidden',
  '& > div': {
    margin: '0 0 -1px -1px',
    padding: '8px 16px 10px',
    borderTop: `1px solid ${theme.vars.palette.divider}`,
    borderLeft: `1px solid ${theme.vars.palette.divider}`,
  },
  '& dt': { ...theme.typography.caption, color: theme.vars.palette.text.secondary },
  '& dd': { margin: 0, fontSize: 14, fontWeight: 600 },
  '& [data-band="near"] dd': { color: theme.vars.palette.load.nearText },
  '& [data-band="over"] dd': { color: theme.vars.palette.load.overText },
}));

/** Returns a rate as one text: "21.7 MB/s". */
function rateWords(bytesPerSecond: number | null): string {
  if (bytesPerSecond === null) return 'N/A';
  const rate = megabytesPerSecond(bytesPerSecond);
  return `${rate.toFixed(ratePlaces(rate))} MB/s`;
}

function Rate({ name, value, className }: { name: string; value: number | null; className: string }) {
  const rate = value === null ? null : megabytesPerSecond(value);
  return (
    <span>
      <i className={className} />
      {name}
      <b>
        <Figure value={rate === null ? null : rate.toFixed(ratePlaces(rate))} unit="MB/s" />
      </b>
    </span>
  );
}

function Connections({ latest }: { latest: NetworkMetrics }) {
  return (
    <Cells>
      {connectionCells(latest).map(({ name, value, band }) => (
        <div key={name} data-band={band}>
          <dt>{name}</dt>
          <dd>
            <Figure value={numberText(value)} />
          </dd>
        </div>
      ))}
    </Cells>
  );
}

interface NetworkPanelProps {
  serverId: string;
  /** Below the bandwidth. */
  children?: ReactNode;
  range: TimeRange;
  onRange: (range: TimeRange) => void;
  marks: Marks;
  moment: number | null;
  onMoment: (at: number) => void;
}

/** Bandwidth over the range and the connections of the last report. */
export function NetworkPanel({ serverId, children, range, onRange, marks, moment, onMoment }: NetworkPanelProps) {
  const asked = useQuery(aroundMoment(networkTimeseriesQuery(range, serverId)));
  const latest = useQuery(networkMetricsQuery(serverId)).data?.metrics[0];
  const answer = asked.data;
  const inbound = ratePoints(answer?.timeseries ?? [], 'inbound');
  const outbound = ratePoints(answer?.timeseries ?? [], 'outbound');
  const top = highest([inbound, outbound]);
  const fold =
    latest === undefined
      ? ''
      : `${rateWords(latest.inbound_bytes_per_sec)} in, ${rateWords(latest.outbound_bytes_per_sec)} out`;
  return (
    <Panel
      title="Network Observability"
      fold={fold}
      actions={<Link to={`${paths.network}?server=${serverId}`}>Open</Link>}
    >
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={4} height={53} />}
      {answer !== undefined && top === null && <EmptyState size="line" sentence="No network data available" />}
      {answer !== undefined && top !== null && (
        <>
          <Reading>
            <Rate name="In" className="in" value={latest?.inbound_bytes_per_sec ?? null} />
            <Rate name="Out" className="out" value={latest?.outbound_bytes_per_sec ?? null} />
          </Reading>
          <LoadChart
            label="Bandwidth in MB/s"
            from={answer.from}
            to={answer.to}
            yMax={rateTop([inbound, outbound])}
            steps={2}
            height={188}
            format={rateTick}
            gaps={chartGaps(answer)}
            series={[
              { id: 'in', label: 'In', colour: 1, points: inbound },
              { id: 'out', label: 'Out', colour: 2, points: outbound },
            ]}
            marks={marks.events}
            onMark={marks.open}
            moment={moment}
            onMoment={onMoment}
            onBrush={(from, to) => onRange({ kind: 'absolute', from, to })}
          />
        </>
      )}
      {children}
      {latest !== undefined && <Connections latest={latest} />}
    </Panel>
  );
}
