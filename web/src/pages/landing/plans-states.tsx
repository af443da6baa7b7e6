import { styled } from '@mui/material/styles';
import { Cells } from './landing-parts.tsx';
import { Facts, Price } from './plan-parts.tsx';
import { TOUCH } from '../../components/screen.ts';

/** Lines of the plan cards as they come: the place is kept by lines that take part in the same layout. */
const LINES = [4, 4, 5] as const;
/** Takes its line's height and says nothing. */
const BLANK = '\u00a0';

const Blank = styled('span')(({ theme }) => ({
  display: 'inline-block',
  width: '60%',
  borderRadius: 4,
  backgroundColor: theme.vars.palette.action.selected,
  '[data-quiet="true"] &': { visibility: 'hidden' },
}));

/** The frame and the height of the plan cards; `quiet` leaves their lines out. */
function Frame({ quiet }: { quiet: boolean }) {
  return (
    <Cells aria-hidden data-quiet={quiet}>
      {LINES.map((lines, plan) => (
        <li key={plan}>
          <h3>
            <Blank>{BLANK}</Blank>
          </h3>
          <Price>
            <Blank>{BLANK}</Blank>
            <small>{BLANK}</small>
          </Price>
          <Facts>
            {Array.from({ length: lines }, (_, line) => (
              <li key={line}>
                <Blank>{BLANK}</Blank>
              </li>
            ))}
          </Facts>
        </li>
      ))}
    </Cells>
  );
}

/** The plans before their answer. */
export function PlansSkeleton() {
  return (
    <div role="status" aria-label="Loading">
      <Frame quiet={false} />
    </div>
  );
}

const Place = styled('div')(({ theme }) => ({
  position: 'relative',
  // The frame's margin stays inside, where the message's distance counts from.
  display: 'flow-root',
  '& ul, & li': { borderColor: 'transparent' },
  '& > [role="alert"]': {
    position: 'absolute',
    inset: '32px 0 0',
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    justifyContent: 'center',
    gap: 4,
    padding: 16,
    textAlign: 'center',
    border: `1px solid ${theme.vars.palette.divider}`,
    borderRadius: 8,
    '& p': { margin: 0, color: theme.vars.palette.text.secondary },
  },
}));
const Retry = styled('button')(({ theme }) => ({
  ...theme.typography.button,
  minHeight: 32,
  marginTop: 8,
  padding: '0 14px',
  cursor: 'pointer',
  border: `1px solid ${theme.vars.palette.load.edge}`,
  borderRadius: 6,
  color: theme.vars.palette.text.primary,
  backgroundColor: 'transparent',
  '&:hover': { backgroundColor: theme.vars.palette.action.selected },
  '&:focus-visible': { outline: `2px solid ${theme.vars.palette.info.main}`, outlineOffset: 2 },
  [TOUCH]: { minHeight: 40 },
}));

/** The plans that did not come: why, and the way to try again. No figure stands in for them. */
export function NoPlans({ why, onRetry }: { why: string; onRetry: () => void }) {
  return (
    <Place>
      <Frame quiet />
      <div role="alert">
        <strong>Could not load the plans</strong>
        <p>{why}</p>
        <Retry type="button" onClick={onRetry}>
          Retry
        </Retry>
      </div>
    </Place>
  );
}
