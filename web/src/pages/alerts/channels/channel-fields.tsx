import { CHANNEL_FORMS } from '@plimsoll/contract/rules/channel-forms';
import { LabelledInput } from '../../../components/form/labelled-input.tsx';
import { LabelledSelect } from '../../../components/form/labelled-select.tsx';
import { PasswordInput } from '../../../components/form/password-input.tsx';
import { FieldStack } from '../form-parts.tsx';
import type { ChannelDraft, Problems } from './channel-draft.ts';
import { CHANNEL_WORDS } from './channel-words.ts';

interface ChannelFieldsProps {
  draft: ChannelDraft;
  /** Last 4 characters of the secrets that the API has. */
  secrets: Readonly<Record<string, string>>;
  problems: Problems;
  onChange: (settings: ChannelDraft['settings']) => void;
}

/** "Ends in 1234. Leave empty to keep it." A short secret shows nothing of itself. */
const keptWords = (end: string) => `${end === '' ? 'Stored' : `Stored, ends in ${end}`}. Leave empty to keep it.`;

/** The settings of one kind of channel, built from the table that the API checks them with. */
export function ChannelFields({ draft, secrets, problems, onChange }: ChannelFieldsProps) {
  const fields = Object.entries(CHANNEL_WORDS[draft.type].fields);
  return (
    <FieldStack>
      {fields.map(([name, { label, hint, placeholder, kind }]) => {
        const value = draft.settings[name] ?? '';
        const change = (next: string) => onChange({ ...draft.settings, [name]: next });
        const problem = problems[`settings.${name}`];
        if (typeof kind === 'object')
          return (
            <LabelledSelect
              key={name}
              label={label}
              value={value}
              options={kind.choices}
              problem={problem}
              onChange={change}
            />
          );
        const end = secrets[name];
        const isSecret = CHANNEL_FORMS[draft.type].fields[name]?.isSecret === true;
        const Input = isSecret ? PasswordInput : LabelledInput;
        return (
          <Input
            key={name}
            label={label}
            value={value}
            placeholder={end === undefined ? (placeholder ?? '') : `••••${end}`}
            hint={end === undefined ? hint : keptWords(end)}
            problem={problem}
            autoComplete={isSecret ? 'new-password' : 'off'}
            inputProps={{ spellCheck: false, ...(kind === 'number' && { inputMode: 'numeric' }) }}
            onChange={(event) => change(event.target.value)}
          />
        );
      })}
    </FieldStack>
  );
}
