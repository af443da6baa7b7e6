import { styled } from '@mui/material/styles';
import type { RehearseAnswer } from '@plimsoll/contract/wire/alert-rules';
import { useEffect, useState } from 'react';
import { rehearsalQuery } from '../../../api/alert-rules.ts';
import type { RuleBody } from '../../../api/alert-rules.ts';
import { timeseriesQuery } from '../../../api/metrics.ts';
import { UI } from '../../../api/polling.ts';
import { useQuery } from '../../../api/query.ts';
import { ChartCard } from '../../../components/chart/chart-card.tsx';
import type { ChartMarker } from '../../../components/chart/markers/cluster-markers.ts';
import { bandPoints, chartGaps } from '../../../components/chart/points/series-shape.ts';
import { METRIC_BAND } from '../../../components/chart/points/metric-band.ts';
import { Failure } from '../../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../../components/feedback/skeletons.tsx';
import { LabelledSelect } from '../../../components/form/labelled-select.tsx';
import { Toggle } from '../../../components/form/toolbar.tsx';
import { Panel, PanelBody } from '../../../components/panel.tsx';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { plural } from '../../../format/figures.ts';
import { momentMs } from '../../../time/age.ts';
import { FieldStack, Quiet } from '../../../components/form/form-parts.tsx';
import { Moments, MOMENTS_ON_PAGE, momentWords, type Moment } from './rehearsal-moments.tsx';
import { metricWords } from '../../../format/incident-words.ts';

const DAYS = [1, 7, 30].map((days) => ({ value: String(days), label: `${days} d` }));
const SOURCE = {
  samples: 'Read from every stored sample.',
  five_minutes: 'Read from minima and maxima of 5 minutes.',
  mixed: 'Read from stored samples and, further back, from minima and maxima of 5 minutes.',
} as const;
const TONE = { critical: 'over', error: 'over', warning: 'near', info: 'info' } as const;

const Result = styled('p')(({ theme }) => ({ ...theme.typography.body2, margin: 0, fontWeight: 600 }));
const Said = styled('p')(({ theme }) => ({ ...theme.typography.body2, margin: 0, minHeight: 20 }));

const markOf = (moment: Moment, now: number): ChartMarker => ({
  id: moment.fired_at,
  from: (momentMs(moment.fired_at) ?? 0) / 1000,
  to: (momentMs(moment.resolved_at) ?? now) / 1000,
  tone: TONE[moment.level],
  words: momentWords(moment),
});

/** The servers of the moments, those with most first. */
function serversOf(moments: readonly Moment[]): { id: string; name: string; count: number }[] {
  const found = new Map<string, { id: string; name: string; count: number }>();
  for (const { server_id: id, hostname } of moments) {
    const known = found.get(id) ?? { id, name: escapeInvisible(hostname), count: 0 };
    found.set(id, { ...known, count: known.count + 1 });
  }
  return [...found.values()].toSorted((a, b) => b.count - a.count);
}

interface HistoryProps {
  rule: RuleBody;
  answer: RehearseAnswer;
  lines: readonly (number | null)[];
  at: number;
  /** Server on the chart; empty: the one that would have fired most often. */
  chosen: string;
  onChoose: (server: string) => void;
  picked: Moment | null;
  onPick: (moment: Moment) => void;
}

