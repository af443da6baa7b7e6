import { styled } from '@mui/material/styles';
import { lossQuery } from '../../api/capacity.ts';
import { useQuery } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { BandIcon } from '../status-icons.tsx';
import { podsWait, whoWords } from './capacity-words.ts';

const Line = styled('p')(({ theme }) => ({
  margin: 0,
  color: theme.vars.palette.text.secondary,
  overflowWrap: 'anywhere',
  '& > svg': { marginRight: 8 },
}));

/** One sentence of a node's page: which pods stay pending without the node. */
export function NodeLossSentence({ cluster, node }: { cluster: string; node: string }) {
  const answer = useQuery(lossQuery(cluster, node)).data;
  if (answer === undefined) return null;
  const { loss, reason } = answer;
  const why = reason ?? (loss?.pending === null ? loss.reason : null);
  const more = <Link to={`${paths.kubernetesCapacity}?cluster=${encodeURIComponent(cluster)}`}>Capacity</Link>;
  if (loss === null || loss.pending === null)
    return (
      <Line>
        Loss of this node: N/A, {why ?? 'its pods cannot be judged'} {more}
      </Line>
    );
  if (loss.pending === 0) return <Line>Without this node, all its pods fit on the others. {more}</Line>;
  return (
    <Line>
      <BandIcon band="over" />
      Without this node, {podsWait(loss.pending)}: {whoWords(loss)}. {more}
    </Line>
  );
}
