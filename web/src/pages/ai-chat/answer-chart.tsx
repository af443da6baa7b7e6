import type { AnswerChart as Shown } from '@plimsoll/contract/wire/ai';
import { REPORT_INTERVAL_SECONDS } from '@plimsoll/contract/rules/limits';
import { failureText } from '../../api/client.ts';
import { timeseriesQuery } from '../../api/metrics.ts';
import { useQuery } from '../../api/query.ts';
import { ChartCard } from '../../components/chart/chart-card.tsx';
import { ErrorState } from '../../components/feedback/states.tsx';

const NAMES = { cpu: 'CPU', memory: 'Memory', disk: 'Disk' } as const;
const MOST_BUCKETS = 120;
const FEWEST_BUCKETS = 10;

/** A chart of an answer, drawn from the API's own figures; the answer only names series and range. */
export function AnswerChart({ chart }: { chart: Shown }) {
  const { metric, from, to, server_id: serverId, title } = chart;
  const range = { kind: 'absolute', from: Math.floor(from), to: Math.ceil(to) } as const;
  // A bucket shorter than a report would hold every other server only.
  const longest = Math.floor((range.to - range.from) / REPORT_INTERVAL_SECONDS);
  const buckets = Math.max(FEWEST_BUCKETS, Math.min(MOST_BUCKETS, longest));
  const { data, error, isPending } = useQuery(timeseriesQuery(range, serverId ?? undefined, buckets));
  const points = (data?.timeseries ?? []).map(({ timestamp, bands }) => ({ at: timestamp, ...bands[metric] }));
  return (
    <ChartCard
      title={NAMES[metric]}
      note={title}
      subject={title}
      unit="%"
      from={range.from}
      to={range.to}
      yMax={100}
      height={140}
      series={[{ id: metric, label: NAMES[metric], colour: 1, points }]}
      loading={isPending}
      failure={error === null ? undefined : <ErrorState message={failureText(error)} />}
    />
  );
}
