import { CHANGE_SOURCES, type ChangeSource } from '@plimsoll/contract/rules/changes';
import type { ChangesAnswer } from '@plimsoll/contract/wire/changes';
import { changesQuery, type ChangeFilter } from '../../api/change-ledger.ts';
import { ROWS } from '../../api/polling.ts';
import { useQuery } from '../../api/query.ts';
import { useServerNames } from '../../api/server-names.ts';
import { ChangeRow } from '../../components/changes/change-row.tsx';
import { foldChanges } from '../../components/changes/fold-changes.ts';
import { SOURCE_NAME } from '../../components/changes/change-words.ts';
import { FeedPanel } from '../../components/feedback/feed-panel.tsx';
import { RangeToggle } from '../../components/form/range-toggle.tsx';
import { SearchField } from '../../components/form/search-field.tsx';
import { ServerFilter } from '../../components/form/server-filter.tsx';
import { Toggle } from '../../components/form/toggle.tsx';
import { Toolbar, ToolbarNote } from '../../components/form/toolbar.tsx';
import { Page } from '../../components/page.tsx';
import { Pager } from '../../components/pager.tsx';
import { TabBar } from '../../components/tab-bar.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { numberText } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { publicUrl } from '../../state/public-url.ts';
import { useFilters, type Filters } from '../../state/use-filters.ts';
import { useFreshness } from '../../state/use-freshness.ts';
import { useStored } from '../../state/use-stored.ts';
import { DeploySteps } from './deploy-steps.tsx';

const RANGES = [6, 24, 168, 720] as const;
/** Places that another page names in the address; nobody types them here. */
const PLACES = ['cluster_id', 'namespace', 'kind', 'name'] as const;

const isSource = (text: string): text is ChangeSource => CHANGE_SOURCES.some((source) => source === text);

function filterOf({ server, get }: Filters): ChangeFilter {
  const source = get('source');
  const q = get('q');
  const filter: ChangeFilter = { limit: ROWS.changes, offset: Number(get('offset')) || 0 };
  if (server !== '') filter.server_id = server;
  if (isSource(source)) filter.source = source;
  if (q !== '') filter.q = q;
  for (const name of PLACES) if (get(name) !== '') filter[name] = get(name);
  return filter;
}

function countText({ total, is_more: isMore }: ChangesAnswer): string {
  if (isMore) return `More than ${numberText(total) ?? ''} changes in this range`;
  return total === 1 ? '1 change in this range' : `${numberText(total) ?? ''} changes in this range`;
}

export function Component() {
  const filters = useFilters();
  const { range, server, setRange, setServer, get, set } = filters;
  const servers = useServerNames();
  const [stored] = useStored(publicUrl);
  const filter = filterOf(filters);
  const asked = useQuery(changesQuery(range, filter));
  useFreshness('updated', asked.dataUpdatedAt || null);
  const answer = asked.data;
  const placeWords = PLACES.map(get).filter((word) => word !== '' && word !== filter.cluster_id);
  return (
    <Page title="Changes" canonical={paths.changes} sentence={answer === undefined ? 'Loading…' : countText(answer)}>
      <TabBar
        label="What happened"
        tabs={[
          { to: paths.activity, label: 'Activity', current: false },
          { to: paths.changes, label: 'Changes', current: true },
        ]}
      />
      <Toolbar>
        <ServerFilter value={server} servers={servers} onChange={setServer} />
        <RangeToggle hours={RANGES} range={range} onChange={setRange} />
        <Toggle
          label="Where it changed"
          value={get('source') === '' ? 'all' : get('source')}
          options={[
            { value: 'all', label: 'All' },
            ...CHANGE_SOURCES.map((source) => ({ value: source, label: SOURCE_NAME[source] })),
          ]}
          onChange={(value) => set('source', value === 'all' ? '' : value)}
        />
        <SearchField label="Search object, field, version" value={get('q')} onChange={(text) => set('q', text)} />
        {placeWords.length > 0 && <ToolbarNote>Only {escapeInvisible(placeWords.join(' '))}</ToolbarNote>}
      </Toolbar>
      <FeedPanel
        title="What changed"
        note={answer?.is_more === true ? 'choose a shorter range to see all' : answer?.total}
        asked={asked}
        rows={ROWS.serverActivity}
        empty={{
          sentence: 'No changes in this range',
          reason: 'Rollouts, settings of clusters and hosts, rules and deploy marks appear here.',
        }}
      >
        {foldChanges(answer?.changes ?? []).map(({ change, others }) => (
          <ChangeRow key={change.id} change={change} others={others} dated />
        ))}
      </FeedPanel>
      {answer !== undefined && answer.total > ROWS.changes && (
        <Pager
          offset={filter.offset ?? 0}
          limit={ROWS.changes}
          total={answer.total}
          onOffset={(offset) => set('offset', offset === 0 ? '' : String(offset))}
        />
      )}
      <DeploySteps origin={stored ?? window.location.origin} />
    </Page>
  );
}
