import { styled } from '@mui/material/styles';
import type { PublicServerState } from '@plimsoll/contract/rules/status-page-limits';
import type { PublicStatusPage } from '@plimsoll/contract/wire/status-pages';
import { useEffect } from 'react';
import { failureText } from '../../api/client.ts';
import { useQuery } from '../../api/query.ts';
import { publicStatusPageQuery } from '../../api/status-pages.ts';
import { Age } from '../../components/age.tsx';
import { PageSpinner } from '../../components/feedback/page-spinner.tsx';
import { EmptyState, ErrorState } from '../../components/feedback/states.tsx';
import { CapacityBar } from '../../components/fleet/capacity-bar.tsx';
import { Mark } from '../../components/logo.tsx';
import { Panel, Rows } from '../../components/panel.tsx';
import { BandIcon, StatusIcon } from '../../components/status-icons.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { useParams } from '../../router.ts';
import { momentMs } from '../../time/age.ts';
import { STATE_NAME, summaryWords } from './status-words.ts';

const NOT_FOUND = 404;

const Frame = styled('main')(({ theme }) => ({
  display: 'grid',
  alignContent: 'start',
  gap: 16,
  maxWidth: 880,
  minHeight: 'calc(100vh - 57px)',
  margin: '0 auto',
  padding: '40px 24px',
  '& h1': { margin: 0, fontSize: 28, lineHeight: '36px', letterSpacing: '-0.02em', overflowWrap: 'anywhere' },
  [theme.breakpoints.down('sm')]: { padding: '24px 12px', gap: 12, '& h1': { fontSize: 22, lineHeight: '28px' } },
}));
const Message = styled('p')(({ theme }) => ({
  margin: '8px 0 0',
  color: theme.vars.palette.text.secondary,
  whiteSpace: 'pre-line',
  overflowWrap: 'anywhere',
}));
const Summary = styled('p')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '4px 16px',
  margin: 0,
  padding: '14px 16px',
  borderRadius: 8,
  backgroundColor: theme.vars.palette.load.okTint,
  '& > strong': { display: 'flex', alignItems: 'center', gap: 10, fontSize: 16, lineHeight: '24px', fontWeight: 600 },
  '& > span': { ...theme.typography.caption, color: theme.vars.palette.text.secondary },
  '&[data-state="outage"]': { backgroundColor: theme.vars.palette.load.overTint },
  '&[data-state="degraded"]': { backgroundColor: theme.vars.palette.load.nearTint },
  '&[data-state="unknown"]': { backgroundColor: theme.vars.palette.action.selected },
}));
const Row = styled('li')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  alignItems: 'center',
  gap: '4px 16px',
  minHeight: 52,
  padding: '10px 16px',
  '& > b': { fontWeight: 600, overflowWrap: 'anywhere' },
  '& > div': { gridColumn: '1 / -1' },
});
const State = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 8,
  whiteSpace: 'nowrap',
  color: theme.vars.palette.text.secondary,
  '& small': { ...theme.typography.caption, color: theme.vars.palette.load.text3 },
}));
const Figures = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
  gap: 24,
  padding: '2px 0 8px',
  [theme.breakpoints.down('sm')]: { gap: 16 },
  '& > div > p': {
    ...theme.typography.caption,
    display: 'flex',
    justifyContent: 'space-between',
    margin: '0 0 6px',
    color: theme.vars.palette.text.secondary,
    '& > span': { fontVariantNumeric: 'tabular-nums', color: theme.vars.palette.text.primary },
  },
}));
const Foot = styled('footer')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'center',
  gap: 8,
  minHeight: 56,
  padding: '0 12px',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  color: theme.vars.palette.load.text3,
}));

const STATUS_OF = { operational: 'active', offline: 'offline', not_reporting: 'installing' } as const;

function StateIcon({ state }: { state: PublicServerState }) {
  if (state === 'over_line') return <BandIcon band="over" />;
  return <StatusIcon status={STATUS_OF[state]} />;
}

const FIGURES = [
  ['CPU', 'cpu'],
  ['Memory', 'memory'],
  ['Disk', 'disk'],
] as const;

type PublicServer = PublicStatusPage['servers'][number];

function ServerRow({ server }: { server: PublicServer }) {
  const { state, figures } = server;
  return (
    <Row>
      <b>{escapeInvisible(server.name)}</b>
      <State>
        <StateIcon state={state} />
        {STATE_NAME[state]}
        {state === 'offline' && (
          <small>
            <Age at={momentMs(server.reported_at)} prefix="last report " />
          </small>
        )}
      </State>
      {figures !== null && (
        <Figures>
          {FIGURES.map(([name, key]) => (
            <div key={key}>
              <p>
                {name}
                <span>{figures[key].value === null ? 'N/A' : `${figures[key].value} %`}</span>
              </p>
              <CapacityBar name={`${name} of ${server.name}`} value={figures[key].value} line={figures[key].line} />
            </div>
          ))}
        </Figures>
      )}
    </Row>
  );
}

const ICON_OF = {
  outage: 'offline',
  degraded: 'over_line',
  operational: 'operational',
  unknown: 'not_reporting',
} as const;

function Content({ page, failed }: { page: PublicStatusPage; failed: string | null }) {
  return (
    <>
      <header>
        <h1>{escapeInvisible(page.title)}</h1>
        {page.message !== '' && <Message>{escapeInvisible(page.message)}</Message>}
      </header>
      {failed !== null && (
        <ErrorState message="Could not update this page" detail={`${failed} The states below are old.`} />
      )}
      <Summary data-state={page.state}>
        <strong>
          <StateIcon state={ICON_OF[page.state]} />
          {summaryWords(page)}
        </strong>
        <span>
          <Age at={momentMs(page.as_of)} prefix="Checked " />
        </span>
      </Summary>
      {page.servers.length > 0 && (
        <Panel title="Servers" note={page.servers.length}>
          <Rows>
            {page.servers.map((server, index) => (
              // Two servers may have the same name; their order is fixed.
              <ServerRow key={`${index}/${server.name}`} server={server} />
            ))}
          </Rows>
        </Panel>
      )}
    </>
  );
}

/** A public status page: what its owner shows of chosen servers, without a session. */
export function Component() {
  const { slug = '' } = useParams();
  const asked = useQuery(publicStatusPageQuery(slug));
  const page = asked.data?.status_page;
  // A link that was revoked while the page is open shows nothing more.
  const isGone = asked.error?.status === NOT_FOUND;
  const tab = isGone || page === undefined ? 'Status' : `${page.title} · Status`;
  useEffect(() => {
    document.title = tab;
  }, [tab]);
  if (asked.isPending) return <PageSpinner />;
  return (
    <>
      <Frame>
        {isGone && (
          <>
            <h1>Status page not found</h1>
            <Panel>
              <EmptyState
                size="page"
                sentence="No page is published at this address"
                reason="The link is mistyped, or its owner ended it."
              />
            </Panel>
          </>
        )}
        {!isGone && page === undefined && (
          <>
            <h1>Status</h1>
            <Panel>
              <ErrorState
                message="Could not load this page"
                detail={failureText(asked.error)}
                at={asked.errorUpdatedAt}
                onRetry={() => void asked.refetch()}
              />
            </Panel>
          </>
        )}
        {!isGone && page !== undefined && (
          <Content page={page} failed={asked.error === null ? null : `${failureText(asked.error)}.`} />
        )}
      </Frame>
      <Foot>
        <Mark size={16} /> Plimsoll, self-hosted monitoring
      </Foot>
    </>
  );
}
