import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { ORGANISATION_NAME_CHARACTERS } from '@plimsoll/contract/rules/limits';
import { useState, type SyntheticEvent } from 'react';
import { renameTeam } from '../../../api/team.ts';
import { Notice } from '../../../components/feedback/notice.tsx';
import { LabelledInput } from '../../../components/form/labelled-input.tsx';
import { Panel } from '../../../components/panel.tsx';
import { useAction } from '../use-action.ts';

const Form = styled('form')({ display: 'flex', alignItems: 'end', gap: 8, padding: 16, '& > div': { flex: 1 } });

export function TeamName({ name }: { name: string }) {
  const [typed, setTyped] = useState(name);
  const action = useAction(renameTeam, 'team');
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    void action.start(typed.trim());
  };
  const isSame = typed.trim() === '' || typed.trim() === name;
  return (
    <Panel title="Name">
      {action.error !== null && <Notice tone="error">{action.error}</Notice>}
      <Form onSubmit={submit}>
        <LabelledInput
          label="Name of the organisation"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          inputProps={{ maxLength: ORGANISATION_NAME_CHARACTERS }}
        />
        <Button variant="outlined" type="submit" disabled={action.busy || isSame}>
          Rename
        </Button>
      </Form>
    </Panel>
  );
}
