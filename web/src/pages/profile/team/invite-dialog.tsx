import { INVITATIONS, ROLES, type Role } from '@plimsoll/contract/rules/limits';
import { useState } from 'react';
import { invite } from '../../../api/team.ts';
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx';
import { Notice } from '../../../components/feedback/notice.tsx';
import { CopyButton } from '../../../components/form/copy-button.tsx';
import { LabelledInput } from '../../../components/form/labelled-input.tsx';
import { LabelledSelect } from '../../../components/form/labelled-select.tsx';
import { ROLE_NAME, ROLE_OPTIONS } from '../../../format/role-words.ts';
import { paths } from '../../../paths.ts';
import { Secret } from '../../../components/form/secret.tsx';
import { useAction } from '../use-action.ts';

const DAYS = [
  { value: '1', label: '1 day' },
  { value: String(INVITATIONS.days.default), label: `${INVITATIONS.days.default} days` },
  { value: String(INVITATIONS.days.max), label: `${INVITATIONS.days.max} days` },
];

/** Form of an invitation; it shows the link once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [role, setRole] = useState<Role>('viewer');
  const [email, setEmail] = useState('');
  const [days, setDays] = useState(String(INVITATIONS.days.default));
  const [link, setLink] = useState<string | null>(null);
  const action = useAction(invite, 'team');
  const create = async () => {
    const typed = email.trim();
    const made = await action.start({ role, email: typed === '' ? null : typed, expires_in_days: Number(days) });
    if (made !== null) setLink(`${window.location.origin}${paths.join}#code=${made.code}`);
  };
  if (link !== null)
    return (
      <ConfirmDialog
        open
        isDone
        title={`Invitation as ${ROLE_NAME[role].toLowerCase()}`}
        confirm="Done"
        onConfirm={onClose}
        onClose={onClose}
      >
        <Secret>{link}</Secret>
        <CopyButton text={link} label="Copy link" copied="Link copied" />
        <Notice>
          Send it yourself: it is not shown again. It works once{email.trim() === '' ? ', for whoever opens it' : ''}.
        </Notice>
      </ConfirmDialog>
    );
  return (
    <ConfirmDialog
      open
      title="Invite a member"
      confirm="Create link"
      disabled={action.busy}
      onConfirm={() => void create()}
      onClose={onClose}
    >
      <LabelledSelect
        label="Role"
        value={role}
        options={ROLE_OPTIONS}
        onChange={(chosen) => setRole(ROLES.find((one) => one === chosen) ?? role)}
      />
      <LabelledInput
        label="E-mail (optional)"
        type="email"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        hint="Only an account with this address can use the link. Nothing is sent to it."
        inputProps={{ maxLength: 254 }}
      />
      <LabelledSelect label="The link works for" value={days} options={DAYS} onChange={setDays} />
      {action.error !== null && <Notice tone="error">{action.error}</Notice>}
    </ConfirmDialog>
  );
}
