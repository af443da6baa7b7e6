import { styled } from '@mui/material/styles';
import { cssVars } from '../../components/css-vars.ts';
import { EXAMPLE_FLEET, EXAMPLE_LINE, exampleBand, exampleCount } from './example-fleet.ts';

/** Height of the line above the foot, px. */
const LINE_PX = 252;
const LINE_PX_SMALL = 168;

const Sea = styled('figure')(({ theme }) => ({
  '--line': `${LINE_PX}px`,
  position: 'relative',
  // The foot of the strip meets the foot of the first screen.
  margin: 'clamp(96px, 100svh - 638px, 320px) 0 0',
  overflowX: 'clip',
  [theme.breakpoints.down('md')]: { '--line': `${LINE_PX_SMALL}px`, marginTop: 80 },
  '& > .line': {
    position: 'absolute',
    left: 0,
    right: 0,
    top: 'calc(0.17 * var(--line) - 1px)',
    height: 2,
    zIndex: 1,
    backgroundColor: theme.vars.palette.load.line,
  },
}));
const Plot = styled('div')(({ theme }) => ({
  position: 'relative',
  maxWidth: 1296,
  margin: '0 auto',
  padding: '0 24px 0 104px',
  boxSizing: 'border-box',
  '& > .says, & > .names': {
    ...theme.typography.caption,
    position: 'absolute',
    color: theme.vars.palette.text.secondary,
  },
  '& > .says': { top: -30, left: 104, '& b': { fontWeight: 600, color: theme.vars.palette.text.primary } },
  '& > .says svg': { marginRight: 8, verticalAlign: -1, color: theme.vars.palette.load.overText },
  '& > .names': { right: 24, bottom: 'calc(var(--line) + 8px)', color: theme.vars.palette.load.text3 },
  '& > .ring': {
    position: 'absolute',
    left: 36,
    bottom: 'calc(var(--line) - 23px)',
    width: 46,
    height: 46,
    boxSizing: 'border-box',
    borderRadius: '50%',
    border: `2px solid ${theme.vars.palette.load.line}`,
  },
  [theme.breakpoints.down('md')]: {
    padding: '0 12px 0 48px',
    '& > .says': { left: 48 },
    '& > .names': { right: 12 },
    '& > .ring': { left: 10, width: 28, height: 28, bottom: 'calc(var(--line) - 14px)' },
  },
}));
const Bars = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'flex-end',
  gap: 'clamp(1px, 0.5vw, 7px)',
  height: 'calc(var(--line) * 1.17)',
  '& > i': {
    flex: 1,
    height: 'calc(var(--share) * var(--line))',
    borderRadius: '1px 1px 0 0',
    backgroundColor: theme.vars.palette.load.ok,
  },
  '& > i[data-band="near"]': { backgroundColor: theme.vars.palette.load.near },
  '& > i[data-band="over"]': { backgroundColor: theme.vars.palette.load.over },
}));
const Foot = styled('figcaption')(({ theme }) => ({
  position: 'relative',
  minHeight: 72,
  display: 'flex',
  alignItems: 'center',
  boxSizing: 'border-box',
  borderTop: `1px solid ${theme.vars.palette.load.edge}`,
  backgroundColor: theme.vars.palette.background.paper,
  color: theme.vars.palette.text.secondary,
  '& > div': {
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'space-between',
    gap: '4px 24px',
    flex: 1,
    maxWidth: 1296,
    margin: '0 auto',
    padding: '12px 24px 12px 104px',
    boxSizing: 'border-box',
    [theme.breakpoints.down('md')]: { padding: 12 },
  },
  '& .legend': { display: 'flex', flexWrap: 'wrap', gap: '4px 16px' },
  '& .legend span': { display: 'inline-flex', alignItems: 'center', gap: 8 },
}));

const Triangle = () => (
  <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden>
    <path d="M5 1l5 8.5H0z" fill="currentColor" />
  </svg>
);
const LegendIcon = styled('span')(({ theme }) => ({
  '&&': { color: theme.vars.palette.load.overText },
  '&&[data-band="near"]': { color: theme.vars.palette.load.nearText },
  '&&[data-band="clear"]': { color: theme.vars.palette.load.okText },
}));

/** Shows the product with an invented fleet: every bar against its own line. */
export function FleetHero() {
  return (
    <Sea>
      <div className="line" />
      <Plot aria-hidden>
        <span className="says">
          <Triangle />
          <b>build-hel-02</b> CPU {Math.round((EXAMPLE_FLEET[0] ?? 0) - EXAMPLE_LINE)} over the line, and{' '}
          {exampleCount('over') - 1} more
        </span>
        <span className="names">the load line, {EXAMPLE_LINE} % by default</span>
        <Bars>
          {EXAMPLE_FLEET.map((percent, index) => (
            <i key={index} data-band={exampleBand(percent)} style={cssVars({ share: percent / EXAMPLE_LINE })} />
          ))}
        </Bars>
        <i className="ring" />
      </Plot>
      <Foot>
        <div>
          <span>An example fleet, {EXAMPLE_FLEET.length} servers, one bar each: the resource nearest to its line.</span>
          <span className="legend">
            <span>
              <LegendIcon data-band="over">
                <Triangle />
              </LegendIcon>
              {exampleCount('over')} over
            </span>
            <span>
              <LegendIcon data-band="near">
                <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden>
                  <path d="M5 1.2 8.8 5 5 8.8 1.2 5z" fill="none" stroke="currentColor" strokeWidth="1.6" />
                </svg>
              </LegendIcon>
              {exampleCount('near')} within 20 points
            </span>
            <span>
              <LegendIcon data-band="clear">
                <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden>
                  <circle cx="4" cy="4" r="4" fill="currentColor" />
                </svg>
              </LegendIcon>
              {exampleCount('clear')} clear
            </span>
          </span>
        </div>
      </Foot>
    </Sea>
  );
}
