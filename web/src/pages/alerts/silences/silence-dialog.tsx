import { ALERT_RULE_METRICS } from '@plimsoll/contract/rules/alert-rule-limits';
import { SILENCE_LIMITS } from '@plimsoll/contract/rules/alert-acting';
import { useState } from 'react';
import { saveSilence } from '../../../api/alert-acting.ts';
import { alertRulesQuery } from '../../../api/alert-rules.ts';
import { failureText, type RequestFailed } from '../../../api/client.ts';
import { clustersQuery } from '../../../api/kubernetes.ts';
import { useMutation, useQuery, useQueryClient } from '../../../api/query.ts';
import { useServerNames } from '../../../api/server-names.ts';
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx';
import { Notice } from '../../../components/feedback/notice.tsx';
import { LabelledInput } from '../../../components/form/labelled-input.tsx';
import { LabelledSelect } from '../../../components/form/labelled-select.tsx';
import { localText, readLocal, tomorrowMorning } from '../../../time/snooze-end.ts';
import { zoneName } from '../../../time/zone.ts';
import { FieldRow } from '../form-parts.tsx';
import { metricName } from '../rules/rule-words.ts';

const ANY = { value: '', label: 'Any' };
const METRICS = [ANY, ...ALERT_RULE_METRICS.map((value) => ({ value, label: metricName(value) }))];
/** Fields that narrow a silence, as the API names them. */
const EMPTY = { server_id: '', tag: '', metric: '', rule_id: '', cluster_id: '', namespace: '' };
type Matcher = typeof EMPTY;

/** Returns what the API takes; empty fields are left out. "env=prod" is a tag with its value. */
function matcherOf({ tag, ...rest }: Matcher): Record<string, string> {
  const [key = '', ...value] = tag.trim().split('=');
  const given = Object.entries(rest).filter(([, text]) => text.trim() !== '');
  return {
    ...Object.fromEntries(given.map(([name, text]) => [name, text.trim()])),
    ...(key !== '' && { tag_key: key }),
    ...(key !== '' && value.length > 0 && { tag_value: value.join('=') }),
  };
}

/** Silences what matches every given field, until an end. */
export function SilenceDialog({ onClose, onSaved }: { onClose: () => void; onSaved: () => void }) {
  const [opened] = useState(() => Date.now());
  const [matcher, setMatcher] = useState(EMPTY);
  const [end, setEnd] = useState(() => localText(tomorrowMorning(opened)));
  const [comment, setComment] = useState('');
  const servers = useServerNames();
  const rules = useQuery(alertRulesQuery()).data;
  const clusters = useQuery({ ...clustersQuery(), refetchInterval: false }).data?.clusters ?? [];
  const queries = useQueryClient();
  const at = readLocal(end);
  const save = useMutation<unknown, RequestFailed, string>({
    mutationFn: (endsAt) => saveSilence(null, { ...matcherOf(matcher), ends_at: endsAt, comment: comment.trim() }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['alerts'] });
      onSaved();
    },
  });
  const set = (part: Partial<Matcher>) => {
    save.reset();
    setMatcher({ ...matcher, ...part });
  };
  const isEmpty = Object.keys(matcherOf(matcher)).length === 0;
  const endProblem = at === null || at <= opened ? 'Choose a time in the future.' : null;
  const refused = (name: string) => (save.error?.field === name ? failureText(save.error) : undefined);
  return (
    <ConfirmDialog
      open
      title="Add silence"
      confirm="Silence"
      disabled={isEmpty || endProblem !== null || save.isPending}
      onConfirm={() => at !== null && save.mutate(new Date(at).toISOString())}
      onClose={onClose}
    >
      <span>Alerts that match every field are listed, but not sent.</span>
      <FieldRow>
        <LabelledSelect
          label="Server"
          value={matcher.server_id}
          options={[ANY, ...servers.map(({ id, name }) => ({ value: id, label: name }))]}
          onChange={(id) => set({ server_id: id })}
        />
        <LabelledInput
          label="Tag"
          value={matcher.tag}
          placeholder="env=prod"
          problem={refused('tag_key')}
          onChange={(event) => set({ tag: event.target.value })}
        />
        <LabelledSelect
          label="Metric"
          value={matcher.metric}
          options={METRICS}
          onChange={(metric) => set({ metric })}
        />
        <LabelledSelect
          label="Rule"
          value={matcher.rule_id}
          options={[
            ANY,
            ...[...(rules?.rules ?? []), ...(rules?.defaults ?? [])].map(({ rule_id: id, text }) => ({
              value: id,
              label: text,
            })),
          ]}
          onChange={(id) => set({ rule_id: id })}
        />
        {clusters.length > 0 && (
          <>
            <LabelledSelect
              label="Cluster"
              value={matcher.cluster_id}
              options={[
                ANY,
                ...clusters.map(({ cluster_id: id, name }) => ({ value: id, label: name ?? id.slice(0, 8) })),
              ]}
              onChange={(id) => set({ cluster_id: id })}
            />
            <LabelledInput
              label="Namespace"
              value={matcher.namespace}
              problem={refused('namespace')}
              onChange={(event) => set({ namespace: event.target.value })}
            />
          </>
        )}
      </FieldRow>
      {isEmpty && <span>Fill in at least one of these fields.</span>}
      <LabelledInput
        label={`Until (${zoneName(at ?? opened)})`}
        type="datetime-local"
        value={end}
        problem={endProblem ?? refused('ends_at')}
        onChange={(event) => setEnd(event.target.value)}
      />
      <LabelledInput
        label="Reason (optional)"
        value={comment}
        inputProps={{ maxLength: SILENCE_LIMITS.commentCharacters }}
        onChange={(event) => setComment(event.target.value)}
      />
      {save.error !== null && <Notice tone="error">{failureText(save.error)}</Notice>}
    </ConfirmDialog>
  );
}
