import type { BulkAnswer } from '@plimsoll/contract/wire/alerts/alert-actions';
import { useState } from 'react';
import { actOnAlerts } from '../../../api/alert-acting.ts';
import type { BulkBody } from '../../../api/alert-acting.ts';
import { failureText } from '../../../api/client.ts';
import { useMutation, useQueryClient } from '../../../api/query.ts';
import { actedWords } from './acted-words.ts';

/** The finished action, and the operation that an undo takes back. */
interface Done {
  text: string;
  operationId: string | null;
}

export interface Acting {
  act: (body: BulkBody) => void;
  busy: boolean;
  done: Done | null;
  error: string | null;
  undo: () => void;
  dismiss: () => void;
}

/** Acts on alerts, holds what was done last, and takes it back. Every list of alerts is requested anew. */
export function useActing(onDone: () => void = () => undefined): Acting {
  const queries = useQueryClient();
  const [done, setDone] = useState<Done | null>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: BulkBody) => actOnAlerts(body),
    async onSuccess(answer: BulkAnswer) {
      await queries.invalidateQueries({ queryKey: ['alerts'] });
      setDone({ text: actedWords(answer), operationId: answer.undo_until === null ? null : answer.operation_id });
      onDone();
    },
  });
  const operationId = done?.operationId ?? null;
  return {
    act: (body) => mutate(body),
    busy: isPending,
    done,
    error: error === null ? null : failureText(error),
    undo: () => operationId !== null && mutate({ action: 'undo', operation_id: operationId }),
    dismiss: () => setDone(null),
  };
}
