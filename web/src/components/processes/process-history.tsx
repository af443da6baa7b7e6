import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { PROCESS_HISTORY, PROCESS_MINUTES } from '@plimsoll/contract/rules/limits';
import type { ProcessHistoryAnswer } from '@plimsoll/contract/wire/processes';
import { styled } from '@mui/material/styles';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { highest, niceMax } from '../chart/points/chart-shape.ts';
import { ChartSkeleton } from '../chart/chart-skeleton.tsx';
import { LoadChart } from '../chart/load-chart.tsx';
import type { SeriesColour } from '../chart/series.tsx';
import { Failure } from '../feedback/feed-panel.tsx';
import type { Asking } from '../feedback/feed-panel.tsx';
import { EmptyState } from '../feedback/states.tsx';
import { Toggle } from '../form/toolbar.tsx';
import { CORES, historyPoints, MEGABYTES, startsText, type HistoryPick } from './process-history-shape.ts';

const CHART_PX = 132;
const RANGES = [
  { value: '6', label: '6h' },
  { value: String(PROCESS_MINUTES.days * 24), label: `${PROCESS_MINUTES.days * 24}h` },
  { value: String(PROCESS_HISTORY.days * 24), label: `${PROCESS_HISTORY.days}d` },
] as const;

const Frame = styled('section')(({ theme }) => ({
  marginTop: 12,
  '& > header': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '4px 12px' },
  '& h4': { ...theme.typography.body2, fontWeight: 600, margin: 0 },
  '& > p': { ...theme.typography.caption, color: theme.vars.palette.text.secondary, margin: '4px 0 0' },
  '& > div': { display: 'grid', gap: 12, gridTemplateColumns: 'repeat(auto-fit, minmax(min(260px, 100%), 1fr))' },
  '& figure': { margin: '8px 0 0', minWidth: 0 },
  '& figcaption': { ...theme.typography.caption, color: theme.vars.palette.text.secondary },
}));

interface LineProps {
  answer: ProcessHistoryAnswer;
  bounds: { from: number; to: number };
  name: string;
  unit: string;
  colour: SeriesColour;
  pick: HistoryPick;
}

function Line({ answer, bounds, name, unit, colour, pick }: LineProps) {
  const points = historyPoints(answer, pick);
  return (
    <figure>
      <figcaption>
        {name}, {unit}
      </figcaption>
      <LoadChart
        label={`${name} of ${escapeInvisible(answer.command)} in ${unit}`}
        {...bounds}
        series={[{ id: name, label: name, colour, points }]}
        yMax={niceMax(highest([points]) ?? 1)}
        height={CHART_PX}
        marks={null}
      />
    </figure>
  );
}

const stepText = (seconds: number) => (seconds < HOUR_SECONDS ? `${seconds / 60} min` : `${seconds / HOUR_SECONDS} h`);

export interface ProcessHistoryProps {
  hostname: string;
  asked: Asking & { data: ProcessHistoryAnswer | undefined; dataUpdatedAt: number };
  hours: number;
  onHours: (hours: number) => void;
}

/** CPU and memory of one command on a server over time, across its restarts. */
export function ProcessHistory({ hostname, asked, hours, onHours }: ProcessHistoryProps) {
  const answer = asked.data;
  const to = Math.floor(asked.dataUpdatedAt / 1000);
  const bounds = { from: Math.max(answer?.kept_since ?? 0, to - hours * HOUR_SECONDS), to };
  const known = answer?.points.some(({ cpu_usage: cpu, memory_kb: memory }) => cpu !== null || memory !== null);
  return (
    <Frame aria-label={`History on ${hostname}`}>
      <header>
        <h4>History on {escapeInvisible(hostname)}</h4>
        <Toggle
          label="Range of the history"
          value={String(hours)}
          options={RANGES}
          onChange={(value) => onHours(Number(value))}
        />
      </header>
      <Failure asked={asked} />
      {asked.isPending && <ChartSkeleton height={CHART_PX} />}
      {answer !== undefined && known === false && (
        <EmptyState sentence="No history of this command" reason={startsText([])} />
      )}
      {answer !== undefined && known === true && (
        <>
          <div>
            <Line {...{ answer, bounds }} name="CPU" unit="cores" colour={1} pick={CORES} />
            <Line {...{ answer, bounds }} name="Memory" unit="MB" colour={2} pick={MEGABYTES} />
          </div>
          <p>
            {startsText(answer.starts)} All processes of this command together, means of {stepText(answer.step_seconds)}
            . A line breaks where the command was not among the greediest or the server was silent.
          </p>
        </>
      )}
    </Frame>
  );
}
