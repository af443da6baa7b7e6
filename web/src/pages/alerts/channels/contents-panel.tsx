import type { MessageSettingsView } from '@plimsoll/contract/wire/notify';
import { failureText } from '../../../api/client.ts';
import { messageSettingsQuery, saveMessageSettings } from '../../../api/notify.ts';
import { useMutation, useQuery, useQueryClient } from '../../../api/query.ts';
import { useIsAdmin } from '../../../api/user.ts';
import { Failure } from '../../../components/feedback/feed-panel.tsx';
import { Notice } from '../../../components/feedback/notice.tsx';
import { RowsSkeleton } from '../../../components/feedback/skeletons.tsx';
import { Check } from '../../../components/form/check.tsx';
import { Quiet } from '../../../components/form/form-parts.tsx';
import { Panel, PanelBody } from '../../../components/panel.tsx';

function Settings({ settings }: { settings: MessageSettingsView }) {
  const isAdmin = useIsAdmin();
  const queries = useQueryClient();
  const { queryKey } = messageSettingsQuery();
  const save = useMutation({
    mutationFn: saveMessageSettings,
    onSuccess: (saved) => queries.setQueryData(queryKey, saved),
  });
  const shown = save.isPending ? save.variables : settings;
  return (
    <>
      {isAdmin ? (
        <Check
          checked={shown.quote_log_lines}
          onChange={(quotes) => !save.isPending && save.mutate({ quote_log_lines: quotes })}
        >
          Quote one log line of the likely cause
        </Check>
      ) : (
        <div>Log lines are {shown.quote_log_lines ? 'quoted: one a message at most.' : 'never quoted.'}</div>
      )}
      <div>
        <Quiet>
          A message always has the likely cause in words of Plimsoll. A log line is text of a program: it may hold names
          and addresses, and it leaves this installation with the message.
          {!isAdmin && ' Only an admin of the organisation changes this.'}
        </Quiet>
      </div>
      {save.error !== null && <Notice tone="error">{failureText(save.error)}</Notice>}
    </>
  );
}

/** Parts that the messages of all channels may contain. */
export function ContentsPanel() {
  const asked = useQuery(messageSettingsQuery());
  return (
    <Panel title="What messages contain" note="all channels">
      <PanelBody>
        {asked.isPending && <RowsSkeleton rows={1} height={32} />}
        <Failure asked={asked} />
        {asked.data !== undefined && <Settings settings={asked.data} />}
      </PanelBody>
    </Panel>
  );
}
