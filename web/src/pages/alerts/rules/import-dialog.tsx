import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { styled } from '@mui/material/styles';
import type { AlertRulesImportAnswer } from '@plimsoll/contract/wire/alerts/alert-rule-import';
import { useId, useRef, useState } from 'react';
import { CHANGED_BY_RULES, importRules } from '../../../api/alert-rules.ts';
import { failureText } from '../../../api/client.ts';
import { useMutation, useQueryClient } from '../../../api/query.ts';
import { Notice } from '../../../components/feedback/notice.tsx';
import { RowsSkeleton } from '../../../components/feedback/skeletons.tsx';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { plural } from '../../../format/figures.ts';
import { ButtonRow, FieldStack, Quiet } from '../../../components/form/form-parts.tsx';

const List = styled('ul')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'grid',
  gap: 8,
  maxHeight: 260,
  margin: 0,
  padding: 0,
  overflowY: 'auto',
  overflowWrap: 'anywhere',
  listStyle: 'none',
  '& > li > b': { fontWeight: 600 },
}));
/** Takes a click of the button beside it, which is what people see and focus. */
const FileInput = styled('input')({ display: 'none' });

const ACTION = { created: 'New', changed: 'Changed', unchanged: 'Unchanged' } as const;

/** "2 new, 1 changed, 21 unchanged rules." */
const countWords = ({ created, changed, unchanged }: AlertRulesImportAnswer): string =>
  `${String(created)} new, ${String(changed)} changed, ${plural(unchanged, 'unchanged rule')}.`;

/** Shows what the file would do. Rules that stay as they are would only hide the others. */
function Preview({ answer }: { answer: AlertRulesImportAnswer }) {
  const moved = answer.rules.filter(({ action }) => action !== 'unchanged');
  if (answer.errors.length > 0)
    return (
      <>
        <Notice tone="error">
          {plural(answer.errors.length, 'error')}. Nothing is imported until the file has none.
          {answer.not_checked > 0 && ` Not checked: ${plural(answer.not_checked, 'further rule')}.`}
        </Notice>
        <List aria-label="Errors" tabIndex={0}>
          {answer.errors.map(({ name, field, detail }) => (
            <li key={`${name} ${field}`}>
              <b>{escapeInvisible(name)}</b>: {escapeInvisible(`${field} ${detail}`)}
            </li>
          ))}
        </List>
      </>
    );
  return (
    <>
      <p role="status" style={{ margin: 0 }}>
        {countWords(answer)}
      </p>
      {moved.length > 0 && (
        <List aria-label="Rules to import" tabIndex={0}>
          {moved.map(({ name, action, text }) => (
            <li key={name}>
              <b>{ACTION[action]}</b>: {escapeInvisible(text)}
            </li>
          ))}
        </List>
      )}
    </>
  );
}

interface ImportDialogProps {
  onClose: () => void;
  onImported: (count: number) => void;
}

/** Imports a file of the export. It shows what the file would do before anything is saved. */
export function ImportDialog({ onClose, onImported }: ImportDialogProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<{ name: string; yaml: string } | null>(null);
  const queries = useQueryClient();
  const preview = useMutation({ mutationFn: (yaml: string) => importRules(yaml, true) });
  const save = useMutation({
    mutationFn: (yaml: string) => importRules(yaml, false),
    onSuccess({ created, changed }) {
      for (const queryKey of CHANGED_BY_RULES) void queries.invalidateQueries({ queryKey });
      onImported(created + changed);
    },
  });
  const choose = async (chosen: File | undefined): Promise<void> => {
    if (chosen === undefined) return;
    const yaml = await chosen.text();
    setFile({ name: chosen.name, yaml });
    save.reset();
    preview.mutate(yaml);
  };
  const answer = preview.data;
  const count = answer === undefined || answer.errors.length > 0 ? 0 : answer.created + answer.changed;
  const error = save.error ?? preview.error;
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} fullWidth maxWidth="sm" transitionDuration={0}>
      <DialogTitle id={id} variant="h2" component="h2">
        Import rules
      </DialogTitle>
      <DialogContent>
        <FieldStack>
          <Quiet>
            Choose a file that the button “Prometheus YAML” wrote, here or in another Plimsoll. Rules that exist are
            changed, others are added, and nothing is deleted.
          </Quiet>
          <ButtonRow>
            <FileInput
              ref={input}
              type="file"
              accept=".yaml,.yml"
              aria-label="Rule file"
              onChange={({ target }) => {
                void choose(target.files?.[0]);
                // The same file can be chosen again after it was corrected.
                target.value = '';
              }}
            />
            <Button variant="outlined" onClick={() => input.current?.click()}>
              {file === null ? 'Choose a file' : 'Choose another file'}
            </Button>
          </ButtonRow>
          {file !== null && <Quiet>{escapeInvisible(file.name)}</Quiet>}
          {preview.isPending && <RowsSkeleton rows={2} height={32} />}
          {answer !== undefined && <Preview answer={answer} />}
          {error !== null && <Notice tone="error">{failureText(error)}</Notice>}
        </FieldStack>
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={onClose}>
          Cancel
        </Button>
        <Button
          variant="contained"
          disabled={count === 0 || save.isPending}
          onClick={() => file !== null && save.mutate(file.yaml)}
        >
          Import {plural(count, 'rule')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
