import { styled } from '@mui/material/styles';
import { bandOf } from '@plimsoll/contract/rules/headroom';
import { pointsText, sideOf } from '@plimsoll/contract/rules/load-words';
import type { Container } from '@plimsoll/contract/wire/containers';
import { Chip } from '../../components/chips.tsx';
import { CapacityBar } from '../../components/fleet/capacity-bar.tsx';
import { Figure } from '../../components/figure.tsx';
import { BandIcon, LevelIcon, StatusIcon } from '../../components/status-icons.tsx';
import { numberText } from '../../format/figures.ts';
import { isLate, noFigureReason, noHeadroomReason, stateWords } from './container-words.ts';

const MEGABYTE = 1_048_576;
const megabytes = (bytes: number): string => {
  const value = bytes / MEGABYTE;
  return numberText(value, value < 10 ? 1 : 0) ?? '';
};

function StateIcon({ container }: { container: Container }) {
  const { state, is_broken: isBroken } = container;
  if (isLate(container)) return <StatusIcon status="offline" size={10} />;
  if (isBroken) return <LevelIcon level={state === 'exited' ? 'critical' : 'error'} size={12} />;
  return <StatusIcon status={state === 'running' ? 'active' : 'uninstalled'} size={9} />;
}

/** The state with a mark; broken ones are filled. */
export function StateChip({ container }: { container: Container }) {
  const isBroken = container.is_broken && !isLate(container);
  return (
    <Chip tone={isBroken ? 'over' : 'plain'}>
      <StateIcon container={container} />
      {stateWords(container)}
    </Chip>
  );
}

const Words = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  verticalAlign: 'middle',
  alignItems: 'center',
  gap: 6,
  whiteSpace: 'nowrap',
  '& > span:first-of-type': { width: 10, flex: 'none', display: 'inline-flex' },
  '& b': { fontWeight: 600, fontVariantNumeric: 'tabular-nums' },
  '& i, &[data-band="quiet"], &[data-band="quiet"] b': {
    color: theme.vars.palette.load.text3,
    fontStyle: 'normal',
    fontWeight: 400,
  },
  '&[data-band="near"] b': { color: theme.vars.palette.load.nearText },
  '&[data-band="over"] b': { color: theme.vars.palette.load.overText },
}));

/** "▲ Memory 14 over", or why there is no headroom. */
export function ContainerHeadroom({ container }: { container: Container }) {
  const { memory_percent: value, memory_line: line } = container;
  const reason = noHeadroomReason(container);
  if (reason !== null || value === null) return <Words data-band="quiet">{reason ?? 'not known'}</Words>;
  const points = line - value;
  const side = sideOf(points);
  const band = bandOf(value, line);
  return (
    <Words data-band={isLate(container) ? 'quiet' : band}>
      <span>{!isLate(container) && <BandIcon band={band} />}</span>
      <span>
        <b>Memory {side !== 'at' && pointsText(points)}</b> <i>{side === 'at' ? 'at the line' : side}</i>
      </span>
    </Words>
  );
}

const Use = styled('span')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '56px 64px minmax(0, 1fr)',
  alignItems: 'center',
  gap: 8,
  fontVariantNumeric: 'tabular-nums',
  '& > :first-of-type': { textAlign: 'right' },
  '& > .of': { ...theme.typography.caption, color: theme.vars.palette.load.text3, whiteSpace: 'nowrap' },
  '&[data-band="near"] > :first-of-type': { color: theme.vars.palette.load.nearText },
  '&[data-band="over"] > :first-of-type': { color: theme.vars.palette.load.overText, fontWeight: 600 },
  '&[data-bare]': { gridTemplateColumns: '56px minmax(0, 1fr)' },
}));

/** The column of the headroom says why in words; a cell of a figure has the reason on hover. */
const NotAvailable = ({ reason }: { reason: string }) => (
  <span title={reason}>
    <Figure value={null} />
  </span>
);

/** Memory in MB against the limit: the bar has the line of its server; without a limit there is no bar. */
export function MemoryUse({ container, unit = '' }: { container: Container; unit?: string }) {
  const { memory_bytes: used, memory_limit_bytes: limit, memory_percent: percent, memory_line: line } = container;
  if (used === null) return <NotAvailable reason={noFigureReason(container)} />;
  if (limit === null || percent === null)
    return (
      <Use data-bare="">
        <span>{megabytes(used)}</span>
        <span className="of">{unit === '' ? 'no limit' : `${unit}, no limit`}</span>
      </Use>
    );
  const stale = isLate(container);
  return (
    <Use data-band={stale ? 'ok' : bandOf(percent, line)}>
      <span>{megabytes(used)}</span>
      <CapacityBar name="Memory" value={percent} line={line} stale={stale} />
      <span className="of">
        of {megabytes(limit)} {unit}
      </span>
    </Use>
  );
}

/** CPU in cores; null is missing with its reason. */
export const CpuCores = ({ container }: { container: Container }) =>
  container.cpu_cores === null ? (
    <NotAvailable reason={noFigureReason(container)} />
  ) : (
    <Figure value={numberText(container.cpu_cores, 2)} />
  );

const [WIDTH, HEIGHT] = [56, 20];
const Curve = styled('svg')(({ theme }) => ({
  display: 'block',
  flex: 'none',
  width: WIDTH,
  height: HEIGHT,
  '& path': { stroke: theme.vars.palette.load.text3, fill: 'none' },
}));

/** Returns the path of the known runs, from 0 to the highest value. */
export function historyPath(values: readonly (number | null)[]): string {
  const top = Math.max(...values.map((value) => value ?? 0), 0.001);
  const step = WIDTH / Math.max(1, values.length - 1);
  return values
    .map((value, index) => {
      if (value === null) return '';
      const before = values[index - 1];
      const y = HEIGHT - 1 - (value / top) * (HEIGHT - 2);
      return `${before === null || before === undefined ? 'M' : 'L'}${(index * step).toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
}

/** CPU of the last 24 hours, as high as its own highest value. */
export function CpuHistory({ container }: { container: Container }) {
  const values = container.cpu_history;
  const path = values === null ? '' : historyPath(values);
  // A lone point has no length to draw.
  if (values === null || !path.includes('L'))
    return <NotAvailable reason="No CPU of the last 24 hours is stored yet" />;
  const most = Math.max(...values.map((value) => value ?? 0));
  return (
    <Curve
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`CPU of 24 hours, at most ${numberText(most, 2)} cores`}
    >
      <title>{`At most ${numberText(most, 2)} cores in 24 h`}</title>
      <path d={path} vectorEffect="non-scaling-stroke" />
    </Curve>
  );
}
