import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { InstallationHealth } from '@plimsoll/contract/wire/installation-health';
import { installationHealthQuery } from '../../api/installation-health.ts';
import { useQuery } from '../../api/query.ts';
import { Age } from '../../components/age.tsx';
import { awaitedWords, Failure } from '../../components/feedback/feed-panel.tsx';
import { PageSpinner } from '../../components/feedback/page-spinner.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { Page } from '../../components/page.tsx';
import { Panel, Rows } from '../../components/panel.tsx';
import { LevelIcon } from '../../components/status-icons.tsx';
import { plural } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { momentMs } from '../../time/age.ts';
import { FINDING } from './finding-words.ts';
import {
  AgentsPanel,
  ChannelsPanel,
  JobsPanel,
  ReplicasPanel,
  RollupsPanel,
  SeriesStorePanel,
  TablesPanel,
} from './health-panels.tsx';
import { HealthTiles } from './health-tiles.tsx';

const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
  alignItems: 'start',
  gap: 12,
  [theme.breakpoints.down('lg')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}));
const Stack = styled('div')({ display: 'grid', gap: 12, minWidth: 0 });
const Finding = styled('li')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '16px minmax(0, 1fr)',
  gap: '0 10px',
  padding: '8px 16px',
  '& > svg': { marginTop: 2 },
  '& b': { fontWeight: 600 },
  '& p': { ...theme.typography.caption, margin: 0, color: theme.vars.palette.text.secondary },
}));

function Findings({ findings }: Pick<InstallationHealth, 'findings'>) {
  if (findings.length === 0) return null;
  return (
    <Panel title="Needs attention" note={findings.length}>
      <Rows>
        {findings.map((finding) => (
          <Finding key={finding}>
            <LevelIcon level="warning" />
            <div>
              <b>{FINDING[finding].sentence}</b>
              <p>{FINDING[finding].remedy}</p>
            </div>
          </Finding>
        ))}
      </Rows>
    </Panel>
  );
}

function Health({ health }: { health: InstallationHealth }) {
  return (
    <>
      <Findings findings={health.findings} />
      <HealthTiles health={health} />
      <Columns>
        <Stack>
          <JobsPanel health={health} />
          <ChannelsPanel health={health} />
        </Stack>
        <Stack>
          <ReplicasPanel health={health} />
          <AgentsPanel health={health} />
          <RollupsPanel health={health} />
          <SeriesStorePanel health={health} />
          <TablesPanel health={health} />
        </Stack>
      </Columns>
    </>
  );
}

function Verdict({ health: { findings, as_of } }: { health: InstallationHealth }) {
  const count = findings.length;
  const words = count === 0 ? 'Nothing needs attention' : `${plural(count, 'thing needs', 'things need')} attention`;
  return (
    <>
      {words}. Figures of all accounts, <Age at={momentMs(as_of)} />.
    </>
  );
}

const FORBIDDEN = 403;

/** The health of the whole installation, for its operator. */
export function Component() {
  const asked = useQuery(installationHealthQuery());
  const { data, error } = asked;
  const isForbidden = error?.status === FORBIDDEN;
  const awaited = isForbidden ? undefined : awaitedWords(asked, 'figures');
  return (
    <Page
      title="Installation health"
      sentence={data === undefined ? awaited : <Verdict health={data} />}
      actions={
        <Button component={Link} to={paths.profile} variant="outlined">
          Profile
        </Button>
      }
    >
      {isForbidden ? (
        <Panel>
          <EmptyState
            sentence="This page is for the operator"
            reason="An operator is an admin of the organisation of the first account."
          />
        </Panel>
      ) : (
        <>
          <Failure asked={asked} />
          {asked.isPending && <PageSpinner />}
          {data !== undefined && <Health health={data} />}
        </>
      )}
    </Page>
  );
}
