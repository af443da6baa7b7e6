import { styled } from '@mui/material/styles';
import type { CapacitySizing, SizedResource } from '@plimsoll/contract/wire/capacity';
import { workloadSizingQuery } from '../../api/capacity.ts';
import type { WorkloadName } from '../../api/kubernetes.ts';
import { useQuery } from '../../api/query.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { plural } from '../../format/figures.ts';
import { cssVars } from '../css-vars.ts';
import { Failure } from '../feedback/feed-panel.tsx';
import { EmptyState } from '../feedback/states.tsx';
import { CopyButton } from '../form/copy-button.tsx';
import { Panel } from '../panel.tsx';
import { adviceWords, autoscalerWords, bytesWords, coresWords } from './capacity-words.ts';
import { UsageDays } from './usage-days.tsx';
import { workloadYaml } from './yaml.ts';

const Part = styled('section')(({ theme }) => ({
  padding: '10px 16px',
  '& + section': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& h3': { ...theme.typography.subtitle2, margin: '0 0 6px' },
  '& p': { margin: '4px 0 8px', fontSize: 12, color: theme.vars.palette.text.secondary },
  '& p b': { color: theme.vars.palette.text.primary },
}));
const Below = styled('p')(({ theme }) => ({
  ...theme.typography.caption,
  margin: 0,
  padding: '8px 16px',
  color: theme.vars.palette.load.text3,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
}));
const Bars = styled('div')(({ theme }) => ({
  position: 'relative',
  display: 'flex',
  alignItems: 'flex-end',
  gap: 1,
  height: 48,
  borderBottom: `1px solid ${theme.vars.palette.load.edge}`,
  '& > i': { flex: 1, minHeight: 1, height: 'calc(var(--h) * 1%)', backgroundColor: theme.vars.palette.load.ok },
  '& > i[data-over]': { backgroundColor: theme.vars.palette.load.over },
}));

/** Usage of the containers of a workload beside its requests and limits, with the advice and its YAML. */
export function WorkloadSizing({ workload }: { workload: WorkloadName }) {
  const asked = useQuery(workloadSizingQuery(workload));
  const answer = asked.data;
  if (answer === undefined) return <Failure asked={asked} />;
  const { sizing, cluster } = answer;
  const yaml = workloadYaml(sizing);
  return (
    <Panel
      title="Size"
      note={cluster === null ? undefined : plural(cluster.advice.days, 'day')}
      actions={<CopyButton text={yaml} label="Copy YAML" disabled={yaml === ''} />}
    >
      {sizing.length === 0 ? (
        <EmptyState
          sentence="N/A"
          reason={cluster?.reason ?? 'No node agent has reported the usage of its containers yet.'}
        />
      ) : (
        sizing.map((row) => <Container key={row.container} row={row} />)
      )}
      {sizing.length > 0 && cluster !== null && <Below>{adviceWords(cluster.advice)}</Below>}
    </Panel>
  );
}

function Container({ row }: { row: CapacitySizing }) {
  return (
    <Part>
      <h3>
        {escapeInvisible(row.container)} <small>{plural(row.days, 'day')}</small>
      </h3>
      <Histogram name="CPU" sized={row.cpu_cores} words={coresWords} />
      <UsageDays row={row} resource="cpu_cores" />
      <Histogram name="Memory" sized={row.memory_bytes} words={bytesWords} />
      <UsageDays row={row} resource="memory_bytes" />
      <p>{row.reason ?? (row.evidence.length === 0 ? 'Requests match the use.' : `${row.evidence.join(', ')}.`)}</p>
      {row.autoscalers.map((one) => (
        <p key={`${one.name} ${one.resource ?? ''}`}>{autoscalerWords(one)}</p>
      ))}
    </Part>
  );
}

/** Time per level of use; above the request it is red. */
function Histogram({
  name,
  sized,
  words,
}: {
  name: string;
  sized: SizedResource;
  words: (amount: number | null) => string | null;
}) {
  const { histogram, request, limit, advice, p95, max } = sized;
  const most = Math.max(...histogram.map(({ percent }) => percent), 1);
  return (
    <>
      {histogram.length > 0 && (
        <Bars role="img" aria-label={`${name}: p95 ${words(p95) ?? 'unknown'}, maximum ${words(max) ?? 'unknown'}`}>
          {histogram.map(({ up_to: upper, percent }) => (
            <i
              key={upper}
              data-over={request !== null && upper > request ? '' : undefined}
              style={cssVars({ h: (percent / most) * 100 })}
            />
          ))}
        </Bars>
      )}
      <p>
        {name}: p95 <b>{words(p95) ?? 'N/A'}</b>, maximum <b>{words(max) ?? 'N/A'}</b>, request{' '}
        <b>{words(request) ?? 'none set'}</b>, limit <b>{words(limit) ?? 'none set'}</b>
        {advice !== null && (
          <>
            , advice <b>{words(advice)}</b>
          </>
        )}
      </p>
    </>
  );
}
