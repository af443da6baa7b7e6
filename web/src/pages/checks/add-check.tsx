import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { guessCheck, type Guess } from '@plimsoll/contract/rules/checks/guess-check';
import type { CheckPreviewAnswer } from '@plimsoll/contract/wire/checks/checks';
import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { createCheck, previewCheck } from '../../api/checks.ts';
import { failureText } from '../../api/client.ts';
import { HeartbeatDialog } from '../../components/checks/heartbeat-dialog.tsx';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { Panel, PanelBody } from '../../components/panel.tsx';
import { kindWord } from '../../format/check-words.ts';
import { paths } from '../../paths.ts';
import { useNavigate } from '../../router.ts';
import { FirstResult } from './first-result.tsx';

const Form = styled('form')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  alignItems: 'start',
  gap: 12,
  '& > button': { marginTop: 20 },
  '& > .wide': { gridColumn: '1 / -1' },
  '& > .acts': { gridColumn: '1 / -1', display: 'flex', gap: 8, flexWrap: 'wrap' },
});
const HINT = 'A web address, host:port, tls:host or dns:host. Enter runs it once; nothing is saved before you save it.';

interface Tried {
  guess: Guess;
  result: CheckPreviewAnswer['result'];
}

const FIELDS = 'input, textarea, select, [contenteditable="true"]';

/** Calls `onAddress` with an address that is pasted while no field has the focus. */
function usePastedAddress(onAddress: (text: string) => void): void {
  const latest = useRef(onAddress);
  useEffect(() => {
    latest.current = onAddress;
  });
  useEffect(() => {
    const read = (event: ClipboardEvent) => {
      if (event.target instanceof Element && event.target.closest(FIELDS) !== null) return;
      const text = event.clipboardData?.getData('text').trim() ?? '';
      if (guessCheck(text) === null) return;
      event.preventDefault();
      latest.current(text);
    };
    document.addEventListener('paste', read);
    return () => document.removeEventListener('paste', read);
  }, []);
}

/** Runs the address once on Enter, shows the result, and saves it on a second press. */
function AddressForm({ onSaved }: { onSaved: (checkId: string) => void }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const queries = useQueryClient();
  const trial = useMutation({
    mutationFn: async (guess: Guess): Promise<Tried> => ({ guess, ...(await previewCheck(guess.probe)) }),
  });
  const saving = useMutation({
    mutationFn: ({ guess }: Tried) => createCheck({ name: guess.name, probe: guess.probe }),
    onSuccess: async ({ check }) => {
      await queries.invalidateQueries({ queryKey: ['checks'] });
      onSaved(check.check_id);
    },
  });
  const field = useRef<HTMLInputElement>(null);
  const change = (typed: string) => {
    setText(typed);
    setProblem(null);
    trial.reset();
    saving.reset();
  };
  usePastedAddress((pasted) => {
    change(pasted);
    field.current?.focus();
  });
  const tried = trial.data;
  const guess = guessCheck(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setProblem(
      guess === null ? 'This is no address. Write it as shop.example.net/health or db.example.net:5432.' : null,
    );
    if (guess !== null) trial.mutate(guess);
  };
  const failure = trial.error ?? saving.error;
  return (
    <Form onSubmit={submit}>
      <LabelledInput
        label="Address"
        placeholder="https://shop.example.net/health"
        value={text}
        inputRef={field}
        onChange={(event) => change(event.target.value)}
        problem={problem}
        hint={guess === null ? HINT : `${kindWord(guess.probe.kind)}: ${guess.name}`}
        autoComplete="off"
        inputProps={{ maxLength: 2048, spellCheck: false }}
      />
      <Button type="submit" variant="outlined" disabled={text.trim() === '' || trial.isPending}>
        {trial.isPending ? 'Running…' : 'Run once'}
      </Button>
      {tried !== undefined && (
        <>
          <div className="wide">
            <FirstResult result={tried.result} nowMs={trial.submittedAt} />
          </div>
          <div className="acts">
            <Button variant="contained" disabled={saving.isPending} onClick={() => saving.mutate(tried)}>
              Save check
            </Button>
          </div>
        </>
      )}
      {failure !== null && (
        <p className="wide" role="alert">
          {failureText(failure)}
        </p>
      )}
    </Form>
  );
}

/** Paste an address, press Enter, read the first result, save: the whole set-up of a check. */
export function AddCheck({ isFirst }: { isFirst: boolean }) {
  const [isHeartbeat, setHeartbeat] = useState(false);
  const heading = useId();
  const navigate = useNavigate();
  const open = (id: string) => void navigate(paths.check(id));
  return (
    <Panel
      title={isFirst ? 'Add the first check' : 'Add a check'}
      note="Runs from this Plimsoll every 60 s"
      id={heading}
      actions={
        <Button variant="outlined" sx={{ whiteSpace: 'nowrap' }} onClick={() => setHeartbeat(true)}>
          Add heartbeat
        </Button>
      }
    >
      {isHeartbeat && <HeartbeatDialog check={null} onClose={() => setHeartbeat(false)} onCreated={open} />}
      <PanelBody>
        <AddressForm onSaved={open} />
      </PanelBody>
    </Panel>
  );
}
