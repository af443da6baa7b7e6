import { percentOf } from '@plimsoll/contract/rules/percent-of';
import { styled } from '@mui/material/styles';
import type { Pod, PodHistoryAnswer } from '@plimsoll/contract/wire/kubernetes';
import { bandOf } from '@plimsoll/contract/rules/headroom';
import { LoadChart } from '../../components/chart/load-chart.tsx';
import { BandIcon } from '../../components/status-icons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { highest, niceMax } from '../../components/chart/points/chart-shape.ts';
import type { ChartPoint } from '../../components/chart/points/chart-shape.ts';
import { gapsOf, USAGE_LINE } from '../../components/kubernetes/kubernetes-words.ts';
import { pointsText, sideOf } from '@plimsoll/contract/rules/load-words';
import { NotAvailable } from '../../components/kubernetes/usage.tsx';
import { sourceName, takenOverText } from '../../components/kubernetes/usage-origin.ts';

const Phrase = styled('p')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 6,
  margin: 0,
  padding: '12px 16px 0',
  '& b': { fontWeight: 600 },
  '& b[data-band="over"]': { color: theme.vars.palette.load.overText },
  '& b[data-band="near"]': { color: theme.vars.palette.load.nearText },
  '& small': { fontSize: 13, color: theme.vars.palette.load.text3 },
}));
const CHART_PX = 168;

/** "▲ Memory · 4 over the line of its limit". */
function MemoryPhrase({ pod }: { pod: Pod }) {
  const { percent, of } = pod.memory_share;
  if (of === null) return <Phrase>Memory, no limit set</Phrase>;
  if (percent === null)
    return (
      <Phrase>
        <span>
          <b>Memory</b> · <NotAvailable reason={pod.usage_origin.reason} /> <small>of its {of}</small>
        </span>
      </Phrase>
    );
  const band = bandOf(percent, USAGE_LINE);
  const points = USAGE_LINE - percent;
  return (
    <Phrase>
      <BandIcon band={band} />
      <span>
        <b>Memory</b> · <b data-band={band}>{pointsText(points)}</b>{' '}
        {sideOf(points) === 'over' ? 'over the line' : 'points below the line'} <small>of its {of}</small>
      </span>
    </Phrase>
  );
}

/** In per cent of the limit (else of the request) where there is one, else in MB. */
function shapeOf(history: PodHistoryAnswer) {
  const bound = history.limits.memory_mb ?? history.requests.memory_mb;
  const scale = (megabytes: number | null) => (bound === null ? megabytes : percentOf(megabytes, bound));
  const points: ChartPoint[] = history.metrics.map(({ timestamp, bands: { memory_mb: band }, source }) => ({
    at: timestamp,
    avg: scale(band.avg),
    min: scale(band.min),
    max: scale(band.max),
    ...(source === undefined ? {} : { source: sourceName(source) }),
  }));
  return {
    points,
    line: bound === null ? null : USAGE_LINE,
    yMax: bound === null ? niceMax(highest([points]) ?? 1) : 100,
  };
}

export function PodMemoryChart({ pod, history }: { pod: Pod; history: PodHistoryAnswer }) {
  const { points, line, yMax } = shapeOf(history);
  const takenOver = takenOverText(history.metrics, history.bucket_seconds);
  const known = points.some(({ avg }) => avg !== null);
  return (
    <>
      <MemoryPhrase pod={pod} />
      {takenOver !== null && (
        <Phrase>
          <small>{takenOver}</small>
        </Phrase>
      )}
      {known ? (
        <LoadChart
          label={`Memory of ${pod.pod_name}, last 24 hours`}
          from={history.from}
          to={history.to}
          series={[{ id: 'memory', label: 'Memory', colour: 2, points }]}
          yMax={yMax}
          line={line}
          gaps={gapsOf(points, history.bucket_seconds)}
          height={CHART_PX}
          steps={2.5}
        />
      ) : (
        <EmptyState sentence="No metrics data available" />
      )}
    </>
  );
}
