import { styled } from '@mui/material/styles';
import { boundedPercentOf, percentOf } from '@plimsoll/contract/rules/percent-of';
import type { CapacityCluster, CapacityResourceRow } from '@plimsoll/contract/wire/capacity';
import { numberText, plural } from '../../format/figures.ts';
import { cssVars } from '../css-vars.ts';
import { Panel } from '../panel.tsx';
import { BandIcon } from '../status-icons.tsx';
import { bytesWords, coresFigure } from './capacity-words.ts';

const Rows = styled('dl')(({ theme }) => ({
  margin: 0,
  padding: '4px 16px',
  '& > div': {
    display: 'grid',
    gridTemplateColumns: '72px minmax(120px, 1fr) minmax(0, 320px)',
    alignItems: 'center',
    gap: 16,
    padding: '10px 0',
  },
  '& > div + div': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& dt': { fontWeight: 600 },
  '& dd': { margin: 0, minWidth: 0 },
  '& b': { fontWeight: 600, fontVariantNumeric: 'tabular-nums' },
  '& small': { fontSize: 12, color: theme.vars.palette.load.text3 },
  [theme.breakpoints.down('md')]: {
    '& > div': { gridTemplateColumns: '72px minmax(0, 1fr)', gap: '4px 12px' },
    '& dd:last-of-type': { gridColumn: 2 },
  },
}));
const Track = styled('span')(({ theme }) => {
  const { load } = theme.vars.palette;
  return {
    position: 'relative',
    display: 'block',
    height: 12,
    backgroundColor: load.track,
    '& > i': { position: 'absolute', left: 0, display: 'block', maxWidth: '100%' },
    '& > .used': { top: 0, height: 8, width: 'calc(var(--u) * 1%)', backgroundColor: load.ok },
    '&[data-band="near"] > .used': { backgroundColor: load.near },
    '&[data-band="over"] > .used': { backgroundColor: load.over },
    '& > .requested': { bottom: 0, height: 4, width: 'calc(var(--r) * 1%)', backgroundColor: load.text3 },
    '& > .line': { left: 'calc(var(--l) * 1% - 1px)', top: -4, bottom: -4, width: 2, backgroundColor: load.line },
  };
});
const Key = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  flexWrap: 'wrap',
  gap: '2px 14px',
  color: theme.vars.palette.text.secondary,
  '& > span': { display: 'inline-flex', alignItems: 'center', gap: 6, whiteSpace: 'nowrap' },
  '& i': { display: 'inline-block', width: 12, height: 6, backgroundColor: theme.vars.palette.load.ok },
  '& .requested': { height: 3, backgroundColor: theme.vars.palette.load.text3 },
  '& .whole': { height: 10, backgroundColor: theme.vars.palette.load.track },
  '& .line': { width: 2, height: 12, backgroundColor: theme.vars.palette.load.line },
}));

const NAMES = { cpu: 'CPU', memory: 'Memory', disk: 'Disk', pods: 'Pods' } as const;
const UNITS = { cpu: ' cores', memory: '', disk: '', pods: ' pods' } as const;
function textOf(resource: CapacityResourceRow['resource'], amount: number | null): string | null {
  if (amount === null) return null;
  if (resource === 'cpu') return coresFigure(amount);
  return resource === 'pods' ? numberText(amount) : bytesWords(amount);
}

const NEAR = 20;
const bandOfShare = (percent: number | null, line: number): 'ok' | 'near' | 'over' =>
  percent === null || percent < line - NEAR ? 'ok' : percent < line ? 'near' : 'over';

/** Used, requested and allocatable of each resource against its line. */
export function ResourceRows({ cluster }: { cluster: CapacityCluster }) {
  return (
    <Panel
      title="Resources"
      note={plural(cluster.nodes, 'node')}
      actions={
        <Key aria-hidden>
          <span>
            <i />
            used
          </span>
          <span>
            <i className="requested" />
            requested
          </span>
          <span>
            <i className="whole" />
            allocatable
          </span>
          <span>
            <i className="line" />
            line
          </span>
        </Key>
      }
    >
      <Rows>
        {cluster.resources.map((row) => (
          <ResourceRow key={row.resource} row={row} />
        ))}
      </Rows>
    </Panel>
  );
}

function ResourceRow({ row }: { row: CapacityResourceRow }) {
  const { resource, used, requested, allocatable, line_percent: line } = row;
  const usedBand = bandOfShare(percentOf(used, allocatable), line);
  const requestedBand = bandOfShare(percentOf(requested, allocatable), line);
  const share = (amount: number | null): number => boundedPercentOf(amount, allocatable) ?? 0;
  const whole = textOf(resource, allocatable);
  return (
    <div>
      <dt>{NAMES[resource]}</dt>
      <dd>
        <Track
          role="img"
          aria-label={`${NAMES[resource]}: ${textOf(resource, used) ?? 'unknown'} used, ${textOf(resource, requested) ?? 'none'} requested of ${whole ?? 'unknown'}, line ${String(line)} %`}
          data-band={usedBand}
          style={cssVars({ u: share(used), r: share(requested), l: line })}
        >
          <i className="used" />
          <i className="requested" />
          <i className="line" />
        </Track>
      </dd>
      <dd>
        {used === null ? <span title="not every node reports its usage">N/A</span> : <b>{textOf(resource, used)}</b>}{' '}
        <small>used ·</small> <BandIcon band={requestedBand} /> <b>{textOf(resource, requested) ?? 'none'}</b>{' '}
        <small>
          requested · {whole ?? 'N/A'}
          {UNITS[resource]}
        </small>
      </dd>
    </div>
  );
}
