import { CHANNEL_FORMS } from '@plimsoll/contract/rules/channel-forms';
import { Check } from '../../../components/form/check.tsx';
import { LabelledInput } from '../../../components/form/labelled-input.tsx';
import { LabelledSelect } from '../../../components/form/labelled-select.tsx';
import { PasswordInput } from '../../../components/form/password-input.tsx';
import { FieldStack } from '../../../components/form/form-parts.tsx';
import type { ChannelDraft, Problems } from './channel-draft.ts';
import { CHANNEL_WORDS, shownSecret, type FieldWords } from './channel-words.ts';

/** "Stored, ends in 1234. Leave empty to keep it." A short secret shows nothing of itself. */
const keptWords = (shown: string) =>
  `${shown === '' ? 'Stored' : shown.includes('…') ? `Stored: ${shown}` : `Stored, ends in ${shown}`}. Leave empty to keep it.`;

interface SecretFieldProps {
  label: string;
  hint: string | undefined;
  placeholder: string;
  value: string;
  /** Visible end of the stored secret; undefined: none is stored. */
  end: string | undefined;
  problem: string | undefined;
  isRemoved: boolean;
  onChange: (value: string) => void;
  /** Null: the channel cannot be without it. */
  onRemove: ((on: boolean) => void) | null;
}

/** A secret is typed anew or stays; an optional one can be removed. */
function SecretField(props: SecretFieldProps) {
  const { label, hint, placeholder, value, end, problem, isRemoved, onChange, onRemove } = props;
  const kept = end === undefined ? hint : keptWords(end);
  return (
    <div>
      <PasswordInput
        label={label}
        value={value}
        disabled={isRemoved}
        placeholder={end === undefined ? placeholder : shownSecret(end)}
        hint={isRemoved ? 'Removed when you save.' : kept}
        problem={problem}
        autoComplete="new-password"
        onChange={(event) => onChange(event.target.value)}
      />
      {end !== undefined && onRemove !== null && (
        <Check checked={isRemoved} onChange={onRemove}>
          Remove the stored {label.toLowerCase()}
        </Check>
      )}
    </div>
  );
}

interface ChannelFieldsProps {
  draft: ChannelDraft;
  /** Visible ends of the stored secrets, by field. */
  secrets: Readonly<Record<string, string>>;
  problems: Problems;
  onChange: (change: Pick<ChannelDraft, 'settings' | 'removed'>) => void;
}

/** The settings of one kind of channel, built from the table that the API checks them with. */
export function ChannelFields({ draft, secrets, problems, onChange }: ChannelFieldsProps) {
  const { type, settings, removed } = draft;
  const field = ([name, { label, hint, placeholder = '', kind }]: [string, FieldWords]) => {
    const value = settings[name] ?? '';
    const problem = problems[`settings.${name}`];
    const change = (next: string) => onChange({ settings: { ...settings, [name]: next }, removed });
    const remove = (on: boolean) =>
      onChange({
        settings: { ...settings, [name]: '' },
        removed: on ? [...removed, name] : removed.filter((each) => each !== name),
      });
    const { isSecret, isOptional } = CHANNEL_FORMS[type].fields[name] ?? {};
    const shared = { label, value, problem, onChange: change };
    if (typeof kind === 'object') return <LabelledSelect key={name} {...shared} options={kind.choices} />;
    if (isSecret === true)
      return (
        <SecretField
          key={name}
          {...shared}
          hint={hint}
          placeholder={placeholder}
          end={secrets[name]}
          isRemoved={removed.includes(name)}
          onRemove={isOptional === true ? remove : null}
        />
      );
    return (
      <LabelledInput
        key={name}
        {...shared}
        placeholder={placeholder}
        hint={hint}
        autoComplete="off"
        {...(kind === 'lines' && { multiline: true, minRows: 2, maxRows: 6 })}
        inputProps={{ spellCheck: false, ...(kind === 'number' && { inputMode: 'numeric' }) }}
        onChange={(event) => change(event.target.value)}
      />
    );
  };
  return <FieldStack>{Object.entries(CHANNEL_WORDS[type].fields).map(field)}</FieldStack>;
}
