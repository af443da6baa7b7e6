import { MAINTENANCE_LIMITS } from '@plimsoll/contract/rules/checks/maintenance-limits';
import { Check } from '../../../components/form/check.tsx';
import { CheckRow, FieldGroup, FieldRow } from '../../../components/form/form-parts.tsx';
import { LabelledInput } from '../../../components/form/labelled-input.tsx';
import { LabelledSelect } from '../../../components/form/labelled-select.tsx';
import { zoneList } from '../../../time/zone-list.ts';
import type { MaintenanceDraft, MaintenanceProblems } from './maintenance-draft.ts';

export interface FieldsProps {
  draft: MaintenanceDraft;
  problems: MaintenanceProblems;
  onChange: (part: Partial<MaintenanceDraft>) => void;
}

const ZONES = zoneList().map((name) => ({ value: name, label: name }));
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

function Start({ draft, problems, onChange }: FieldsProps) {
  if (draft.kind === 'cron')
    return (
      <LabelledInput
        label="Schedule"
        placeholder="0 20 * * 2#2"
        value={draft.expression}
        problem={problems.expression}
        hint="Minute, hour, day, month, weekday; 2#2 is the second Tuesday"
        inputProps={{ maxLength: 100, spellCheck: false }}
        onChange={(event) => onChange({ expression: event.target.value })}
      />
    );
  return (
    <LabelledInput
      label="Starts at"
      type="time"
      value={draft.time}
      problem={problems.time}
      onChange={(event) => onChange({ time: event.target.value })}
    />
  );
}

/** Name of a maintenance, when it starts, how long it lasts, and when it stops to recur. */
export function ScheduleFields(of: FieldsProps) {
  const { draft, problems, onChange } = of;
  return (
    <>
      <LabelledInput
        label="Name"
        placeholder="Patch night"
        value={draft.name}
        problem={problems.name}
        hint="For colleagues. A public status page does not show it."
        inputProps={{ maxLength: MAINTENANCE_LIMITS.nameCharacters }}
        onChange={(event) => onChange({ name: event.target.value })}
      />
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
        <Start {...of} />
      </FieldRow>
      {draft.kind === 'weekly' && <Weekdays {...of} />}
      <LabelledSelect
        label="Time zone"
        value={draft.zone}
        options={ZONES}
        problem={problems.zone}
        onChange={(zone) => onChange({ zone })}
      />
      <FieldRow>
        <LabelledInput
          label="Lasts"
          value={draft.lasts}
          problem={problems.lasts}
          hint="45 min, 2 h, 1 d"
          onChange={(event) => onChange({ lasts: event.target.value })}
        />
        <LabelledInput
          label="Last day (optional)"
          type="date"
          value={draft.lastDay}
          problem={problems.lastDay}
          hint="It does not start after this day."
          onChange={(event) => onChange({ lastDay: event.target.value })}
        />
      </FieldRow>
    </>
  );
}
