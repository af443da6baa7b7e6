import type { ComponentProps } from 'react';
import { zoneList } from '../../time/zone-list.ts';
import { LabelledInput } from './labelled-input.tsx';
import { LabelledSelect } from './labelled-select.tsx';

/** Fields of a draft that hold what was typed. */
type TextField<D> = { [K in keyof D]: D[K] extends string ? K : never }[keyof D] & string;

interface Form<D> {
  draft: D;
  problems: Partial<Record<keyof D, string>>;
  onChange: (part: Partial<D>) => void;
}
type InputProps = Omit<ComponentProps<typeof LabelledInput>, 'value' | 'problem' | 'onChange'>;

/** Returns inputs that read and write fields of a draft, each with its problem. */
export const draftInput =
  <D extends object>({ draft, problems, onChange }: Form<D>) =>
  (field: TextField<D>, props: InputProps) => (
    <LabelledInput
      {...props}
      value={draft[field]}
      problem={problems[field]}
      onChange={(event) => onChange({ [field]: event.target.value } as Partial<D>)}
    />
  );

/** Properties of an input for the five fields of crontab(5). */
export const crontabProps = { label: 'Schedule', inputProps: { maxLength: 100, spellCheck: false } } as const;

const ZONES = zoneList().map((name) => ({ value: name, label: name }));

interface ZoneSelectProps {
  label: string;
  zone: string;
  problem: string | undefined;
  onZone: (zone: string) => void;
}

/** Chooses the time zone of a schedule. */
export const ZoneSelect = ({ label, zone, problem, onZone }: ZoneSelectProps) => (
  <LabelledSelect label={label} value={zone} options={ZONES} problem={problem} onChange={onZone} />
);
