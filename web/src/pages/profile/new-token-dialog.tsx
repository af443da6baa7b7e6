import { useState } from 'react';
import { generateToken } from '../../api/account.ts';
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx';
import { Notice } from '../../components/feedback/notice.tsx';
import { CopyButton } from '../../components/form/copy-button.tsx';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { LabelledSelect } from '../../components/form/labelled-select.tsx';
import { Secret } from '../../components/form/secret.tsx';
import { useAction } from './use-action.ts';

const ACCESS = [
  { value: 'read', label: 'Read only: dashboards, MCP clients' },
  { value: 'read write', label: 'Read and change' },
  { value: 'metrics', label: 'Send metrics only: Prometheus, OpenTelemetry' },
  { value: 'changes', label: 'Add deploy marks only: a pipeline' },
] as const;
const LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '', label: 'Does not expire' },
] as const;

interface NewTokenDialogProps {
  /** Names in use: the API would replace the token of the same name. */
  names: readonly string[];
  onClose: () => void;
}

/** Form for a token with a name, rights and an end; it shows the secret once. */
export function NewTokenDialog({ names, onClose }: NewTokenDialogProps) {
  const [name, setName] = useState('');
  const [access, setAccess] = useState('read');
  const [days, setDays] = useState('90');
  const [secret, setSecret] = useState<string | null>(null);
  const action = useAction(generateToken, 'api-tokens');
  const isTaken = names.includes(name.trim());

  const create = async () => {
    const made = await action.start({
      name: name.trim(),
      scopes: access.split(' '),
      expires_in_days: days === '' ? null : Number(days),
    });
    if (made !== null) setSecret(made.token);
  };
  if (secret !== null)
    return (
      <ConfirmDialog open isDone title={`Token ${name.trim()}`} confirm="Done" onConfirm={onClose} onClose={onClose}>
        <Secret>{secret}</Secret>
        <CopyButton text={secret} label="Copy" copied="Token copied to clipboard!" />
        <Notice>Copy it now. It is not shown again.</Notice>
      </ConfirmDialog>
    );
  return (
    <ConfirmDialog
      open
      title="New token"
      confirm="Create"
      disabled={action.busy || name.trim() === '' || isTaken}
      onConfirm={() => void create()}
      onClose={onClose}
    >
      <LabelledInput
        label="Name"
        value={name}
        onChange={(event) => setName(event.target.value)}
        inputProps={{ maxLength: 64 }}
        problem={isTaken ? 'A token of this name exists. Choose another name, or revoke that token.' : null}
      />
      <LabelledSelect label="Access" value={access} options={ACCESS} onChange={setAccess} />
      <LabelledSelect label="Expires after" value={days} options={LIFETIMES} onChange={setDays} />
      {action.error !== null && <Notice tone="error">{action.error}</Notice>}
    </ConfirmDialog>
  );
}
