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
import { clockTime, dayAndTime } from '../../time/zone.ts';
import { NearestLists } from '../../components/processes/nearest-lists.tsx';
import { WhatRanButton } from '../../components/processes/what-ran-button.tsx';
import { fleetSnapshotWords } from '../../format/fleet-snapshot-words.ts';
import { snapshotText } from '../../format/process-list-words.ts';
import { useAt } from '../../state/use-at.ts';
import { momentParameter } from '../../time/moment.ts';
import { useProcesses, type ShownProcesses } from './use-processes.ts';
import { ProcessesPanel } from './processes-panel.tsx';

/** Names the stored lists that are shown; empty: there are none. */
function noticeThen(at: number, { snapshot, fleet }: ShownProcesses): string[] {
  if (fleet !== null) return fleetSnapshotWords(fleet);
  const taken = snapshot?.snapshot_at ?? null;
  return taken === null ? [] : [snapshotText(taken, at)];
}

interface ThenNoticeProps {
  at: number;
  listed: ShownProcesses;
  onMoment: (at: number) => void;
}

/** Names the lists of the moment, and leads from the list of one server to those beside it. */
function ThenNotice({ at, listed, onMoment }: ThenNoticeProps) {
  const { asked, snapshot, nothing } = listed;
  return (
    <Notice>
      <p>{asked.isPending ? 'Loading the stored lists…' : noticeThen(at, listed).join(' ') || nothing?.reason}</p>
      {snapshot !== null && <NearestLists answer={snapshot} onMoment={onMoment} />}
    </Notice>
  );
}

const RANKS = [
  { value: 'cpu', label: 'CPU' },
  { value: 'memory', label: 'Memory' },
] as const;

export function Component() {
  const { server, setServer, get, set } = useFilters();
  const [at, setAt] = useAt();
  const servers = useServerNames();
  const rank = get('rank') === 'memory' ? 'memory' : 'cpu';
  const listed = useProcesses(rank, server, at);
  const { asked, processes, total, fleet, nothing } = listed;
  const all = distinctProcesses(processes);
  const shown = matchProcesses(all, get('search')).slice(0, ROWS.processes);
  const sampled = all.length === 0 ? null : momentMs(Math.max(...all.map((each) => each.timestamp)));
  useFreshness('updated', sampled);
  const chosen = useQuery({ ...serverQuery(server), enabled: server !== '' }).data?.server;
  const silent = at === null && server !== '' && chosen !== undefined && isSilent(chosen);

  const filtered = get('search') !== '';
  const sentence = rankSentence({
    shown: shown.length,
    fetched: all.length,
    total: Math.max(all.length, total),
    servers: new Set(all.map((each) => each.server_id)).size,
    rank,
    filtered,
  });
  return (
    <Page
      title="Processes"
      sentence={at === null ? sentence : `${sentence.replace(/\.$/, '')} at ${dayAndTime(at * 1000)}`}
    >
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
        <WhatRanButton at={at} onChoose={setAt} />
        <ToolbarEnd>
          <ToolbarNote>
            {at === null ? `refreshes every ${POLL.processes / 1000} s` : 'from stored lists'}
            {sampled !== null && (
              <>
                {' '}
                · sampled <Age at={sampled} />
              </>
            )}
          </ToolbarNote>
          <ExportButton
            holds={['processes', chosen === undefined ? '' : serverName(chosen)]}
            suffix={at === null ? '' : momentParameter(at)}
            table={() => processesTable(shown)}
            disabled={shown.length === 0}
            labelled
          />
        </ToolbarEnd>
      </Toolbar>
      {silent && sampled !== null && (
        <Notice>
          {serverName(chosen)} is {chosen.status}. These processes ran at {clockTime(sampled)}, <Age at={sampled} />.
        </Notice>
      )}
      {at !== null && <ThenNotice at={at} listed={listed} onMoment={setAt} />}
      <ProcessesPanel
        {...{ asked, rank, filtered, nothing }}
        processes={shown}
        past={silent || at !== null}
        minute={fleet?.minute ?? null}
      />
    </Page>
  );
}
