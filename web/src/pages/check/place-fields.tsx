import { majorityOf } from '@plimsoll/contract/rules/check-limits';
import type { Server } from '@plimsoll/contract/wire/servers';
import { useState } from 'react';
import { useQuery } from '../../api/query.ts';
import { allServersQuery } from '../../api/servers.ts';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { Check } from '../../components/form/check.tsx';
import { FieldGroup, FieldRow } from '../../components/form/form-parts.tsx';
import { LabelledInput } from '../../components/form/labelled-input.tsx';
import { LabelledSelect } from '../../components/form/labelled-select.tsx';
import { ServerPicks } from '../../components/form/server-picks.tsx';
import { plural } from '../../format/figures.ts';
import { byName } from '../../format/server-sort.ts';
import { onServers, type CheckDraft } from './check-draft.ts';
import type { FieldsProps } from './probe-fields.tsx';

const hasTag = ({ tags }: Server, { tagKey, tagValue }: CheckDraft): boolean => {
  const key = tagKey.trim();
  return Object.hasOwn(tags, key) && (tagValue === null || tags[key] === tagValue);
};

/** Returns how many places the draft names: each server once, also if both its box and its tag choose it. */
const placesIn = (draft: CheckDraft, servers: readonly Server[]): number =>
  (draft.fromApi ? 1 : 0) +
  servers.filter((server) => draft.serverIds.includes(server.id) || hasTag(server, draft)).length;

const MOST_NEEDED = 50;

function neededOptions(places: number) {
  const count = Math.min(places, MOST_NEEDED);
  return [
    { value: '', label: `A majority fails (${String(majorityOf(places))} of ${String(Math.max(1, places))})` },
    ...Array.from({ length: count }, (_, index) => ({
      value: String(index + 1),
      label: `${String(index + 1)} of ${String(places)} fail`,
    })),
  ];
}

/** The places where the check runs, and how many must fail. For an admin: others may not make servers connect. */
export function PlaceFields({ draft, problems, onChange, hasSecrets }: FieldsProps & { hasSecrets: boolean }) {
  // Every server, whatever the scope of the dashboard is.
  const listed = useQuery({ ...allServersQuery(), refetchInterval: false });
  // Below a hundred others nobody finds those that run it already. The order stays while boxes are ticked.
  const [before] = useState(draft.serverIds);
  const rank = ({ id }: Server) => (before.includes(id) ? 0 : 1);
  const servers = (listed.data?.servers ?? []).toSorted((a, b) => rank(a) - rank(b) || byName(a, b));
  const places = placesIn(draft, servers);
  return (
    <FieldGroup>
      <legend>Places</legend>
      <div>
        <Check checked={draft.fromApi} onChange={(fromApi) => onChange({ fromApi })}>
          This Plimsoll
        </Check>
        {problems.fromApi !== undefined && <p data-error="">{problems.fromApi}</p>}
      </div>
      <Failure asked={listed} />
      {listed.isPending && <RowsSkeleton rows={4} height={40} />}
      {listed.data !== undefined && (
        <ServerPicks
          name="Servers that run the check"
          servers={servers}
          chosen={draft.serverIds}
          problem={problems.serverIds}
          onChange={(serverIds) => onChange({ serverIds })}
        />
      )}
      <FieldRow>
        <LabelledInput
          label="Every server with the tag (optional)"
          placeholder="env"
          value={draft.tagKey}
          problem={problems.tagKey}
          inputProps={{ maxLength: 63 }}
          onChange={(event) => onChange({ tagKey: event.target.value })}
        />
        <LabelledInput
          label="Value of the tag (optional)"
          placeholder="prod"
          value={draft.tagValue ?? ''}
          problem={problems.tagValue}
          hint="Empty: any value"
          inputProps={{ maxLength: 256 }}
          onChange={(event) => onChange({ tagValue: event.target.value === '' ? null : event.target.value })}
        />
      </FieldRow>
      {onServers(draft) && (
        <p>
          A server runs checks only if its agent allows it: install.sh --with-checks. The page shows which do not vote.
        </p>
      )}
      {hasSecrets && onServers(draft) && (
        <div>
          <Check checked={draft.sharesSecrets} onChange={(sharesSecrets) => onChange({ sharesSecrets })}>
            The chosen servers may hold the headers and the body of the check
          </Check>
          {problems.sharesSecrets !== undefined && <p data-error="">{problems.sharesSecrets}</p>}
        </div>
      )}
      <LabelledSelect
        label={`Down when, of ${plural(places, 'place')}`}
        value={draft.needed}
        options={neededOptions(places)}
        problem={problems.needed}
        onChange={(needed) => onChange({ needed })}
      />
    </FieldGroup>
  );
}
