import Button from '@mui/material/Button';
import { useBackToNow } from '../../state/use-at.ts';
import { Panel } from '../panel.tsx';
import { EmptyState } from './states.tsx';

/** Stands in for figures of a moment that no history is stored of: those of now must not stand there. */
export function NotStored({ title, reason }: { title: string; reason: string }) {
  const backToNow = useBackToNow();
  return (
    <Panel title={title}>
      <EmptyState
        sentence="N/A at this moment"
        reason={reason}
        action={
          <Button variant="outlined" onClick={backToNow}>
            Back to now
          </Button>
        }
      />
    </Panel>
  );
}
