import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { CheckDetail } from '@plimsoll/contract/wire/checks/checks';
import { useState } from 'react';
import { deleteCheck, updateCheck } from '../../api/checks.ts';
import { failureText, type RequestFailed } from '../../api/client.ts';
import { useMutation, useQueryClient } from '../../api/query.ts';
import { useIsAdmin, useMayEdit } from '../../api/user.ts';
import { HeartbeatDialog } from '../../components/checks/heartbeat-dialog.tsx';
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx';
import { ButtonRow, Quiet } from '../../components/form/form-parts.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { paths } from '../../paths.ts';
import { useNavigate } from '../../router.ts';
import { CheckDialog } from './check-dialog.tsx';
import { probeOf, requestOf, runsOnServers } from './check-draft.ts';

const Box = styled('div')({ display: 'grid', justifyItems: 'end', gap: 4 });

/** The buttons of a check that this account may press. */
export function CheckActions({ check }: { check: CheckDetail }) {
  const mayEdit = useMayEdit();
  const isAdmin = useIsAdmin();
  if (!mayEdit) return null;
  const mayChange = isAdmin || !runsOnServers(check);
  return (
    <Box>
      <ButtonRow>
        {mayChange && <PauseCheck check={check} />}
        {mayChange && <EditCheck check={check} />}
        <DeleteCheck check={check} />
      </ButtonRow>
      {!mayChange && <Quiet>It runs on servers: only an admin can change it.</Quiet>}
    </Box>
  );
}

function EditCheck({ check }: { check: CheckDetail }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const probe = probeOf(check);
  return (
    <>
      <Button variant="outlined" onClick={() => setOpen(true)}>
        Edit
      </Button>
      {isOpen && probe === null && <HeartbeatDialog check={check} onClose={close} />}
      {isOpen && probe !== null && <CheckDialog check={check} probe={probe} onClose={close} />}
    </>
  );
}

function PauseCheck({ check }: { check: CheckDetail }) {
  const queries = useQueryClient();
  const pausing = useMutation<unknown, RequestFailed, boolean>({
    mutationFn: (isEnabled) => updateCheck(check.check_id, { ...requestOf(check), is_enabled: isEnabled }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['checks'] }),
  });
  return (
    <>
      {pausing.error !== null && <Quiet role="alert">{failureText(pausing.error)}</Quiet>}
      <Button variant="outlined" disabled={pausing.isPending} onClick={() => pausing.mutate(!check.is_enabled)}>
        {check.is_enabled ? 'Pause' : 'Resume'}
      </Button>
    </>
  );
}

function DeleteCheck({ check }: { check: CheckDetail }) {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const deleting = useMutation<unknown, RequestFailed>({
    mutationFn: () => deleteCheck(check.check_id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['checks', 'list'] });
      void navigate(paths.checks);
    },
  });
  return (
    <>
      <Button variant="outlined" onClick={() => setOpen(true)}>
        Delete
      </Button>
      <ConfirmDialog
        open={isOpen}
        title={`Delete ${escapeInvisible(check.name)}?`}
        confirm="Delete"
        danger
        disabled={deleting.isPending}
        onConfirm={() => deleting.mutate()}
        onClose={() => setOpen(false)}
      >
        Its outages and response times are deleted with it, and its open alerts end.
        {deleting.error !== null && <span role="alert">{failureText(deleting.error)}</span>}
      </ConfirmDialog>
    </>
  );
}
