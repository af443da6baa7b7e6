import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { ContainersAnswer } from '@plimsoll/contract/wire/containers';
import { containerGroupsQuery, containersQuery } from '../../api/containers.ts';
import { ROWS } from '../../api/polling.ts';
import { useQuery, type Asked } from '../../api/query.ts';
import { ExportButton } from '../../components/export/export-button.tsx';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { NotStored } from '../../components/feedback/not-stored.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { Page } from '../../components/page.tsx';
import { Pager } from '../../components/pager.tsx';
import { Panel } from '../../components/panel.tsx';
import { useSearchParams } from '../../router.ts';
import { useAt } from '../../state/use-at.ts';
import { useFreshness } from '../../state/use-freshness.ts';
import { momentMs } from '../../time/age.ts';
import { ServersNav } from '../../components/fleet/servers-nav.tsx';
import { containersTable } from './containers-export.ts';
import { ContainerGroups } from './container-groups.tsx';
import { ContainersList } from './containers-list.tsx';
import { ContainersStats } from './containers-stats.tsx';
import { ContainersTable } from './containers-table.tsx';
import { ContainersToolbar } from './containers-toolbar.tsx';
import {
  isFiltered,
  NO_FILTERS,
  parseView,
  summarySentence,
  withView,
  type ContainersView,
} from './containers-view.ts';

const Foot = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  alignItems: 'center',
  flexWrap: 'wrap',
  padding: '4px 0 4px 16px',
  color: theme.vars.palette.load.text3,
  '& > nav': { marginLeft: 'auto' },
}));
const ORDER_NOTE =
  'Broken first, then least headroom. CPU is in cores. The memory line is that of the host. Late rows are the last ones of hosts that do not report.';

function Empty({ view, onClear }: { view: ContainersView; onClear: () => void }) {
  if (isFiltered(view))
    return (
      <EmptyState
        sentence="No containers match your filters"
        action={
          <Button variant="outlined" onClick={onClear}>
            Clear filters
          </Button>
        }
      />
    );
  if (view.hidden) return <EmptyState sentence="No containers are hidden" />;
  return (
    <EmptyState
      sentence="No containers found"
      reason="Collectors find Docker, Podman, containerd, LXC and virtual machines by their control groups. None of the hosts in the scope reports one."
    />
  );
}

interface ListProps {
  asked: Asked<ContainersAnswer>;
  view: ContainersView;
  onChange: (change: Partial<ContainersView>) => void;
}

function List({ asked, view, onChange }: ListProps) {
  const small = useMediaQuery('(max-width: 899.95px)');
  const answer = asked.data;
  return (
    <Panel>
      {asked.isPending && <RowsSkeleton rows={10} height={40} />}
      {answer?.containers.length === 0 && <Empty view={view} onClear={() => onChange(NO_FILTERS)} />}
      {answer !== undefined && answer.containers.length > 0 && (
        <>
          {small ? (
            <ContainersList containers={answer.containers} />
          ) : (
            <ContainersTable containers={answer.containers} />
          )}
          <Foot>
            {!small && view.sort === 'worst' && <span>{ORDER_NOTE}</span>}
            <Pager
              offset={view.offset}
              limit={ROWS.containers}
              total={answer.total}
              onOffset={(offset) => onChange({ offset })}
            />
          </Foot>
        </>
      )}
    </Panel>
  );
}

export function Component() {
  const [search, setSearch] = useSearchParams();
  const [at] = useAt();
  const view = parseView(search);
  const change = (part: Partial<ContainersView>) =>
    setSearch((before) => withView(before, part), { replace: part.offset === undefined });
  const asked = useQuery({ ...containersQuery(view), enabled: at === null });
  const grouped = useQuery({ ...containerGroupsQuery(), enabled: at === null });
  const { containers = [], summary } = asked.data ?? {};
  const newest = containers.reduce<number | null>((latest, { sampled_at: sampled }) => {
    const ms = momentMs(sampled);
    return latest === null || (ms !== null && ms > latest) ? ms : latest;
  }, null);
  useFreshness('updated', newest);
  return (
    <Page
      title="Servers"
      tab="Containers"
      sentence={summary === undefined ? 'Containers of all hosts' : summarySentence(summary)}
      actions={
        <ExportButton
          holds={['containers']}
          table={() => containersTable(containers)}
          disabled={containers.length === 0}
          labelled
        />
      }
    >
      <ServersNav current="containers" servers={summary?.servers} containers={summary?.total} />
      {at === null ? (
        <>
          <Failure asked={asked} />
          <ContainersStats summary={summary} />
          <ContainersToolbar view={view} summary={summary} groups={grouped.data} onChange={change} />
          {view.group === '' ? (
            <List asked={asked} view={view} onChange={change} />
          ) : (
            <ContainerGroups
              asked={grouped}
              by={view.group}
              search={view.search}
              searchOf={(key) => withView(search, { ...NO_FILTERS, [view.group]: key, group: '' }).toString()}
            />
          )}
        </>
      ) : (
        <NotStored
          title="Containers"
          reason="Containers are kept from the last report only, and their CPU of 24 hours."
        />
      )}
    </Page>
  );
}
