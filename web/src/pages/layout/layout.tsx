import { flag, storedValue } from '../../state/stored-value.ts';
import { styled } from '@mui/material/styles';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useMomentPending, useQuery, useQueryClient } from '../../api/query.ts';
import { sidebarAlertsQuery } from '../../api/alerts.ts';
import { useConnectionWatch } from '../../api/live/connection-watch.ts';
import { useChanges } from '../../api/live/events.ts';
import { useConnectionState } from '../../state/use-connection.ts';
import { useAt } from '../../state/use-at.ts';
import { useStored } from '../../state/use-stored.ts';
import { readAlertIds, unreadAlerts } from '../../state/read-alerts.ts';
import { paletteQuery } from './palette-query.ts';
import { cssVars } from '../../components/css-vars.ts';
import { SkipLink } from '../../components/skip-link.tsx';
import { setFavicon, setTitle } from '../../components/tab-title.ts';
import { Outlet, useLocation } from '../../router.ts';
import { isPageOfNow, useView, ViewProvider } from '../../state/view.ts';
import { ConnectionBand } from './connection-band.tsx';
import { PaletteComing } from './palette-coming.tsx';
import { MOMENT_BAND_PX, MomentBand } from './moment-band.tsx';
import { ScopeBand } from './scope-band.tsx';
import { Sidebar } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';
import { useCommands } from './use-commands.ts';
import { useWebNotifications } from './use-web-notifications.ts';
import { loadScript } from '../../state/load-script.ts';

/** Loaded at first use. */
const Palette = lazy(() => loadScript(() => import('./palette.tsx')));
const MenuDrawer = lazy(() => loadScript(() => import('./menu-drawer.tsx')));
const HelpDialog = lazy(() => loadScript(() => import('./help-dialog.tsx')));

/** Widths of the sidebar in px. */
const SIDEBAR_PX = { collapsed: 88, expanded: 260 } as const;

/** True while the sidebar is open; the chat's left edge follows it. */
const sidebarExpanded = storedValue('plimsoll.sidebar-expanded', flag(true));

const Shell = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'var(--sidebar) minmax(0, 1fr)',
  minHeight: '100vh',
  [theme.breakpoints.down('md')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
  '@media print': { display: 'block' },
}));
const Aside = styled('aside')(({ theme }) => ({
  position: 'sticky',
  top: 0,
  height: '100vh',
  borderRight: `1px solid ${theme.vars.palette.divider}`,
  [theme.breakpoints.down('md')]: { display: 'none' },
  '@media print': { display: 'none' },
}));
/** Figures that may be wrong by now lose their colours and their weight; every text keeps its contrast. */
const DIMMED = {
  '--mui-palette-text-primary': 'var(--mui-palette-text-secondary)',
  ...Object.fromEntries(
    ['load-ok', 'load-near', 'load-over', 'load-line', 'success-main', 'warning-main', 'error-main'].map((name) => [
      `--mui-palette-${name}`,
      'var(--mui-palette-load-stale)',
    ]),
  ),
  ...Object.fromEntries(
    ['okText', 'nearText', 'overText'].map((name) => [`--mui-palette-load-${name}`, 'var(--mui-palette-load-text3)']),
  ),
};
const Main = styled('main')(({ theme }) => ({
  minWidth: 0,
  color: theme.vars.palette.text.primary,
  '&[data-dimmed]': DIMMED,
}));
/** The bands stay below the top bar while the page scrolls. */
const Bands = styled('div')(({ theme }) => ({ position: 'sticky', top: 56, zIndex: theme.zIndex.appBar - 1 }));
/** Requests everything again when the pages go back from a moment of the past to now. */
function useReturnToNow(at: number | null): void {
  const queries = useQueryClient();
  const wasPast = useRef(false);
  useEffect(() => {
    if (at === null && wasPast.current) void queries.invalidateQueries();
    wasPast.current = at !== null;
  }, [at, queries]);
}

/** The page as of its moment, below the bands; dimmed while its figures may be wrong. */
function ShownPage({ children }: { children: ReactNode }) {
  const view = useView();
  const [at] = useAt();
  const ofNow = isPageOfNow(useLocation().pathname);
  const pending = useMomentPending();
  const isLost = useConnectionState() === 'lost';
  return (
    <>
      <Bands>
        <MomentBand ofNow={ofNow} />
        <ConnectionBand />
      </Bands>
      <Main id="page" tabIndex={-1} aria-busy={pending} data-dimmed={isLost || pending ? '' : undefined}>
        <ViewProvider value={{ ...view, at: ofNow ? null : at }}>{children}</ViewProvider>
      </Main>
    </>
  );
}

/** The frame of every page behind sign-in. It is always of now: only the page goes back in time. `children` stands in for a page that cannot be shown. */
export function Layout({ children = <Outlet /> }: { children?: ReactNode }) {
  const [expanded, setExpanded] = useStored(sidebarExpanded);
  const [read] = useStored(readAlertIds);
  /** Null until it is opened first. */
  const [drawerOpen, setDrawerOpen] = useState<boolean | null>(null);
  const alerts = useQuery(sidebarAlertsQuery());
  const [at] = useAt();
  useReturnToNow(at);
  const unread = unreadAlerts(alerts.data?.alerts ?? [], read).length;
  const [overlay, setOverlay] = useCommands();
  const closePalette = () => {
    paletteQuery.set('');
    setOverlay(null);
  };
  useChanges();
  useConnectionWatch();
  useWebNotifications(alerts.data?.alerts);
  const active = alerts.data?.alerts.filter(({ status }) => status === 'active').length ?? 0;
  useEffect(() => setTitle({ unread }), [unread]);
  useEffect(() => {
    setFavicon(active);
    return () => setFavicon(0);
  }, [active]);
  return (
    <Shell
      style={cssVars({
        sidebar: `${expanded ? SIDEBAR_PX.expanded : SIDEBAR_PX.collapsed}px`,
        'moment-band': `${at === null ? 0 : MOMENT_BAND_PX}px`,
      })}
    >
      <SkipLink href="#page">Skip to the page</SkipLink>
      <Aside>
        <Sidebar expanded={expanded} unread={unread} onToggle={() => setExpanded(!expanded)} />
      </Aside>
      <Suspense fallback={null}>
        {drawerOpen !== null && <MenuDrawer open={drawerOpen} unread={unread} onClose={() => setDrawerOpen(false)} />}
      </Suspense>
      <div>
        <TopBar
          onMenu={() => setDrawerOpen(true)}
          onSearch={() => setOverlay('palette')}
          onHelp={() => setOverlay('help')}
        />
        <ScopeBand />
        <ShownPage>{children}</ShownPage>
      </div>
      <Suspense fallback={overlay === 'palette' ? <PaletteComing onClose={closePalette} /> : null}>
        {overlay === 'palette' && <Palette onClose={closePalette} />}
        {overlay === 'help' && <HelpDialog onClose={() => setOverlay(null)} />}
      </Suspense>
    </Shell>
  );
}
