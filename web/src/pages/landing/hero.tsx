import { styled } from '@mui/material/styles';
import { FleetHero } from './fleet-hero.tsx';
import { InstallLine } from './install-line.tsx';

const Words = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '1fr minmax(0, 560px)',
  alignItems: 'center',
  gap: 48,
  maxWidth: 1296,
  margin: '0 auto',
  padding: '56px 24px 0',
  [theme.breakpoints.down('md')]: { gridTemplateColumns: 'minmax(0, 1fr)', gap: 24, paddingTop: 32 },
  [theme.breakpoints.down('sm')]: { padding: '24px 12px 0' },
  '& h1': {
    maxWidth: 600,
    margin: 0,
    fontSize: 60,
    lineHeight: '66px',
    fontWeight: 600,
    letterSpacing: '-0.03em',
    [theme.breakpoints.down('sm')]: { fontSize: 40, lineHeight: '46px' },
  },
  '& p': { margin: 0, fontSize: 16, lineHeight: '26px', color: theme.vars.palette.text.secondary },
  '& p.fine': { ...theme.typography.caption, marginTop: 10, color: theme.vars.palette.load.text3 },
}));

export function Hero() {
  return (
    <>
      <Words>
        <h1>See how close every server is to its load line.</h1>
        <div>
          <p>
            Self-hosted monitoring for servers and Kubernetes. Install a small agent with one command and see the first
            chart in two minutes.
          </p>
          <InstallLine />
          <p className="fine">Linux and macOS, AMD64 and ARM64. The Setup page shows the token it needs.</p>
        </div>
      </Words>
      <FleetHero />
    </>
  );
}
