import type { SilenceOnWire } from '@plimsoll/contract/wire/alerts/alert-silences';
import { useState } from 'react';
import { saveSilence } from '../../../api/alert-acting.ts';
import { failureText, fieldFailureText, type RequestFailed } from '../../../api/client.ts';
import { useMutation, useQueryClient } from '../../../api/query.ts';
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx';
import { Notice } from '../../../components/feedback/notice.tsx';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { momentMs } from '../../../time/age.ts';
import { tomorrowMorning } from '../../../time/silence-end.ts';
import { endDraft, EndFields, endOf } from '../../../components/silences/end-fields.tsx';
import { EMPTY_MATCHER, MatcherFields, matcherOf, storedMatcher } from './matcher-fields.tsx';

interface SilenceDialogProps {
  /** Null creates one. */
  silence: SilenceOnWire | null;
  onClose: () => void;
}

/** Silences what matches every given field until an end, or moves the end and the reason of a silence. */
export function SilenceDialog({ silence, onClose }: SilenceDialogProps) {
  const [now] = useState(() => Date.now());
  const [matcher, setMatcher] = useState(EMPTY_MATCHER);
  const [draft, setDraft] = useState(() =>
    endDraft(momentMs(silence?.ends_at ?? null) ?? tomorrowMorning(now), silence?.comment),
  );
  const queries = useQueryClient();
  const save = useMutation<unknown, RequestFailed, Readonly<Record<string, unknown>>>({
    mutationFn: (body) => saveSilence(silence?.silence_id ?? null, body),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['alerts'] });
      onClose();
    },
  });
  const matched = silence === null ? matcherOf(matcher) : storedMatcher(silence);
  const isEmpty = Object.keys(matched).length === 0;
  const end = endOf(draft, now);
  const refused = (name: string) => (save.error?.field === name ? fieldFailureText(save.error) : undefined);
  return (
    <ConfirmDialog
      open
      title={silence === null ? 'Add silence' : 'Edit silence'}
      confirm={silence === null ? 'Silence' : 'Save'}
      disabled={isEmpty || end === null || save.isPending}
      onConfirm={() => save.mutate({ ...matched, ...end })}
      onClose={onClose}
    >
      <span>
        {silence === null ? 'Alerts that match every field are listed, but not sent.' : escapeInvisible(silence.text)}
      </span>
      {silence === null && (
        <MatcherFields
          matcher={matcher}
          refused={refused}
          onChange={(part) => {
            save.reset();
            setMatcher({ ...matcher, ...part });
          }}
        />
      )}
      {isEmpty && <span>Fill in at least one of these fields.</span>}
      <EndFields draft={draft} now={now} refused={refused('ends_at')} onChange={setDraft} />
      {save.error !== null && <Notice tone="error">{failureText(save.error)}</Notice>}
    </ConfirmDialog>
  );
}
