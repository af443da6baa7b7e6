import { CHECK_LIMITS } from '@plimsoll/contract/rules/check-limits';
import type { ProbeRequest } from '@plimsoll/contract/wire/checks/checks';
import { draftInput } from '../../components/form/draft-fields.tsx';
import { FieldRow } from '../../components/form/form-parts.tsx';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { LabelledSelect } from '../../components/form/labelled-select.tsx';
import type { CheckDraft, CheckProblems } from './check-draft.ts';
import { ANSWERS, isAnswer } from './expectation.ts';

export interface FieldsProps {
  draft: CheckDraft;
  problems: CheckProblems;
  onChange: (part: Partial<CheckDraft>) => void;
}

const LONG = { inputProps: { maxLength: CHECK_LIMITS.textCharacters } } as const;

/** Name, target and times of a check. */
export function ProbeFields({ probe, ...form }: FieldsProps & { probe: ProbeRequest }) {
  const input = draftInput(form);
  const short = { inputProps: { maxLength: CHECK_LIMITS.nameCharacters } };
  return (
    <>
      {input('name', { label: 'Name', ...short })}
      {input('target', {
        label: probe.kind === 'http' ? 'Address' : 'Host',
        inputProps: { maxLength: CHECK_LIMITS.urlCharacters },
      })}
      {'port' in probe && input('port', { label: 'Port', ...short })}
      <FieldRow>
        {input('every', { label: 'Interval', hint: '20 s to 1 d', ...short })}
        {input('timeout', { label: 'Timeout, seconds', hint: 'At most 30', ...short })}
        {input('retries', { label: 'Retries', hint: 'Further failures before a place votes down', ...short })}
      </FieldRow>
    </>
  );
}

/** The fields that say which answer is good. A check of a certificate has none. */
export function AnswerFields({ probe, ...form }: FieldsProps & { probe: ProbeRequest }) {
  const { draft, onChange } = form;
  const input = draftInput(form);
  switch (probe.kind) {
    case 'tls':
      return null;
    case 'tcp':
      return input('text', { label: 'Text in the first line (optional)', ...LONG });
    case 'dns':
      return input('records', {
        label: `Expected ${probe.record_type} records (optional)`,
        multiline: true,
        maxRows: 6,
        hint: 'One a line. Each must be among the answers.',
      });
    case 'http':
      return (
        <>
          <FieldRow>
            {input('statuses', { label: 'Good statuses', hint: 'Such as 200-299, 401' })}
            <LabelledSelect
              label="Good answer"
              value={draft.answer}
              options={ANSWERS}
              onChange={(answer) => isAnswer(answer) && onChange({ answer })}
            />
          </FieldRow>
          {(draft.answer === 'text' || draft.answer === 'no-text') && input('text', { label: 'Text', ...LONG })}
          {(draft.answer === 'json' || draft.answer === 'no-json') && <JsonFields {...form} />}
        </>
      );
  }
}

function JsonFields(form: FieldsProps) {
  const { draft, problems, onChange } = form;
  return (
    <FieldRow>
      {draftInput(form)('path', {
        label: 'Path in the JSON',
        placeholder: 'status.db[0]',
        inputProps: { maxLength: 256, spellCheck: false },
      })}
      <LabelledInput
        label="Value (optional)"
        value={draft.value ?? ''}
        problem={problems.value}
        hint="Empty: any value but null"
        inputProps={{ maxLength: CHECK_LIMITS.textCharacters, spellCheck: false }}
        onChange={(event) => onChange({ value: event.target.value === '' ? null : event.target.value })}
      />
    </FieldRow>
  );
}
