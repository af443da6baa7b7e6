import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { plural } from '../format/figures.ts';

const Row = styled('li')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: 8,
  padding: '4px 8px 4px 42px',
  color: theme.vars.palette.text.secondary,
}));

/** Stands for the starts and stops of short-lived processes in a list of events. */
export function FoldedRuns({ count, onShow }: { count: number; onShow?: () => void }) {
  return (
    <Row>
      <span>{plural(count, 'start or stop', 'starts and stops')} of short-lived processes</span>
      {onShow !== undefined && (
        <Button variant="text" onClick={onShow}>
          Show
        </Button>
      )}
    </Row>
  );
}
