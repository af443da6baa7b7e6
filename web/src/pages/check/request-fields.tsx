import Button from '@mui/material/Button';
import { CHECK_LIMITS, CHECK_METHODS } from '@plimsoll/contract/rules/check-limits';
import type { CheckDetail, ProbeRequest } from '@plimsoll/contract/wire/checks/checks';
import { Check } from '../../components/form/check.tsx';
import { FieldGroup, FieldRow } from '../../components/form/form-parts.tsx';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { LabelledSelect } from '../../components/form/labelled-select.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import type { FieldsProps } from './probe-fields.tsx';

const METHODS = CHECK_METHODS.map((value) => ({ value, label: value }));
const IP_OPTIONS = [
  { value: 'any', label: 'IPv4 or IPv6' },
  { value: '4', label: 'IPv4 only' },
  { value: '6', label: 'IPv6 only' },
];

interface SecretProps {
  label: string;
  /** The stored part, without its values; null: nothing. */
  stored: string | null;
  /** Null: what is stored stays. */
  value: string | null;
  problem: string | undefined;
  hint: string;
  placeholder?: string;
  maxLength: number;
  onChange: (value: string) => void;
}

/** A text that is written and never returned: what is stored can only be replaced. */
function SecretField({ label, stored, value, problem, hint, placeholder, maxLength, onChange }: SecretProps) {
  if (value === null)
    return (
      <div>
        <p>
          {label}: {stored}. Stored encrypted, not shown.
        </p>
        <Button variant="outlined" aria-label={`Replace ${label.toLowerCase()}`} onClick={() => onChange('')}>
          Replace
        </Button>
        {problem !== undefined && <p data-error="">{problem}</p>}
      </div>
    );
  return (
    <LabelledInput
      label={label}
      multiline
      maxRows={6}
      value={value}
      placeholder={placeholder}
      problem={problem}
      hint={stored === null ? hint : `${hint} It replaces what is stored; empty removes it.`}
      inputProps={{ maxLength, spellCheck: false }}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

interface RequestFieldsProps extends FieldsProps {
  probe: ProbeRequest;
  check: Pick<CheckDetail, 'header_names' | 'has_body'>;
}

/** The request of the check: method, IP version, headers, body, redirects, certificate. */
export function RequestFields({ draft, problems, onChange, probe, check }: RequestFieldsProps) {
  const names = check.header_names.map(escapeInvisible).join(', ');
  const ip = (
    <LabelledSelect
      label="IP version"
      value={draft.ipVersion}
      options={IP_OPTIONS}
      problem={problems.ipVersion}
      onChange={(ipVersion) => onChange({ ipVersion })}
    />
  );
  if (probe.kind !== 'http') return ip;
  return (
    <FieldGroup>
      <legend>Request</legend>
      <FieldRow>
        <LabelledSelect
          label="Method"
          value={draft.method}
          options={METHODS}
          problem={problems.method}
          onChange={(method) => onChange({ method })}
        />
        {ip}
      </FieldRow>
      <SecretField
        label="Headers"
        stored={names === '' ? null : names}
        value={draft.headers}
        problem={problems.headers}
        hint="One a line."
        placeholder="accept: application/json"
        maxLength={CHECK_LIMITS.headers * CHECK_LIMITS.headerCharacters}
        onChange={(headers) => onChange({ headers })}
      />
      <SecretField
        label="Body"
        stored={check.has_body ? 'one' : null}
        value={draft.body}
        problem={problems.body}
        hint="Sent with the request."
        maxLength={CHECK_LIMITS.requestBodyCharacters}
        onChange={(body) => onChange({ body })}
      />
      <div>
        <Check checked={draft.followsRedirects} onChange={(followsRedirects) => onChange({ followsRedirects })}>
          Follow redirects
        </Check>
      </div>
      <div>
        <Check checked={draft.ignoresCertificate} onChange={(ignoresCertificate) => onChange({ ignoresCertificate })}>
          Ignore the certificate
        </Check>
        {draft.ignoresCertificate && <p>Any certificate is good, also one that has ended or is for another name.</p>}
      </div>
    </FieldGroup>
  );
}
