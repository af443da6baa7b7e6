import { memo } from 'react';
import { styled } from '@mui/material/styles';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import type { Pod } from '@plimsoll/contract/wire/kubernetes';
import { ageText, momentMs } from '../../time/age.ts';
import { numberText } from '../../format/figures.ts';
import { coresText, megabytesQuantity, ownerText, podKey, USAGE_LINE } from './kubernetes-words.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { CapacityBar } from '../fleet/capacity-bar.tsx';
import { Age } from '../age.tsx';
import { Figure } from '../figure.tsx';
import { MiddleTruncate } from '../middle-truncate.tsx';
import { PhaseChip } from './phase-chip.tsx';
import { NotAvailable, told } from './usage.tsx';

const Name = styled('button')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'block',
  width: '100%',
  padding: 0,
  border: 0,
  background: 'none',
  textAlign: 'left',
  cursor: 'pointer',
  fontWeight: 600,
  color: theme.vars.palette.text.primary,
  '&:focus-visible': { outline: `2px solid ${theme.vars.palette.info.main}`, outlineOffset: 2, borderRadius: 2 },
}));
const Cluster = styled('small')(({ theme }) => ({
  display: 'block',
  fontSize: 11,
  lineHeight: '14px',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  color: theme.vars.palette.load.text3,
}));
const Where = styled('small')(({ theme }) => ({
  display: 'none',
  fontSize: 12,
  color: theme.vars.palette.load.text3,
  [theme.breakpoints.down('md')]: { display: 'block' },
}));
const Memory = styled('span')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(52px, auto) 56px',
  alignItems: 'center',
  justifyContent: 'start',
  gap: 8,
  '& .cores, & .of': { display: 'none' },
  '& > .value': { textAlign: 'right', fontVariantNumeric: 'tabular-nums' },
  '& > .none': { fontSize: 12, color: theme.vars.palette.load.text3, whiteSpace: 'nowrap' },
  [theme.breakpoints.down('md')]: {
    gridTemplateColumns: 'auto minmax(40px, 1fr) auto',
    '& .cores': { display: 'inline' },
    '& > .value': { order: 3 },
    '& .of': { display: 'inline' },
  },
  '& i': { fontStyle: 'normal', fontSize: '.85em', marginLeft: '.18em', color: theme.vars.palette.load.text3 },
}));
const Restarts = styled('span')(({ theme }) => ({
  color: theme.vars.palette.load.text3,
  '&[data-some]': { color: theme.vars.palette.text.primary },
  '&[data-many]': { color: theme.vars.palette.load.overText, fontWeight: 600 },
  '& > i': { display: 'none', fontStyle: 'normal' },
  [theme.breakpoints.down('md')]: { '& > i': { display: 'inline' } },
}));
/** From this many restarts within 24 hours on the count is red. */
const MANY_RESTARTS = 5;

/** The head says MB; more than four digits of it say GB themselves. */
function Megabytes({ value: megabytes }: { value: number }) {
  const { value, unit } = megabytesQuantity(megabytes);
  return unit === 'MB' ? value : <Figure value={value} unit={unit} />;
}

function MemoryCell({ pod }: { pod: Pod }) {
  const { memory_usage_mb: used, memory_share: share, limits } = pod;
  const cores = coresText(pod.cpu_usage_cores);
  const limit = megabytesQuantity(limits.memory_mb);
  return (
    <Memory>
      <span className="cores" title={told(pod.usage_origin)}>
        {cores === null ? 'N/A' : cores}
        {cores !== null && <i>cores</i>}
      </span>
      <span className="value" title={used === null ? undefined : told(pod.usage_origin)}>
        {used === null ? <NotAvailable reason={pod.usage_origin.reason} /> : <Megabytes value={used} />}
        {limits.memory_mb !== null && (
          <span className="of">
            {' '}
            / {limit.value} {limit.unit}
          </span>
        )}
      </span>
      {share.of === null ? (
        <span className="none">no limit</span>
      ) : (
        <span title={`per cent of its ${share.of}`}>
          <CapacityBar name={`Memory of ${pod.pod_name}`} value={share.percent} line={USAGE_LINE} />
        </span>
      )}
    </Memory>
  );
}

interface PodRowProps {
  pod: Pod;
  isOpen: boolean;
  onOpen: (pod: Pod) => void;
  /** The cluster of the pod, where rows of several stand together. */
  clusterName: string | null;
}

export const PodRow = memo(function PodRow({ pod, isOpen, onOpen, clusterName }: PodRowProps) {
  const owner = ownerText(pod);
  const restarts = pod.restart_count;
  return (
    <TableRow aria-selected={isOpen} data-pod={podKey(pod)} onClick={() => onOpen(pod)}>
      <TableCell>
        <Name type="button" aria-expanded={isOpen}>
          <MiddleTruncate text={escapeInvisible(pod.pod_name)} />
        </Name>
        <Where>
          {clusterName !== null && `${escapeInvisible(clusterName)} · `}
          {escapeInvisible(pod.namespace)} · {escapeInvisible(pod.node_name ?? '—')} · {ageText(pod.pod_age_seconds)}
        </Where>
      </TableCell>
      <TableCell className="wide cut" title={escapeInvisible(pod.namespace)}>
        {escapeInvisible(pod.namespace)}
        {clusterName !== null && <Cluster>{escapeInvisible(clusterName)}</Cluster>}
      </TableCell>
      <TableCell className="phase">
        <PhaseChip phase={pod.phase} reason={pod.reason} ready={pod.ready} deleting={pod.deleting} />
      </TableCell>
      <TableCell className="roomy wide cut" title={owner === null ? undefined : escapeInvisible(owner)}>
        {owner === null ? '—' : escapeInvisible(owner)}
      </TableCell>
      <TableCell className="number wide" title={pod.cpu_usage_cores === null ? undefined : told(pod.usage_origin)}>
        {coresText(pod.cpu_usage_cores) ?? <NotAvailable reason={pod.usage_origin.reason} />}
      </TableCell>
      <TableCell className="usage">
        <MemoryCell pod={pod} />
      </TableCell>
      <TableCell className="number restarts">
        <Restarts
          data-some={restarts > 0 ? '' : undefined}
          data-many={pod.restarts_24h >= MANY_RESTARTS ? '' : undefined}
          title={`${numberText(pod.restarts_24h)} in the last 24 hours`}
        >
          {numberText(restarts)}
          <i> {restarts === 1 ? 'restart' : 'restarts'}</i>
        </Restarts>
      </TableCell>
      <TableCell className="number roomy wide">
        <Age at={momentMs(pod.created_at)} suffix="" />
      </TableCell>
    </TableRow>
  );
});
