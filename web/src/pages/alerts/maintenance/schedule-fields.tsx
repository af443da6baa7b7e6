import { MAINTENANCE_LIMITS } from '@plimsoll/contract/rules/checks/maintenance-limits';
import { Check } from '../../../components/form/check.tsx';
import { crontabProps, draftInput, ZoneSelect } from '../../../components/form/draft-fields.tsx';
import { CheckRow, FieldGroup, FieldRow } from '../../../components/form/form-parts.tsx';
import { LabelledSelect } from '../../../components/form/labelled-select.tsx';
import type { MaintenanceDraft, MaintenanceProblems } from './maintenance-draft.ts';

export interface FieldsProps {
  draft: MaintenanceDraft;
  problems: MaintenanceProblems;
  onChange: (part: Partial<MaintenanceDraft>) => void;
}

const KINDS = [
  { value: 'weekly', label: 'Every week' },
  { value: 'monthly', label: 'Every month' },
  { value: 'cron', label: 'By a crontab line' },
];
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const DAYS = [
  ...Array.from({ length: 31 }, (_, index) => ({ value: String(index + 1), label: `Day ${index + 1}` })),
  { value: 'last', label: 'Last day' },
];
const kindOf = (value: string): MaintenanceDraft['kind'] =>
  value === 'monthly' || value === 'cron' ? value : 'weekly';

function Weekdays({ draft: { weekdays }, problems, onChange }: FieldsProps) {
  const toggle = (day: number, on: boolean) =>
    onChange({ weekdays: on ? [...weekdays, day] : weekdays.filter((each) => each !== day) });
  return (
    <FieldGroup>
      <legend>Days</legend>
      <CheckRow>
        {WEEKDAYS.map((name, index) => (
          <Check key={name} checked={weekdays.includes(index + 1)} onChange={(on) => toggle(index + 1, on)}>
            {name}
          </Check>
        ))}
      </CheckRow>
      {problems.weekdays !== undefined && <p data-error="">{problems.weekdays}</p>}
    </FieldGroup>
  );
}

function Start(form: FieldsProps) {
  const input = draftInput(form);
  return form.draft.kind === 'cron'
    ? input('expression', {
        ...crontabProps,
        placeholder: '0 20 * * 2#2',
        hint: 'Minute, hour, day, month, weekday; 2#2 is the second Tuesday',
      })
    : input('time', { label: 'Starts at', type: 'time' });
}

/** Name of a maintenance, when it starts, how long it lasts, and when it stops to recur. */
export function ScheduleFields(form: FieldsProps) {
  const { draft, problems, onChange } = form;
  const input = draftInput(form);
  return (
    <>
      {input('name', {
        label: 'Name',
        placeholder: 'Patch night',
        hint: 'For colleagues. A public status page does not show it.',
        inputProps: { maxLength: MAINTENANCE_LIMITS.nameCharacters },
      })}
      <FieldRow>
        <LabelledSelect
          label="Repeats"
          value={draft.kind}
          options={KINDS}
          onChange={(kind) => onChange({ kind: kindOf(kind) })}
        />
        {draft.kind === 'monthly' && (
          <LabelledSelect
            label="Day of the month"
            value={draft.day}
            options={DAYS}
            problem={problems.day}
            onChange={(day) => onChange({ day })}
          />
        )}
        <Start {...form} />
      </FieldRow>
      {draft.kind === 'weekly' && <Weekdays {...form} />}
      <ZoneSelect label="Time zone" zone={draft.zone} problem={problems.zone} onZone={(zone) => onChange({ zone })} />
      <FieldRow>
        {input('lasts', { label: 'Lasts', hint: '45 min, 2 h, 1 d' })}
        {input('lastDay', { label: 'Last day (optional)', type: 'date', hint: 'It does not start after this day.' })}
      </FieldRow>
    </>
  );
}
