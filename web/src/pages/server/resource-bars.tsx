import { styled } from '@mui/material/styles';
import { bandOf, nearPointsOf } from '@plimsoll/contract/rules/headroom';
import type { Resource } from '@plimsoll/contract/rules/limits';
import type { LoadLines } from '@plimsoll/contract/wire/servers';
import { cssVars } from '../../components/css-vars.ts';
import { LINE_SHARE } from '../../components/fleet/fleet-bars.ts';
import { RESOURCE_NAME } from '@plimsoll/contract/rules/load-words';

const HEIGHT = 44;
const SHORT: Record<Resource, string> = { cpu: 'CPU', memory: 'Mem', disk: 'Disk', io_wait: 'IOw' };
const RESOURCES: readonly Resource[] = ['cpu', 'memory', 'disk', 'io_wait'];

const Box = styled('div')(({ theme }) => {
  const { load, text, divider } = theme.vars.palette;
  return {
    position: 'relative',
    display: 'grid',
    gridTemplateColumns: 'repeat(4, 1fr)',
    width: '100%',
    maxWidth: 180,
    minWidth: 150,
    paddingLeft: 28,
    fontSize: 11,
    lineHeight: '14px',
    textAlign: 'center',
    color: text.secondary,
    '&[data-wide]': { maxWidth: 'none' },
    '& .bar': {
      height: HEIGHT,
      display: 'flex',
      alignItems: 'flex-end',
      justifyContent: 'center',
      borderBottom: `1px solid ${divider}`,
      marginBottom: 2,
    },
    '& .bar > i': { display: 'block', width: 14, height: 'calc(var(--h) * 100%)', backgroundColor: load.ok },
    '& [data-band="near"] i': { backgroundColor: load.near },
    '& [data-band="over"] i': { backgroundColor: load.over },
    '& [data-band="stale"] i': { backgroundColor: load.stale },
    '& > .line': {
      position: 'absolute',
      left: 0,
      right: 0,
      top: HEIGHT * (1 - LINE_SHARE) - 1,
      height: 2,
      backgroundColor: load.line,
    },
    '& > .mark': {
      position: 'absolute',
      left: 6,
      top: HEIGHT * (1 - LINE_SHARE) - 8,
      width: 16,
      height: 16,
      borderRadius: 8,
      border: `2px solid ${load.line}`,
      boxSizing: 'border-box',
    },
  };
});

interface ResourceBarsProps {
  lines: LoadLines;
  values: Record<Resource, number | null>;
  stale?: boolean;
  wide?: boolean;
}

/** One server's four resources against one line, each as a share of its own. */
export function ResourceBars({ lines, values, stale = false, wide = false }: ResourceBarsProps) {
  return (
    <Box aria-hidden data-wide={wide ? '' : undefined}>
      {RESOURCES.map((resource) => {
        const value = values[resource];
        const line = lines[resource].warning;
        const band = value === null ? 'ok' : bandOf(value, line, nearPointsOf(resource, line));
        const height = value === null ? 0 : Math.min(1, (value / line) * LINE_SHARE);
        return (
          <div key={resource} data-band={stale ? 'stale' : band} title={RESOURCE_NAME[resource]}>
            <span className="bar">
              <i style={cssVars({ h: height })} />
            </span>
            {SHORT[resource]}
          </div>
        );
      })}
      <span className="line" />
      <span className="mark" />
    </Box>
  );
}
