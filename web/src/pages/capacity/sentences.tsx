import { styled } from '@mui/material/styles';
import type { CapacityCluster, CapacityFit } from '@plimsoll/contract/wire/capacity';
import type { ReactNode } from 'react';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { numberText, plural } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { Panel } from '../../components/panel.tsx';
import { dateWords } from '../../time/calendar-date.ts';
import { BandIcon } from '../../components/status-icons.tsx';
import {
  bytesWords,
  coresWords,
  fitTone,
  moneyWords,
  podsWait,
  sizeWords,
  type Tone,
  trendName,
  whoWords,
} from '../../components/capacity/capacity-words.ts';

const Grid = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: 0,
  padding: 0,
  display: 'grid',
  gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
  overflow: 'hidden',
  '& > li': {
    display: 'grid',
    gridTemplateColumns: '14px minmax(0, 1fr)',
    gap: '2px 10px',
    alignItems: 'baseline',
    margin: '-1px 0 0 -1px',
    padding: '12px 16px',
    borderTop: `1px solid ${theme.vars.palette.divider}`,
    borderLeft: `1px solid ${theme.vars.palette.divider}`,
    overflowWrap: 'anywhere',
  },
  '& b': { fontWeight: 600 },
  '& small': { ...theme.typography.caption, gridColumn: 2, color: theme.vars.palette.load.text3 },
  '& [data-tone="over"]': { color: theme.vars.palette.load.overText },
  [theme.breakpoints.down('md')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}));

function Sentence({ tone, children, note }: { tone: Tone; children: ReactNode; note: ReactNode }) {
  return (
    <li>
      <span>
        <BandIcon band={tone} />
      </span>
      <span>{children}</span>
      <small>{note}</small>
    </li>
  );
}

/** The four questions, each with its answer or the reason why there is none. */
export function Sentences({ cluster }: { cluster: CapacityCluster }) {
  return (
    <Panel>
      <Grid>
        <FitSentence cluster={cluster} />
        <LossSentence cluster={cluster} />
        <TrendSentence cluster={cluster} />
        <SizingSentence cluster={cluster} />
      </Grid>
    </Panel>
  );
}

const unknownSentence = (question: string, reason: string): ReactNode => (
  <Sentence tone="ok" note={reason}>
    {question}: <b>N/A</b>
  </Sentence>
);

const workloadLink = (cluster: string, fit: Pick<CapacityFit, 'namespace' | 'kind' | 'name'>): ReactNode => (
  <Link
    to={paths.kubernetesWorkload({
      cluster_id: cluster,
      namespace: fit.namespace,
      owner_kind: fit.kind,
      owner_name: fit.name,
    })}
  >
    {escapeInvisible(`${fit.namespace}/${fit.name}`)}
  </Link>
);

function FitSentence({ cluster }: { cluster: CapacityCluster }) {
  const scarce = cluster.fits.find(({ more }) => more !== null);
  if (cluster.reason !== null || scarce === undefined)
    return unknownSentence('What fits', cluster.reason ?? 'No workload of the cluster can be judged.');
  const { more, is_cut: isCut, first_limit: limit } = scarce;
  const end = limit === null || more === 0 ? '' : `, ${limit} runs out first`;
  return (
    <Sentence
      tone={fitTone(more)}
      note={`at ${sizeWords(scarce)} each, the workload with the least room of ${plural(cluster.fits_total, 'workload')}`}
    >
      Holds{' '}
      <b>
        {isCut ? 'at least ' : ''}
        {numberText(more)} more
      </b>{' '}
      {more === 1 ? 'pod' : 'pods'} of {workloadLink(cluster.cluster_id, scarce)}
      {more === 0 && limit !== null ? `: ${limit}` : end}.
    </Sentence>
  );
}

function LossSentence({ cluster }: { cluster: CapacityCluster }) {
  const [worst, next] = cluster.loss;
  if (cluster.reason !== null || worst === undefined)
    return unknownSentence('Loss of a node', cluster.reason ?? 'No node can be judged.');
  if (worst.pending === null)
    return unknownSentence('Loss of a node', `${worst.node}: ${worst.reason ?? 'its pods cannot be judged'}`);
  if (worst.pending === 0)
    return (
      <Sentence
        tone="ok"
        note={`each of ${plural(cluster.nodes, 'node')} was taken away once, and all its pods fit elsewhere`}
      >
        Survives the loss of <b>any node</b>.
      </Sentence>
    );
  const others = next?.pending == null ? '' : ` Any other node: ${numberText(next.pending) ?? ''} at most.`;
  return (
    <Sentence tone="over" note={`${whoWords(worst)}.${others}`}>
      Without <b>{escapeInvisible(worst.node)}</b>,{' '}
      <b data-tone="over">
        {worst.reason === null ? '' : 'at least '}
        {podsWait(worst.pending)}
      </b>
      .
    </Sentence>
  );
}

function TrendSentence({ cluster }: { cluster: CapacityCluster }) {
  const [due] = cluster.trends
    .filter(({ date }) => date !== null)
    .toSorted((a, b) => ((a.date ?? '') < (b.date ?? '') ? -1 : 1));
  if (due === undefined)
    return unknownSentence(
      'Next node due',
      cluster.reason ?? cluster.trends[0]?.reason ?? 'The history of requests is shorter than 24 hours.',
    );
  const growth = due.resource === 'cpu' ? coresWords(due.growth_per_day) : bytesWords(due.growth_per_day);
  return (
    <Sentence
      tone="near"
      note={`${trendName(due)} requests grow ${growth ?? ''} a day over ${plural(due.days, 'day')}`}
    >
      Next node due <b>{dateWords(due.date)}</b> ({dateWords(due.earliest)} to {dateWords(due.latest)}).
    </Sentence>
  );
}

function SizingSentence({ cluster: { sizing, reason, cost } }: { cluster: CapacityCluster }) {
  const why = reason ?? sizing.reason;
  if (why !== null) return unknownSentence('Sizes', why);
  const { too_large: large, too_small: small, frees } = sizing;
  const saving = cost === null ? null : moneyWords(cost.saving_month, cost.currency);
  const parts = [coresWords(frees.cpu_cores), bytesWords(frees.memory_bytes)].filter((part) => part !== null);
  return (
    <Sentence
      tone={small > 0 ? 'near' : 'ok'}
      note={
        large === 0
          ? 'no request is far above its use'
          : `together they hold ${parts.join(' and ')} that nobody uses${saving === null ? '' : `, ${saving} a month`}`
      }
    >
      <b>{plural(large, 'container')}</b> {large === 1 ? 'asks' : 'ask'} for more than{' '}
      {large === 1 ? 'it uses' : 'they use'}, <b data-tone={small > 0 ? 'over' : undefined}>{numberText(small)}</b>{' '}
      {small === 1 ? 'is' : 'are'} too small.
    </Sentence>
  );
}
