import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { Age } from '../../components/age.tsx';
import { StatusIcon } from '../../components/status-icons.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { Panel, PanelBody } from '../../components/panel.tsx';
import { Link } from '../../router.ts';
import { isConnected, outcomeText } from './connection.ts';
import type { Arrival, Connection } from './connection.ts';
import { stageTimes } from './install-progress.ts';
import type { InstallPlan } from './install-progress.ts';
import { Stack } from './setup-parts.tsx';
import { StageSteps } from './stage-steps.tsx';
import { TARGETS } from './targets.ts';
import type { useInstallRun } from './use-install-run.ts';
import { Refresh as RefreshIcon } from '../../components/icons/material.tsx';

const Rows = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: 0,
  padding: '8px 0 0',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > li': {
    display: 'flex',
    alignItems: 'center',
    '&:has(small)': { flexWrap: 'wrap' },
    gap: '0 8px',
    minHeight: 32,
    '& > svg': { flex: 'none' },
    color: theme.vars.palette.text.secondary,
  },
  '& a': { fontWeight: 600, color: theme.vars.palette.text.primary },
  '& small': { marginLeft: 'auto', fontSize: 12, color: theme.vars.palette.load.text3 },
}));

function ArrivalRow({ name, reportedAt, path, note }: Arrival) {
  return (
    <li>
      <StatusIcon status={reportedAt === null ? 'installing' : 'active'} />
      <Link to={path}>{name}</Link>
      <span>
        {reportedAt === null ? 'enrolled, waiting for its first report' : <Age at={reportedAt} prefix="reported " />}
      </span>
      {note !== null && <small>{note}</small>}
    </li>
  );
}

function waitingText({ target }: InstallPlan, connected: boolean): string {
  if (connected && target === 'kubernetes') return 'Waiting for the other nodes. This page updates automatically.';
  return target === 'kubernetes'
    ? 'Waiting for the first node. This page updates automatically.'
    : 'Waiting for the first report. This page updates automatically.';
}

/** Checks, in the order that finds most faults. */
function Trouble({ plan }: { plan: InstallPlan }) {
  return (
    <Notice tone="warning">
      <strong>No report after 2 minutes.</strong>
      <p>If the command ended without an error, check these in order:</p>
      {TARGETS[plan.target].trouble.map(([what, command]) => (
        <p key={what}>
          {what}: <code>{command}</code>
        </p>
      ))}
      <p>Can that machine reach the dashboard at the address in the command?</p>
    </Notice>
  );
}

interface ProgressPanelProps {
  step: number;
  plan: InstallPlan;
  run: ReturnType<typeof useInstallRun>;
  connection: Connection;
}

/** The clock's idea of the installation, and under it what really came in. */
export function ProgressPanel({ step, plan, run, connection }: ProgressPanelProps) {
  const connected = isConnected(connection);
  const whole = (stageTimes(plan).at(-1)?.atMs ?? 0) / 1000;
  const clock =
    run.elapsedSeconds === null ? undefined : `${Math.min(run.elapsedSeconds, whole)} s of about ${whole} s`;
  const stage = connected ? 'ready' : run.stage;
  return (
    <Panel
      title={`${step}. Wait for the first report`}
      note={connected ? undefined : clock}
      actions={
        <Button variant="outlined" startIcon={<RefreshIcon />} onClick={run.checkNow}>
          Check Now
        </Button>
      }
    >
      <PanelBody>
        <Stack>
          <StageSteps
            plan={plan}
            stage={stage}
            percent={connected ? 100 : run.percent}
            started={run.started || connected || run.stage === 'ready'}
          />
          <div aria-live="polite">
            {connected && <Notice tone="ok">{outcomeText(plan.target, connection)}</Notice>}
            {!connected && run.checked && <Notice>{outcomeText(plan.target, connection)}</Notice>}
          </div>
          {run.troubled && !connected && <Trouble plan={plan} />}
          <Rows>
            {connection.arrivals.map((arrival) => (
              <ArrivalRow key={arrival.path} {...arrival} />
            ))}
            {(!connected || plan.target === 'kubernetes') && (
              <li>
                <StatusIcon status="installing" />
                {waitingText(plan, connected)}
              </li>
            )}
          </Rows>
        </Stack>
      </PanelBody>
    </Panel>
  );
}
