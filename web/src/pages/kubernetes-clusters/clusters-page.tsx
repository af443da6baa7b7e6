import { styled } from '@mui/material/styles';
import { CLUSTER_SHARES } from '@plimsoll/contract/rules/kubernetes-limits';
import type { ClusterStatesAnswer } from '@plimsoll/contract/wire/kubernetes';
import { useClusterMoment } from '../../api/cluster-moment.ts';
import { clusterOverviewQuery, clusterStatesQuery } from '../../api/kubernetes.ts';
import { useQuery } from '../../api/query.ts';
import { cssVars } from '../../components/css-vars.ts';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { SearchField } from '../../components/form/search-field.tsx';
import { Filter, Toggle, Toolbar, ToolbarEnd, ToolbarNote } from '../../components/form/toolbar.tsx';
import { KubernetesSection } from '../../components/kubernetes/section.tsx';
import { Pager } from '../../components/pager.tsx';
import { Panel } from '../../components/panel.tsx';
import { StatGrid, StatTile } from '../../components/stat-tile.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { numberText, plural } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { useSearchParams } from '../../router.ts';
import { ClusterTable } from './cluster-table.tsx';

const PAGE_ROWS = 100;
const STATES = [
  { value: '', label: 'All' },
  { value: 'over', label: 'Over the line' },
  { value: 'broken', label: 'Something broken' },
  { value: 'silent', label: 'Silent' },
];
const SHARES = [
  { value: 'requested', label: 'Requested' },
  { value: 'used', label: 'Used' },
] as const;
const Foot = styled('p')(({ theme }) => ({
  ...theme.typography.caption,
  margin: 0,
  color: theme.vars.palette.load.text3,
}));

/** Share, filters and page, kept in the address. */
function useClustersView() {
  const [search, setSearch] = useSearchParams();
  const set = (values: Record<string, string>) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries({ offset: '', ...values })) {
          if (value === '') next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: 'search' in values },
    );
  const offset = Number(search.get('offset') ?? 0);
  return {
    share: CLUSTER_SHARES.find((share) => share === search.get('share')) ?? ('requested' as const),
    state: (['over', 'broken', 'silent'] as const).find((state) => state === search.get('state')),
    search: search.get('search') ?? '',
    version: search.get('version') ?? '',
    offset: Number.isInteger(offset) && offset > 0 ? offset : 0,
    set,
  };
}

type Summary = ClusterStatesAnswer['summary'];

/** "14 clusters, 12 report. prod-iad is over its line, 2 are silent." */
function sentenceOf(summary: Summary): string {
  const { clusters, silent, over, over_names: names } = summary;
  const shown = names.map(escapeInvisible);
  const more = over - shown.length;
  const overWords =
    over === 0
      ? null
      : `${shown.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''} ${over === 1 ? 'is over its line' : 'are over their line'}`;
  const notReady = summary.nodes - summary.ready_nodes;
  const rest = [
    overWords,
    notReady === 0 ? null : `${plural(notReady, 'node')} not ready`,
    summary.broken_pods === 0 ? null : plural(summary.broken_pods, 'broken pod'),
    silent === 0 ? null : `${String(silent)} ${silent === 1 ? 'is' : 'are'} silent`,
  ].filter((words) => words !== null);
  const head = `${plural(clusters, 'cluster')}, ${silent === 0 ? 'all report' : `${String(clusters - silent)} report`}.`;
  if (rest.length > 0) return `${head} ${rest.join(', ')}.`;
  return silent === clusters ? head : `${head} None is over its line, and nothing is broken.`;
}

