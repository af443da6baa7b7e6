import { CHANNEL_TYPES, type ChannelType } from '@plimsoll/contract/rules/notify';
import type { ChannelView } from '@plimsoll/contract/wire/notify';
import { useState } from 'react';
import { failureText, fieldFailureText, type RequestFailed } from '../../../api/client.ts';
import { saveChannel } from '../../../api/notify.ts';
import { useMutation, useQueryClient } from '../../../api/query.ts';
import { Notice } from '../../../components/feedback/notice.tsx';
import { FormDialog } from '../../../components/form/form-dialog.tsx';
import { FieldRow, Quiet } from '../../../components/form/form-parts.tsx';
import { LabelledInput } from '../../../components/form/labelled-input.tsx';
import { LabelledSelect } from '../../../components/form/labelled-select.tsx';
import { useStored } from '../../../state/use-stored.ts';
import { chosenZone } from '../../../time/zone.ts';
import { browserZone, zoneToday } from '../../../time/zone-list.ts';
import { draftOf, draftProblems, fieldOfApi, newDraft, requestOf, withType } from './channel-draft.ts';
import type { ChannelDraft, Problems } from './channel-draft.ts';
import { ChannelFields } from './channel-fields.tsx';
import { CHANNEL_WORDS } from './channel-words.ts';
import { NoLinkNotice } from './no-link-notice.tsx';
import { RoutingFields } from './routing-fields.tsx';

const KINDS = CHANNEL_TYPES.map((type) => ({ value: type, label: CHANNEL_WORDS[type].name }));
const isType = (value: string): value is ChannelType => value in CHANNEL_WORDS;
const isEmpty = (problems: Problems): boolean => Object.keys(problems).length === 0;
/** Puts the API's error beside the field that it names; empty if it names none. */
function refusedField(draft: ChannelDraft, error: RequestFailed | null): Problems {
  const field = fieldOfApi(draft, error?.field ?? null);
  return error === null || field === null ? {} : { [field]: fieldFailureText(error) };
}

interface ChannelDialogProps {
  /** Null creates one. */
  channel: ChannelView | null;
  /** Messages cannot link to the dashboard. */
  lacksLink: boolean;
  onClose: () => void;
  onSaved: (channel: ChannelView) => void;
}

/** Creates or changes a channel. The API checks a Telegram bot with Telegram before it saves. */
export function ChannelDialog({ channel, lacksLink, onClose, onSaved }: ChannelDialogProps) {
  const [zone] = useStored(chosenZone);
  const here = zone === null ? browserZone() : zoneToday(zone);
  const [draft, setDraft] = useState(() => (channel === null ? newDraft('telegram', here) : draftOf(channel, here)));
  const [tried, setTried] = useState(false);
  const queries = useQueryClient();
  const save = useMutation<ChannelView, RequestFailed, ChannelDraft>({
    mutationFn: (saved) => saveChannel(channel?.id ?? null, requestOf(saved)),
    async onSuccess(saved) {
      await queries.invalidateQueries({ queryKey: ['notify'] });
      onSaved(saved);
    },
  });
  const change = (part: Partial<ChannelDraft>) => {
    save.reset();
    setDraft({ ...draft, ...part });
  };
  const wrong = draftProblems(draft, channel?.secrets);
  const refused = refusedField(draft, save.error);
  const problems = { ...(tried ? wrong : {}), ...refused };
  const submit = () => {
    setTried(true);
    if (isEmpty(wrong)) save.mutate(draft);
  };
  return (
    <FormDialog
      title={channel === null ? 'Add channel' : 'Edit channel'}
      submit="Save"
      busy={save.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <FieldRow>
        <LabelledSelect
          label="Kind"
          value={draft.type}
          options={KINDS}
          disabled={channel !== null}
          onChange={(type) => isType(type) && change(withType(draft, type))}
        />
        <LabelledInput
          label="Name"
          value={draft.name}
          problem={problems['name']}
          inputProps={{ maxLength: 64 }}
          onChange={(event) => change({ name: event.target.value })}
        />
      </FieldRow>
      <Quiet>{CHANNEL_WORDS[draft.type].start}</Quiet>
      {lacksLink && <NoLinkNotice />}
      <ChannelFields draft={draft} secrets={channel?.secrets ?? {}} problems={problems} onChange={change} />
      <RoutingFields draft={draft} problems={problems} onChange={change} />
      {save.error !== null && isEmpty(refused) && <Notice tone="error">{failureText(save.error)}</Notice>}
      {tried && !isEmpty(wrong) && <Notice tone="error">Correct the marked fields. Nothing was saved.</Notice>}
    </FormDialog>
  );
}
