import type { CheckDetail, ProbeRequest } from '@plimsoll/contract/wire/checks/checks';
import { useState } from 'react';
import { updateCheck } from '../../api/checks.ts';
import { failureText, fieldFailureText, type RequestFailed } from '../../api/client.ts';
import { useMutation, useQueryClient } from '../../api/query.ts';
import { useIsAdmin } from '../../api/user.ts';
import { Notice } from '../../components/feedback/notice.tsx';
import { FormDialog } from '../../components/form/form-dialog.tsx';
import { Quiet } from '../../components/form/form-parts.tsx';
import { checkDraftOf, checkField, checkProblems, checkRequestOf, type CheckDraft } from './check-draft.ts';
import { PlaceFields } from './place-fields.tsx';
import { AnswerFields, ProbeFields } from './probe-fields.tsx';
import { sendsSecrets } from './request-draft.ts';
import { RequestFields } from './request-fields.tsx';

interface CheckDialogProps {
  check: CheckDetail;
  probe: ProbeRequest;
  onClose: () => void;
}

/** The form of a check that exists: its target and times, what is a good answer, its places. */
export function CheckDialog({ check, probe, onClose }: CheckDialogProps) {
  // The page polls: what is edited is the check as it was when the dialog opened.
  const [opened] = useState({ check, probe });
  const [draft, setDraft] = useState(() => checkDraftOf(check, probe));
  const [tried, setTried] = useState(false);
  const isAdmin = useIsAdmin();
  const queries = useQueryClient();
  const save = useMutation<unknown, RequestFailed, CheckDraft>({
    mutationFn: (saved) => updateCheck(check.check_id, checkRequestOf(saved, opened.check, opened.probe)),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['checks'] });
      onClose();
    },
  });
  const change = (part: Partial<CheckDraft>) => {
    save.reset();
    setDraft({ ...draft, ...part });
  };
  const wrong = checkProblems(draft, opened.probe);
  const isWrong = Object.keys(wrong).length > 0;
  const field = checkField(save.error?.field ?? null);
  const refused = save.error === null || field === null ? {} : { [field]: fieldFailureText(save.error) };
  const fields = { draft, problems: { ...(tried && wrong), ...refused }, onChange: change };
  return (
    <FormDialog
      title="Edit check"
      submit="Save"
      busy={save.isPending}
      onSubmit={() => {
        setTried(true);
        if (!isWrong) save.mutate(draft);
      }}
      onClose={onClose}
    >
      <ProbeFields {...fields} probe={opened.probe} />
      <AnswerFields {...fields} probe={opened.probe} />
      <RequestFields {...fields} probe={opened.probe} check={opened.check} />
      {isAdmin ? (
        <PlaceFields {...fields} hasSecrets={opened.probe.kind === 'http' && sendsSecrets(draft)} />
      ) : (
        <Quiet>It runs from this Plimsoll. An admin can run it from servers too.</Quiet>
      )}
      {save.error !== null && field === null && <Notice tone="error">{failureText(save.error)}</Notice>}
      {tried && isWrong && <Notice tone="error">Correct the marked fields. Nothing was saved.</Notice>}
    </FormDialog>
  );
}
