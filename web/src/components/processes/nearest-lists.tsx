import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { ProcessSnapshotAnswer } from '@plimsoll/contract/wire/processes';
import { LIST_WORDS } from '../../format/process-list-words.ts';
import { clockSeconds } from '../../time/zone.ts';
import { ChevronLeftOutlined as BeforeIcon, ChevronRightOutlined as NextIcon } from '../icons/pages.tsx';

const Frame = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '2px 8px',
  color: theme.vars.palette.text.secondary,
  '& > span': { flex: '1 1 200px' },
}));

interface NearestListsProps {
  answer: Pick<ProcessSnapshotAnswer, 'snapshot_at' | 'next_at' | 'list'>;
  /** Epoch seconds. */
  onMoment: (at: number) => void;
}

/** Which list is shown, and the stored lists on either side of it. */
export function NearestLists({ answer: { snapshot_at: taken, next_at: next, list }, onMoment }: NearestListsProps) {
  return (
    <Frame>
      {list !== null && <span>{LIST_WORDS[list]}</span>}
      {taken !== null && (
        <Button size="small" startIcon={<BeforeIcon />} onClick={() => onMoment(Math.ceil(taken) - 1)}>
          List before {clockSeconds(taken * 1000)}
        </Button>
      )}
      {next !== null && (
        <Button size="small" endIcon={<NextIcon />} onClick={() => onMoment(Math.ceil(next))}>
          Next list {clockSeconds(next * 1000)}
        </Button>
      )}
    </Frame>
  );
}
