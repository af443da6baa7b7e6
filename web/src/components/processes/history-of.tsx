import type { Process } from '@plimsoll/contract/wire/processes';
import { useProcessHistory } from '../../api/process-history.ts';
import { ProcessHistory } from './process-history.tsx';
import { commandOf } from '../../format/process-words.ts';

/** Fetches the history of a process once it is rendered. */
export function HistoryOf({ process }: { process: Process }) {
  const history = useProcessHistory(process.server_id, commandOf(process));
  return <ProcessHistory hostname={process.hostname} {...history} />;
}