function Tiles({ summary }: { summary: Summary }) {
  const { clusters, silent, over, nodes, ready_nodes: ready, pods, broken_pods: broken, behind } = summary;
  const newest = summary.newest_version;
  return (
    <StatGrid style={cssVars({ columns: 5 })}>
      <StatTile
        low
        label="Clusters"
        value={numberText(clusters)}
        fact={silent === 0 ? 'all report' : `${String(silent)} silent`}
      />
      <StatTile
        low
        label="Over the line"
        value={numberText(over)}
        band={over > 0 ? 'over' : 'ok'}
        fact={over > 0 ? '▲' : undefined}
      />
      <StatTile
        low
        label="Nodes ready"
        value={numberText(ready)}
        band={ready < nodes ? 'over' : 'ok'}
        fact={`of ${numberText(nodes) ?? ''}`}
      />
      <StatTile
        low
        label="Broken pods"
        value={numberText(broken)}
        band={broken > 0 ? 'over' : 'ok'}
        fact={`of ${numberText(pods) ?? ''}`}
      />
      <StatTile
        low
        label={newest === null ? 'Behind the newest' : `Behind ${newest}`}
        value={newest === null ? null : numberText(behind)}
        reason="no cluster reports its version"
        fact={behind === 0 ? 'all on the newest' : `at most ${plural(summary.most_behind, 'version')}`}
      />
    </StatGrid>
  );
}

/** Clusters compared, worst first. */
export function Component() {
  const view = useClustersView();
  const { share, state, search, version, offset } = view;
  const asked = useQuery(
    clusterStatesQuery({
      share,
      limit: PAGE_ROWS,
      offset,
      ...(state === undefined ? {} : { state }),
      ...(search.trim() === '' ? {} : { search: search.trim() }),
      ...(version === '' ? {} : { version }),
    }),
  );
  const overview = useQuery(clusterOverviewQuery(null));
  const moment = useClusterMoment(null);
  const answer = asked.data;
  const versions = answer?.summary.versions ?? [];
  return (
    <KubernetesSection
      tab="clusters"
      crumbs={[{ label: 'Kubernetes', to: paths.kubernetes }, { label: 'Clusters' }]}
      title="Clusters"
      sentence={answer === undefined ? 'Clusters compared, worst first' : sentenceOf(answer.summary)}
      overview={overview}
      moment={moment}
    >
      {answer !== undefined && <Tiles summary={answer.summary} />}
      <Toolbar>
        <SearchField label="Filter by name" value={search} onChange={(next) => view.set({ search: next })} />
        <Filter
          label="Version"
          value={version}
          options={[{ value: '', label: 'All' }, ...versions.map((one) => ({ value: one, label: one }))]}
          onChange={(next) => view.set({ version: next })}
        />
        <Filter label="State" value={state ?? ''} options={STATES} onChange={(next) => view.set({ state: next })} />
        <ToolbarEnd>
          <ToolbarNote className="wide">
            {share === 'requested' ? 'requested share of allocatable' : 'used share of capacity'}
          </ToolbarNote>
          <Toggle
            label="Share"
            value={share}
            options={SHARES}
            onChange={(next) => view.set({ share: next === 'requested' ? '' : next })}
          />
        </ToolbarEnd>
      </Toolbar>
      <Panel>
        <Failure asked={asked} />
        {asked.isPending && <RowsSkeleton rows={8} height={40} />}
        {answer?.clusters.length === 0 && (
          <EmptyState
            sentence={answer.summary.clusters === 0 ? 'No clusters found' : 'No clusters match your filters'}
            reason={
              answer.summary.clusters === 0
                ? 'A cluster appears 1-2 minutes after the chart is installed.'
                : 'Remove a filter to see more clusters.'
            }
          />
        )}
        {answer !== undefined && answer.clusters.length > 0 && (
          <ClusterTable clusters={answer.clusters} share={share} />
        )}
        {answer !== undefined && answer.total > PAGE_ROWS && (
          <Pager
            offset={offset}
            limit={PAGE_ROWS}
            total={answer.total}
            onOffset={(next) => view.set({ offset: String(next) })}
          />
        )}
      </Panel>
      <Foot>
        Worst first: over the line, then nodes not ready, broken pods and headroom. Silent clusters are last and keep
        their last known numbers in grey.
      </Foot>
    </KubernetesSection>
  );
}
