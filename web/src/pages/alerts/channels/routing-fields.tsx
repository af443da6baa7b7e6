import { ALERT_LEVELS } from '@plimsoll/contract/rules/limits';
import { LEVEL_NAME } from '../../../components/chips.tsx';
import { Check } from '../../../components/form/check.tsx';
import { LabelledInput } from '../../../components/form/labelled-input.tsx';
import { LabelledSelect } from '../../../components/form/labelled-select.tsx';
import { zoneList, zoneToday } from '../../../time/zone-list.ts';
import { CheckRow, FieldGroup, FieldRow } from '../../../components/form/form-parts.tsx';
import type { ChannelDraft, Problems } from './channel-draft.ts';

const ZONES = zoneList().map((name) => ({ value: name, label: name }));

interface RoutingFieldsProps {
  draft: ChannelDraft;
  problems: Problems;
  onChange: (change: Partial<ChannelDraft>) => void;
}

/** Which alerts go through the channel, and when. */
export function RoutingFields({ draft, problems, onChange }: RoutingFieldsProps) {
  const { levels, tags, quiet, repeat } = draft;
  const setQuiet = (change: Partial<ChannelDraft['quiet']>) => onChange({ quiet: { ...quiet, ...change } });
  return (
    <FieldGroup>
      <legend>Routing</legend>
      <div>
        <CheckRow role="group" aria-label="Levels">
          {ALERT_LEVELS.map((level) => (
            <Check
              key={level}
              checked={levels.includes(level)}
              onChange={(on) => onChange({ levels: on ? [...levels, level] : levels.filter((each) => each !== level) })}
            >
              {LEVEL_NAME[level]}
            </Check>
          ))}
        </CheckRow>
        {problems['levels'] !== undefined && <p data-error="">{problems['levels']}</p>}
      </div>
      <FieldRow>
        <LabelledInput
          label="Only servers with these tags"
          value={tags}
          placeholder="env=prod, team=web"
          hint="Empty: all servers. With several tags, a server needs all."
          problem={problems['tags']}
          onChange={(event) => onChange({ tags: event.target.value })}
        />
        <LabelledInput
          label="Repeat an open alert every (minutes)"
          value={repeat}
          placeholder="Off"
          hint="Critical and error alerts, until somebody acknowledges them. Empty: never."
          problem={problems['repeat']}
          inputProps={{ inputMode: 'numeric' }}
          onChange={(event) => onChange({ repeat: event.target.value })}
        />
      </FieldRow>
      <div>
        <Check checked={quiet.on} onChange={(on) => setQuiet({ on })}>
          Quiet hours
        </Check>
        <p>Messages wait until the quiet hours end.</p>
      </div>
      {quiet.on && (
        <>
          <FieldRow>
            <LabelledInput
              label="From"
              type="time"
              value={quiet.from}
              problem={problems['quiet.from']}
              onChange={(event) => setQuiet({ from: event.target.value })}
            />
            <LabelledInput
              label="To"
              type="time"
              value={quiet.to}
              problem={problems['quiet.to']}
              onChange={(event) => setQuiet({ to: event.target.value })}
            />
            <LabelledSelect
              label="Time zone"
              value={zoneToday(quiet.timeZone)}
              options={ZONES}
              problem={problems['quiet.timeZone']}
              onChange={(timeZone) => setQuiet({ timeZone })}
            />
          </FieldRow>
          <Check checked={quiet.criticalPasses} onChange={(criticalPasses) => setQuiet({ criticalPasses })}>
            Critical alerts pass
          </Check>
        </>
      )}
    </FieldGroup>
  );
}
