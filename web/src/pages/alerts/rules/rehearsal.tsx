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
import { LEVEL_NAME } from '../../../components/chips.tsx';
import { Failure } from '../../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../../components/feedback/skeletons.tsx';
import { LabelledSelect } from '../../../components/form/labelled-select.tsx';
import { Toggle } from '../../../components/form/toolbar.tsx';
import { Panel, PanelBody, Rows } from '../../../components/panel.tsx';
import { LevelIcon } from '../../../components/status-icons.tsx';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { plural } from '../../../format/figures.ts';
import { ageText, momentMs } from '../../../time/age.ts';
import { dayAndTime } from '../../../time/zone.ts';
import { FieldStack, Quiet } from '../form-parts.tsx';
import { metricName } from './rule-words.ts';

type Moment = RehearseAnswer['moments'][number];

const DAYS = [1, 7, 30].map((days) => ({ value: String(days), label: `${days} d` }));
const SHOWN_MOMENTS = 8;
const SOURCE = {
  samples: 'Read from every stored sample.',
  five_minutes: 'Read from minima and maxima of 5 minutes.',
  mixed: 'Read from stored samples and, further back, from minima and maxima of 5 minutes.',
} as const;
const TONE = { critical: 'over', error: 'over', warning: 'near', info: 'info' } as const;

const Result = styled('p')(({ theme }) => ({ ...theme.typography.body2, margin: 0, fontWeight: 600 }));
const MomentRow = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '16px minmax(0, 1fr) auto auto',
  alignItems: 'center',
  gap: 12,
  minHeight: 36,
  padding: '0 16px',
  '& > time': { fontVariantNumeric: 'tabular-nums' },
  '& > .lasted': { color: theme.vars.palette.load.text3 },
}));

const lasted = ({ fired_at: from, resolved_at: to }: Moment): string =>
  to === null ? 'would still fire' : `for ${ageText(((momentMs(to) ?? 0) - (momentMs(from) ?? 0)) / 1000)}`;

const markOf = (moment: Moment, index: number, now: number): ChartMarker => ({
  id: String(index),
  from: (momentMs(moment.fired_at) ?? 0) / 1000,
  to: (momentMs(moment.resolved_at) ?? now) / 1000,
  tone: TONE[moment.level],
  words: `${LEVEL_NAME[moment.level]} from ${dayAndTime(momentMs(moment.fired_at) ?? 0)}, ${lasted(moment)}`,
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
}

/** The stored history with the line and the moments on it, of the server that would have fired most often. */
function History({ rule, answer, lines, at }: HistoryProps) {
  const [chosen, setChosen] = useState('');
  const metric = String(rule['metric']);
  const servers = serversOf(answer.moments);
  const own = typeof rule['server_id'] === 'string' ? rule['server_id'] : undefined;
  const id = servers.find((server) => server.id === chosen)?.id ?? own ?? servers[0]?.id;
  const band = METRIC_BAND.get(metric);
  const ask = timeseriesQuery({ kind: 'relative', hours: answer.days * 24 }, id);
  const asked = useQuery({ ...ask, refetchInterval: false, enabled: band !== undefined });
  if (band === undefined) return null;
  const marks = answer.moments
    .filter((moment) => moment.server_id === id)
    .map((moment, index) => markOf(moment, index, at));
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
          onChange={setChosen}
        />
      )}
      <ChartCard
        title={metricName(metric)}
        note={name ?? (id === undefined ? 'average of all servers' : 'of this server')}
        from={asked.data?.from ?? 0}
        to={asked.data?.to ?? 1}
        yMax={100}
        unit="%"
        line={lines[0] ?? null}
        critical={lines.length > 1 ? (lines.at(-1) ?? null) : null}
        series={[{ id: band, label: metricName(metric), colour: 1, points: bandPoints(series, band) }]}
        gaps={asked.data === undefined ? [] : chartGaps(asked.data)}
        marks={marks}
        loading={asked.isPending}
        {...(asked.data === undefined && asked.error !== null && { failure: <Failure asked={asked} /> })}
      />
    </>
  );
}

function Moments({ moments, fired }: { moments: readonly Moment[]; fired: number | null }) {
  if (moments.length === 0) return null;
  const shown = moments.slice(0, SHOWN_MOMENTS);
  return (
    <>
      <Rows aria-label="Moments">
        {shown.map((moment) => (
          <MomentRow key={`${moment.server_id} ${moment.fired_at}`}>
            <LevelIcon level={moment.level} />
            <span>{escapeInvisible(moment.hostname)}</span>
            <time dateTime={moment.fired_at}>{dayAndTime(momentMs(moment.fired_at) ?? 0)}</time>
            <span className="lasted">{lasted(moment)}</span>
          </MomentRow>
        ))}
      </Rows>
      {fired !== null && fired > shown.length && (
        <PanelBody>
          <Quiet>
            The newest {shown.length} of {fired}.
          </Quiet>
        </PanelBody>
      )}
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
              <History
                rule={wanted}
                answer={answer}
                lines={lines.map(({ threshold }) => threshold)}
                at={asked.dataUpdatedAt}
              />
            </FieldStack>
          </PanelBody>
          <Moments moments={answer.moments} fired={answer.fired} />
        </>
      )}
    </Panel>
  );
}
