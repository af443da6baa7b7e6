import { CHECK_LIMITS } from '@plimsoll/contract/rules/check-limits';
import type { ProbeRequest } from '@plimsoll/contract/wire/checks/checks';
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

/** Name, target and times of a check. */
export function ProbeFields({ draft, problems, onChange, probe }: FieldsProps & { probe: ProbeRequest }) {
  const input = (field: 'name' | 'target' | 'port' | 'every' | 'timeout' | 'retries', label: string, hint?: string) => (
    <LabelledInput
      label={label}
      value={draft[field]}
      problem={problems[field]}
      hint={hint}
      inputProps={{ maxLength: field === 'target' ? CHECK_LIMITS.urlCharacters : CHECK_LIMITS.nameCharacters }}
      onChange={(event) => onChange({ [field]: event.target.value })}
    />
  );
  return (
    <>
      {input('name', 'Name')}
      {input('target', probe.kind === 'http' ? 'Address' : 'Host')}
      {'port' in probe && input('port', 'Port')}
      <FieldRow>
        {input('every', 'Interval', '20 s to 1 d')}
        {input('timeout', 'Timeout, seconds', 'At most 30')}
        {input('retries', 'Retries', 'Further failures before a place votes down')}
      </FieldRow>
    </>
  );
}

/** The fields that say which answer is good. A check of a certificate has none. */
export function AnswerFields({ draft, problems, onChange, probe }: FieldsProps & { probe: ProbeRequest }) {
  const text = (label: string) => (
    <LabelledInput
      label={label}
      value={draft.text}
      problem={problems.text}
      inputProps={{ maxLength: CHECK_LIMITS.textCharacters }}
      onChange={(event) => onChange({ text: event.target.value })}
    />
  );
  switch (probe.kind) {
    case 'tls':
      return null;
    case 'tcp':
      return text('Text in the first line (optional)');
    case 'dns':
      return (
        <LabelledInput
          label={`Expected ${probe.record_type} records (optional)`}
          multiline
          maxRows={6}
          value={draft.records}
          problem={problems.records}
          hint="One a line. Each must be among the answers."
          onChange={(event) => onChange({ records: event.target.value })}
        />
      );
    case 'http':
      return (
        <>
          <FieldRow>
            <LabelledInput
              label="Good statuses"
              value={draft.statuses}
              problem={problems.statuses}
              hint="Such as 200-299, 401"
              onChange={(event) => onChange({ statuses: event.target.value })}
            />
            <LabelledSelect
              label="Good answer"
              value={draft.answer}
              options={ANSWERS}
              onChange={(answer) => isAnswer(answer) && onChange({ answer })}
            />
          </FieldRow>
          {(draft.answer === 'text' || draft.answer === 'no-text') && text('Text')}
          {(draft.answer === 'json' || draft.answer === 'no-json') && (
            <JsonFields draft={draft} problems={problems} onChange={onChange} />
          )}
        </>
      );
  }
}

function JsonFields({ draft, problems, onChange }: FieldsProps) {
  return (
    <FieldRow>
      <LabelledInput
        label="Path in the JSON"
        placeholder="status.db[0]"
        value={draft.path}
        problem={problems.path}
        inputProps={{ maxLength: 256, spellCheck: false }}
        onChange={(event) => onChange({ path: event.target.value })}
      />
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
