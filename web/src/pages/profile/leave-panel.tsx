import Button from '@mui/material/Button';
import { useState } from 'react';
import { deleteAccount, deletionQuery, EXPORT_PATH, keepAccount } from '../../api/account.ts';
import { useQuery, useQueryClient } from '../../api/query.ts';
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { Panel, PanelBody } from '../../components/panel.tsx';
import { Toggle } from '../../components/form/toolbar.tsx';
import { PROMISES } from '../../format/legal-promises.ts';
import { sessionToken } from '../../state/session-token.ts';
import { day } from '../../time/zone.ts';
import { Buttons, Stack, Text } from './profile-parts.tsx';
import { useAction } from './use-action.ts';
import { DownloadOutlined as DownloadIcon } from '../../components/icons/pages.tsx';

type When = 'now' | 'later';
const WHEN = [
  { value: 'now', label: 'At once' },
  { value: 'later', label: `In ${PROMISES.accountDeletionDays} days` },
] as const;

interface DeleteDialogProps {
  open: boolean;
  email: string;
  onClose: () => void;
}

function DeleteDialog({ open, email, onClose }: DeleteDialogProps) {
  const queries = useQueryClient();
  const action = useAction(deleteAccount, 'deletion');
  const [when, setWhen] = useState<When>('later');
  const [typed, setTyped] = useState('');
  const confirm = async () => {
    const done = await action.start(typed.trim(), when === 'now' ? 0 : PROMISES.accountDeletionDays);
    if (done === null) return;
    onClose();
    if (when === 'now') {
      queries.clear();
      sessionToken.set(null);
    }
  };
  return (
    <ConfirmDialog
      open={open}
      title="Delete your account?"
      confirm="Delete account"
      danger
      disabled={action.busy || typed.trim().toLowerCase() !== email.toLowerCase()}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <span>
        This deletes your servers, clusters, history, alerts and tokens, and stops the agents. Export the data you need
        first.
      </span>
      <div>
        <Toggle label="When" value={when} options={WHEN} onChange={setWhen} />
      </div>
      <LabelledInput
        label={`Type ${email} to confirm`}
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        problem={action.error}
      />
    </ConfirmDialog>
  );
}

function PlannedNotice({ at }: { at: string }) {
  const keep = useAction(keepAccount, 'deletion');
  return (
    <Notice tone="warning">
      <strong>This account is deleted on {day(Date.parse(at))}.</strong>
      <p>
        <Button variant="outlined" disabled={keep.busy} onClick={() => void keep.start()}>
          Cancel deletion
        </Button>
      </p>
      {keep.error !== null && <p>{keep.error}</p>}
    </Notice>
  );
}

/** Taking everything along, and leaving. */
export function LeavePanel({ email }: { email: string }) {
  const [asking, setAsking] = useState(false);
  const planned = useQuery(deletionQuery()).data?.deletion_at ?? null;
  return (
    <Panel title="Your data">
      <PanelBody>
        <Stack>
          <Text>
            Download all stored data of your account as one JSON document. It contains no tokens and no passwords.
          </Text>
          {planned !== null && <PlannedNotice at={planned} />}
          <Buttons>
            <Button variant="outlined" startIcon={<DownloadIcon />} component="a" href={EXPORT_PATH} download>
              Export
            </Button>
            <Button variant="outlined" color="error" disabled={planned !== null} onClick={() => setAsking(true)}>
              Delete account
            </Button>
          </Buttons>
        </Stack>
      </PanelBody>
      <DeleteDialog open={asking} email={email} onClose={() => setAsking(false)} />
    </Panel>
  );
}
