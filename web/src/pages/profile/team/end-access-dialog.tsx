import { styled } from '@mui/material/styles';
import type { EndAccessAnswer } from '@plimsoll/contract/wire/accounts/team';
import { useState } from 'react';
import { useQuery } from '../../../api/query.ts';
import { endAccess, memberAccessQuery, removeMember } from '../../../api/team.ts';
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx';
import { Failure } from '../../../components/feedback/feed-panel.tsx';
import { Notice } from '../../../components/feedback/notice.tsx';
import { CopyButton } from '../../../components/form/copy-button.tsx';
import { LabelledSelect } from '../../../components/form/labelled-select.tsx';
import { Secret } from '../../../components/form/secret.tsx';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { helmTokenCommand } from '../../../format/install-command.ts';
import { momentMs } from '../../../time/age.ts';
import { dayAndTime, zoneName } from '../../../time/zone.ts';
import { Quiet } from '../profile-parts.tsx';
import { useAction } from '../use-action.ts';
import { accessRows, choicesOf, type AccessRow, type End } from './access-rows.ts';

const List = styled('ul')({ display: 'grid', gap: 12, margin: 0, padding: 0, listStyle: 'none' });
const Command = styled(Secret)({ whiteSpace: 'pre-wrap' });

interface EndAccessDialogProps {
  person: { id: string; name: string };
  /** False: the person left before, and only what they made is at stake. */
  isMember: boolean;
  onClose: () => void;
}

/** Removes a member and ends what the member made; what is in use is replaced, and its commands are shown once. */
export function EndAccessDialog({ person, isMember, onClose }: EndAccessDialogProps) {
  const asked = useQuery(memberAccessQuery(person.id));
  const [chosen, setChosen] = useState<ReadonlyMap<string, End>>(new Map());
  const [answer, setAnswer] = useState<EndAccessAnswer | null>(null);
  const action = useAction(isMember ? removeMember : endAccess, 'team');
  // The list no longer holds the tokens that the call ended.
  if (answer !== null) return <Replaced answer={answer} onClose={onClose} />;
  const rows = asked.data === undefined ? [] : accessRows(asked.data);
  const confirm = async () => {
    const ended = await action.start(person.id, choicesOf(rows, chosen));
    if (ended === null) return;
    if (ended.replaced.length > 0) setAnswer(ended);
    else onClose();
  };
  return (
    <ConfirmDialog
      open
      title={isMember ? `Remove ${person.name}?` : `End what ${person.name} made?`}
      confirm={isMember ? 'Remove' : 'End'}
      danger
      disabled={action.busy || asked.data === undefined}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {isMember && (
        <span>
          The account is signed out at once and sees these servers no longer. It keeps an organisation of its own.
        </span>
      )}
      <Failure asked={asked} />
      {asked.isPending && <span>Loading what {person.name} made…</span>}
      {asked.data !== undefined && rows.length === 0 && <span>Nothing that {person.name} made still works.</span>}
      {rows.length > 0 && (
        <>
          <span>
            {person.name} made these. They work without an account. Whoever has kept a copy can use it until it ends.
          </span>
          <List>
            {rows.map((row) => (
              <Row
                key={row.id}
                row={row}
                value={chosen.get(row.id) ?? row.proposed}
                onChoose={(end) => setChosen(new Map([...chosen, [row.id, end]]))}
              />
            ))}
          </List>
        </>
      )}
      {action.error !== null && <Notice tone="error">{action.error}</Notice>}
    </ConfirmDialog>
  );
}

function Row({ row, value, onChoose }: { row: AccessRow; value: End; onChoose: (end: End) => void }) {
  const choose = (text: string) => {
    const end = row.ends.find((one) => one.value === text);
    if (end !== undefined) onChoose(end.value);
  };
  return (
    <li>
      <LabelledSelect label={row.name} value={value} options={row.ends} onChange={choose} hint={row.fact} />
    </li>
  );
}

function Replaced({ answer, onClose }: { answer: EndAccessAnswer; onClose: () => void }) {
  const origin = answer.public_url ?? window.location.origin;
  return (
    <ConfirmDialog
      open
      isDone
      title="Give the clusters their new tokens"
      confirm="Done"
      onConfirm={onClose}
      onClose={onClose}
    >
      {answer.replaced.map(({ id, name, token, ends_at: end }) => {
        const command = helmTokenCommand({ origin, clusterToken: token });
        const at = momentMs(end) ?? Number.NaN;
        return (
          <div key={id}>
            <b>{escapeInvisible(name)}</b>
            <br />
            <Quiet>
              The old token ends {dayAndTime(at)} {zoneName(at)}.
            </Quiet>
            <Command>{command}</Command>
            <CopyButton text={command} label="Copy command" copied="Command copied" />
          </div>
        );
      })}
      <Notice>
        The tokens are not shown again. If a release has another name or takes its token from a Secret of yours
        (token.existingSecret), write the new token there and restart its collectors.
      </Notice>
    </ConfirmDialog>
  );
}
