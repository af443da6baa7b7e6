import { styled } from '@mui/material/styles';
import type { Survival } from '@plimsoll/contract/wire/capacity';
import { survivalQuery } from '../../api/capacity.ts';
import { useQuery } from '../../api/query.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { plural } from '../../format/figures.ts';
import { BandIcon } from '../status-icons.tsx';
import { clusterWords, podsWait } from './capacity-words.ts';

const Line = styled('p')(({ theme }) => ({
  margin: 0,
  padding: '8px 12px',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  overflowWrap: 'anywhere',
  '& > svg': { marginRight: 8 },
  '& small': { color: theme.vars.palette.load.text3 },
}));

/** One line of the dashboard: whether the clusters survive the loss of a node. Of several the worst one by name. */
export function SurvivalLine() {
  const clusters = useQuery(survivalQuery()).data?.clusters;
  const [first] = clusters ?? [];
  if (clusters === undefined || first === undefined) return null;
  const name = clusters.length > 1 ? `${escapeInvisible(clusterWords(first))}: ` : '';
  return (
    <Line>
      {first.worst !== null && <BandIcon band="over" />}
      {name}
      {wordsOf(first, clusters)}
    </Line>
  );
}

function wordsOf({ worst, reason, nodes }: Survival, clusters: readonly Survival[]) {
  if (worst !== null)
    return (
      <>
        not without <b>{escapeInvisible(worst.node)}</b> <small>{podsWait(worst.pending)}</small>
      </>
    );
  if (reason !== null)
    return (
      <>
        loss of a node N/A <small>{reason}</small>
      </>
    );
  return clusters.length > 1
    ? 'each cluster survives the loss of any node'
    : `Survives the loss of any of its ${plural(nodes, 'node')}`;
}
