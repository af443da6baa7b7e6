import { styled } from '@mui/material/styles';
import { cssVars } from '../../components/css-vars.ts';
import { stageTimes } from './install-progress.ts';
import type { InstallPlan, Stage } from './install-progress.ts';

const NAME: Record<Stage, string> = {
  installing: 'Installing',
  starting: 'Starting',
  connecting: 'Connecting',
  ready: 'Ready',
};

const Track = styled('div')(({ theme }) => ({
  position: 'relative',
  paddingBottom: 4,
  '& > .rail, & > .done': {
    position: 'absolute',
    top: 9,
    left: 10,
    height: 2,
    width: 'calc(100% - 100% / var(--steps))',
    backgroundColor: theme.vars.palette.load.track,
  },
  '& > .done': {
    width: 'calc((100% - 100% / var(--steps)) * var(--done))',
    backgroundColor: theme.vars.palette.info.main,
  },
}));
const Steps = styled('ol')(({ theme }) => ({
  position: 'relative',
  listStyle: 'none',
  margin: 0,
  padding: 0,
  display: 'grid',
  gridTemplateColumns: 'repeat(var(--steps), minmax(0, 1fr))',
  '& > li > svg': { display: 'block', marginBottom: 6, color: theme.vars.palette.info.main },
  '& > li[data-state="ahead"] > svg': { color: theme.vars.palette.load.edge },
  '& > li[data-state="ahead"]': { color: theme.vars.palette.text.secondary },
  '& b': { display: 'block', fontWeight: 600 },
  '& small': { ...theme.typography.caption, color: theme.vars.palette.load.text3 },
}));

function Ring({ state }: { state: 'done' | 'now' | 'ahead' }) {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden>
      <circle cx="10" cy="10" r="9" fill="var(--mui-palette-background-paper)" />
      {state === 'done' && <path d="m6 10.2 2.8 2.8L14 7.4" strokeWidth="1.6" />}
      {state === 'now' && <circle cx="10" cy="10" r="4" fill="currentColor" stroke="none" />}
    </svg>
  );
}

interface StageStepsProps {
  plan: InstallPlan;
  stage: Stage;
  percent: number;
  started: boolean;
}

/** Returns the progress along the rail: the steps stand at equal distances, the times between them differ. */
function railShare(plan: InstallPlan, percent: number): number {
  const times = stageTimes(plan);
  const last = times.length - 1;
  const elapsed = (percent / 100) * (times[last]?.atMs ?? 1);
  const index = Math.max(
    0,
    times.findLastIndex(({ atMs }) => elapsed >= atMs),
  );
  const [from, to] = [times[index], times[index + 1]];
  if (from === undefined || to === undefined) return 1;
  return (index + (elapsed - from.atMs) / (to.atMs - from.atMs)) / last;
}

/** Expected step of the installation, by the clock. The connection itself is shown below it. */
export function StageSteps({ plan, stage, percent, started }: StageStepsProps) {
  const times = stageTimes(plan);
  const at = times.findIndex((each) => each.stage === stage);
  return (
    <Track style={cssVars({ steps: times.length, done: stage === 'ready' ? 1 : railShare(plan, percent) })}>
      <div className="rail" />
      <div className="done" />
      <Steps>
        {times.map((each, index) => {
          const state = !started || index > at ? 'ahead' : index < at || stage === 'ready' ? 'done' : ('now' as const);
          const seconds = each.atMs / 1000;
          return (
            <li key={each.stage} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
              <Ring state={state} />
              <b>{NAME[each.stage]}</b>
              <small>{each.stage === 'ready' ? `about ${seconds} s` : `${seconds} s`}</small>
            </li>
          );
        })}
      </Steps>
    </Track>
  );
}