/** The stored history with the line and the moments on it. Arrow keys go from mark to mark, Enter shows one. */
function History({ rule, answer, lines, at, chosen, onChoose, picked, onPick }: HistoryProps) {
  const metric = String(rule['metric']);
  const servers = serversOf(answer.moments);
  const own = typeof rule['server_id'] === 'string' ? rule['server_id'] : undefined;
  const id = servers.find((server) => server.id === chosen)?.id ?? own ?? servers[0]?.id;
  const band = METRIC_BAND.get(metric);
  const ask = timeseriesQuery({ kind: 'relative', hours: answer.days * 24 }, id);
  const asked = useQuery({ ...ask, refetchInterval: false, enabled: band !== undefined });
  if (band === undefined) return null;
  const shown = answer.moments.filter((moment) => moment.server_id === id);
  const onMark = ({ marks: [mark] }: { marks: readonly ChartMarker[] }) => {
    const moment = shown.find((one) => one.fired_at === mark?.id);
    if (moment !== undefined) onPick(moment);
  };
  const name = servers.find((server) => server.id === id)?.name;
  const series = asked.data?.timeseries ?? [];
  return (
    <>
      {servers.length > 1 && (
        <LabelledSelect
          label="Server on the chart"
          value={id ?? ''}
          options={servers.map((server) => ({
            value: server.id,
            label: `${server.name}, ${plural(server.count, 'time')}`,
          }))}
          onChange={onChoose}
        />
      )}
      <ChartCard
        title={metricWords(metric)}
        note={name ?? (id === undefined ? 'average of all servers' : 'of this server')}
        from={asked.data?.from ?? 0}
        to={asked.data?.to ?? 1}
        yMax={100}
        unit="%"
        line={lines[0] ?? null}
        critical={lines.length > 1 ? (lines.at(-1) ?? null) : null}
        series={[{ id: band, label: metricWords(metric), colour: 1, points: bandPoints(series, band) }]}
        gaps={asked.data === undefined ? [] : chartGaps(asked.data)}
        marks={shown.map((moment) => markOf(moment, at))}
        onMark={onMark}
        moment={picked === null || picked.server_id !== id ? null : (momentMs(picked.fired_at) ?? 0) / 1000}
        loading={asked.isPending}
        {...(asked.data === undefined && asked.error !== null && { failure: <Failure asked={asked} /> })}
      />
      <Said role="status">{picked !== null && `${escapeInvisible(picked.hostname)}: ${momentWords(picked)}.`}</Said>
    </>
  );
}

/** The chart and the list of one answer. Both show the moment that was picked in either. */
function Answer({ rule, answer, lines, at }: Pick<HistoryProps, 'rule' | 'answer' | 'lines' | 'at'>) {
  const { moments, fired } = answer;
  const [picked, setPicked] = useState<Moment | null>(null);
  const [chosen, setChosen] = useState('');
  const [first, setFirst] = useState(0);
  // Another rehearsal has other moments.
  const offset = first < moments.length ? first : 0;
  const current = picked !== null && moments.includes(picked) ? picked : null;
  const pick = (moment: Moment) => {
    setPicked(moment);
    setChosen(moment.server_id);
    setFirst(Math.floor(moments.indexOf(moment) / MOMENTS_ON_PAGE) * MOMENTS_ON_PAGE);
  };
  return (
    <>
      <PanelBody>
        <FieldStack>
          <History {...{ rule, answer, lines, at, chosen }} picked={current} onChoose={setChosen} onPick={pick} />
        </FieldStack>
      </PanelBody>
      <Moments {...{ moments, fired, offset }} picked={current} onOffset={setFirst} onPick={pick} />
    </>
  );
}

/** Follows a value once it has stood still for a moment: a rehearsal reads much. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  const key = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(key) as T), UI.rehearsalDelay);
    return () => clearTimeout(timer);
  }, [key]);
  return settled;
}

/** Shows when the rule would have fired over the stored history. Null: the form has problems. */
export function Rehearsal({ body }: { body: RuleBody | null }) {
  const [days, setDays] = useState('7');
  const wanted = useSettled(body === null ? null : { ...body, days: Number(days) });
  const asked = useQuery({ ...rehearsalQuery(wanted ?? {}), enabled: wanted !== null });
  const answer = asked.data;
  const rule: RuleBody = wanted ?? body ?? {};
  const lines = (rule['lines'] ?? []) as readonly { threshold: number | null }[];
  return (
    <Panel
      title="Rehearsal"
      note="nothing is saved"
      actions={<Toggle label="Days" value={days} options={DAYS} onChange={setDays} />}
    >
      {body === null && (
        <PanelBody>
          <Quiet>Correct the marked fields to see when the rule would have fired.</Quiet>
        </PanelBody>
      )}
      {body !== null && asked.isPending && <RowsSkeleton rows={4} height={40} />}
      <Failure asked={asked} />
      {body !== null && answer !== undefined && wanted !== null && (
        <>
          <PanelBody>
            <FieldStack aria-busy={asked.isFetching}>
              <div role="status">
                <Result>{answer.text}</Result>
                <Quiet>
                  {plural(answer.servers, 'server')}. {answer.source === null ? '' : SOURCE[answer.source]}
                </Quiet>
              </div>
              {answer.note !== null && <Quiet>{answer.note}</Quiet>}
            </FieldStack>
          </PanelBody>
          <Answer
            rule={wanted}
            answer={answer}
            lines={lines.map(({ threshold }) => threshold)}
            at={asked.dataUpdatedAt}
          />
        </>
      )}
    </Panel>
  );
}
