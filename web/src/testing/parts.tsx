import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '../fonts/latin.css';
import Button from '@mui/material/Button';
import CssBaseline from '@mui/material/CssBaseline';
import { styled, ThemeProvider } from '@mui/material/styles';
import { createRoot } from 'react-dom/client';
import { Mark } from '../components/logo.tsx';
import { ServerCard } from '../components/fleet/server-card.tsx';
import { ServerCardSkeleton } from '../components/feedback/skeletons.tsx';
import { EmptyState } from '../components/feedback/states.tsx';
import { createBrowserRouter, RouterProvider } from '../router.ts';
import { theme, THEME_STORAGE_KEY } from '../theme.ts';
import { Bars, Charts, Chips, Marks, Phrases, Series, Strip } from './parts-panels.tsx';
import { LINES, NOW_MS, sparkOf } from './parts-samples.ts';
import { TerminalOutlined as TerminalIcon } from '../components/icons/material.tsx';

const Sheet = styled('main')({ padding: 32, maxWidth: 1440, margin: '0 auto', display: 'grid', gap: 12 });
const Row = styled('div')({
  display: 'grid',
  gap: 12,
  alignItems: 'start',
  gridTemplateColumns: 'repeat(var(--n), minmax(0, 1fr))',
  '@media (max-width: 900px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
});
const Title = styled('h1')({ display: 'flex', alignItems: 'center', gap: 12, margin: 0 });
const row = (n: number) => ({ '--n': n }) as React.CSSProperties;

function Cards() {
  const disk = { resource: 'disk', points: -6, value: 86, line: 80, subject: '/srv/media' } as const;
  return (
    <Row style={row(4)}>
      <ServerCard
        name="media-ams-01"
        to="/servers/a"
        status="active"
        platform="Debian 12 · amd64"
        region="eu-west-2"
        sizes="8 cores · 32 GB · 4 TB"
        lines={LINES}
        headroom={disk}
        figures={{ cpu: 35, memory: 51, disk: 86 }}
        spark={sparkOf()}
      />
      <ServerCard
        name="web-sin-01"
        to="/servers/b"
        status="offline"
        platform="Ubuntu 22.04 · amd64"
        region="ap-southeast-1"
        sizes="4 cores · 8 GB · 120 GB"
        lines={LINES}
        headroom={null}
        figures={{ cpu: 63, memory: 58, disk: 48 }}
        staleSince={NOW_MS - 420_000}
      />
      <ServerCardSkeleton />
      <EmptyState
        size="page"
        sentence="No servers connected yet"
        reason="Run one command on a Linux or macOS machine. It appears here in 1-2 minutes."
        action={
          <Button variant="contained" startIcon={<TerminalIcon />}>
            Install Agent
          </Button>
        }
      />
    </Row>
  );
}

function Parts() {
  return (
    <Sheet>
      <Title>
        <Mark size={26} /> Parts
      </Title>
      <Row style={row(3)}>
        <Bars />
        <div style={{ display: 'grid', gap: 12 }}>
          <Phrases />
          <Marks />
        </div>
        <div style={{ display: 'grid', gap: 12 }}>
          <Chips />
          <Series />
        </div>
      </Row>
      <Row style={row(4)}>
        <Charts />
      </Row>
      <Cards />
      <Strip />
    </Sheet>
  );
}

const router = createBrowserRouter([{ path: '*', element: <Parts /> }]);
const root = document.getElementById('root');
if (root === null) throw new Error('parts.html has no element #root');
createRoot(root).render(
  <ThemeProvider theme={theme} defaultMode="dark" modeStorageKey={THEME_STORAGE_KEY}>
    <CssBaseline />
    <RouterProvider router={router} />
  </ThemeProvider>,
);
