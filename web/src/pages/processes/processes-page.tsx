import { processesQuery } from '../../api/processes.ts';
import { POLL, ROWS } from '../../api/polling.ts';
import { useQuery } from '../../api/query.ts';
import { useServerNames } from '../../api/server-names.ts';
import { serverQuery } from '../../api/servers.ts';
import { Age } from '../../components/age.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { ExportButton } from '../../components/export/export-button.tsx';
import { processesTable } from './processes-export.ts';
import { Page } from '../../components/page.tsx';
import { SearchField } from '../../components/form/search-field.tsx';
import { ServerFilter } from '../../components/form/server-filter.tsx';
import { Toggle, Toolbar, ToolbarEnd, ToolbarNote } from '../../components/form/toolbar.tsx';
import { useFilters } from '../../state/use-filters.ts';
import { useFreshness } from '../../state/use-freshness.ts';
import { momentMs } from '../../time/age.ts';
import { distinctProcesses, matchProcesses, rankSentence } from '../../format/process-words.ts';
import { isSilent, serverName } from '../../format/server-facts.ts';
import { clockTime } from '../../time/zone.ts';
import { ProcessesPanel } from './processes-panel.tsx';

const RANKS = [
  { value: 'cpu', label: 'CPU' },
  { value: 'memory', label: 'Memory' },
] as const;

export function Component() {
  const { server, setServer, get, set } = useFilters();
  const servers = useServerNames();
  const rank = get('rank') === 'memory' ? 'memory' : 'cpu';
  const asked = useQuery(processesQuery(rank, server === '' ? undefined : server));
  const all = distinctProcesses(asked.data?.processes ?? []);
  const shown = matchProcesses(all, get('search')).slice(0, ROWS.processes);
  const sampled = all.length === 0 ? null : momentMs(Math.max(...all.map((each) => each.timestamp)));
  useFreshness('updated', sampled);
  const chosen = useQuery({ ...serverQuery(server), enabled: server !== '' }).data?.server;
  const past = server !== '' && chosen !== undefined && isSilent(chosen);

  const filtered = get('search') !== '';
  const sentence = rankSentence({
    shown: shown.length,
    fetched: all.length,
    total: Math.max(all.length, asked.data?.total ?? 0),
    servers: new Set(all.map((each) => each.server_id)).size,
    rank,
    filtered,
  });
  return (
    <Page title="Processes" sentence={sentence}>
      <Toolbar>
        <Toggle
          label="Rank by"
          value={rank}
          options={RANKS}
          onChange={(value) => set('rank', value === 'cpu' ? '' : value)}
        />
        <ServerFilter value={server} servers={servers} onChange={setServer} />
        <SearchField
          label="Filter by name or command"
          value={get('search')}
          onChange={(value) => set('search', value)}
        />
        <ToolbarEnd>
          <ToolbarNote>
            refreshes every {POLL.processes / 1000} s
            {sampled !== null && (
              <>
                {' '}
                · sampled <Age at={sampled} />
              </>
            )}
          </ToolbarNote>
          <ExportButton
            holds={['processes', chosen === undefined ? '' : serverName(chosen)]}
            table={() => processesTable(shown)}
            disabled={shown.length === 0}
            labelled
          />
        </ToolbarEnd>
      </Toolbar>
      {past && sampled !== null && (
        <Notice>
          {serverName(chosen)} is {chosen.status}. These processes ran at {clockTime(sampled)}, <Age at={sampled} />.
        </Notice>
      )}
      <ProcessesPanel asked={asked} processes={shown} rank={rank} filtered={filtered} past={past} />
    </Page>
  );
}
