import type { AnswerChart as Shown } from '@plimsoll/contract/wire/ai';
import { RESOURCE_NAME } from '@plimsoll/contract/rules/load-words';
import { LOAD_LINES, REPORT_INTERVAL_SECONDS } from '@plimsoll/contract/rules/limits';
import { failureText } from '../../api/client.ts';
import { timeseriesQuery } from '../../api/metrics.ts';
import { useQuery } from '../../api/query.ts';
import { serverQuery } from '../../api/servers.ts';
import { ChartCard } from '../../components/chart/chart-card.tsx';
import { chartGaps } from '../../components/chart/points/series-shape.ts';
import { ErrorState } from '../../components/feedback/states.tsx';

const MOST_BUCKETS = 120;
const FEWEST_BUCKETS = 10;

/** The lines of the server; over all servers those of the default rules, as in the other charts of averages. */
function useLines({ server_id: id, metric }: Shown): { warning: number; critical: number | null } | null {
  const { data } = useQuery({ ...serverQuery(id ?? ''), enabled: id !== null });
  return id === null ? LOAD_LINES[metric] : (data?.server.lines[metric] ?? null);
}

/** A stored answer may name the figure as the API does: "cpu of web-1". */
const titleOf = ({ metric, title }: Shown): string =>
  title.startsWith(`${metric} of `) ? `${RESOURCE_NAME[metric]}${title.slice(metric.length)}` : title;

/** A chart of an answer, drawn from the API's own figures; the answer only names series and range. */
export function AnswerChart({ chart }: { chart: Shown }) {
  const { metric, from, to, server_id: serverId } = chart;
  const title = titleOf(chart);
  const lines = useLines(chart);
  const range = { kind: 'absolute', from: Math.floor(from), to: Math.ceil(to) } as const;
  // A bucket shorter than a report would hold every other server only.
  const longest = Math.floor((range.to - range.from) / REPORT_INTERVAL_SECONDS);
  const buckets = Math.max(FEWEST_BUCKETS, Math.min(MOST_BUCKETS, longest));
  const { data, error, isPending } = useQuery(timeseriesQuery(range, serverId ?? undefined, buckets));
  const points = (data?.timeseries ?? []).map(({ timestamp, bands }) => ({ at: timestamp, ...bands[metric] }));
  return (
    <ChartCard
      title={title}
      note={serverId === null ? 'average' : undefined}
      subject={title}
      unit="%"
      // The first bucket may begin before the range.
      from={data?.from ?? range.from}
      to={data?.to ?? range.to}
      yMax={100}
      line={lines?.warning ?? null}
      critical={lines?.critical ?? null}
      gaps={data === undefined ? [] : chartGaps(data)}
      height={160}
      series={[{ id: metric, label: RESOURCE_NAME[metric], colour: 1, points }]}
      loading={isPending}
      failure={error === null ? undefined : <ErrorState message={failureText(error)} />}
    />
  );
}
