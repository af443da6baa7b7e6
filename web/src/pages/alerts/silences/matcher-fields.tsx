import { ALERT_RULE_METRICS } from '@plimsoll/contract/rules/alert-rule-limits';
import type { SilenceOnWire } from '@plimsoll/contract/wire/alerts/alert-silences';
import { alertRulesQuery } from '../../../api/alert-rules.ts';
import { allClustersQuery } from '../../../api/kubernetes.ts';
import { useQuery } from '../../../api/query.ts';
import { useServerNames } from '../../../api/server-names.ts';
import { LabelledInput } from '../../../components/form/labelled-input.tsx';
import { LabelledSelect } from '../../../components/form/labelled-select.tsx';
import { FieldRow } from '../../../components/form/form-parts.tsx';
import { metricWords } from '../../../format/incident-words.ts';

const ANY = { value: '', label: 'Any' };
const METRICS = [ANY, ...ALERT_RULE_METRICS.map((value) => ({ value, label: metricWords(value) }))];
/** Fields that narrow a silence, as the API names them. */
export const EMPTY_MATCHER = { server_id: '', tag: '', metric: '', rule_id: '', cluster_id: '', namespace: '' };
export type Matcher = typeof EMPTY_MATCHER;

/** Returns what the API takes; empty fields are left out. "env=prod" is a tag with its value. */
export function matcherOf({ tag, ...rest }: Matcher): Record<string, string> {
  const [key = '', ...value] = tag.trim().split('=');
  const given = Object.entries(rest).filter(([, text]) => text.trim() !== '');
  return {
    ...Object.fromEntries(given.map(([name, text]) => [name, text.trim()])),
    ...(key !== '' && { tag_key: key }),
    ...(key !== '' && value.length > 0 && { tag_value: value.join('=') }),
  };
}

/** Returns the matcher of a stored silence, for a call that replaces or repeats it. */
export const storedMatcher = (silence: SilenceOnWire) => ({
  server_id: silence.server_id,
  tag_key: silence.tag_key,
  tag_value: silence.tag_value,
  metric: silence.metric,
  rule_id: silence.rule_id,
  subject: silence.subject,
  cluster_id: silence.cluster_id,
  namespace: silence.namespace,
});

interface MatcherFieldsProps {
  matcher: Matcher;
  /** Returns what the API said about a field. */
  refused: (field: string) => string | undefined;
  onChange: (part: Partial<Matcher>) => void;
}

/** Server, tag, metric and rule; cluster and namespace once there is a cluster. */
export function MatcherFields({ matcher, refused, onChange }: MatcherFieldsProps) {
  const servers = useServerNames();
  const { rules = [], defaults = [] } = useQuery(alertRulesQuery()).data ?? {};
  const clusters = useQuery({ ...allClustersQuery(), refetchInterval: false }).data?.clusters ?? [];
  const names = {
    server_id: servers.map(({ id, name }) => ({ value: id, label: name })),
    rule_id: [...rules, ...defaults].map(({ rule_id: id, text }) => ({ value: id, label: text })),
    cluster_id: clusters.map(({ cluster_id: id, name }) => ({ value: id, label: name ?? id.slice(0, 8) })),
  };
  const select = (label: string, field: keyof typeof names) => (
    <LabelledSelect
      label={label}
      value={matcher[field]}
      options={[ANY, ...names[field]]}
      problem={refused(field)}
      onChange={(id) => onChange({ [field]: id })}
    />
  );
  return (
    <FieldRow>
      {select('Server', 'server_id')}
      <LabelledInput
        label="Tag"
        value={matcher.tag}
        placeholder="env=prod"
        problem={refused('tag_key') ?? refused('tag_value')}
        onChange={(event) => onChange({ tag: event.target.value })}
      />
      <LabelledSelect
        label="Metric"
        value={matcher.metric}
        options={METRICS}
        problem={refused('metric')}
        onChange={(metric) => onChange({ metric })}
      />
      {select('Rule', 'rule_id')}
      {clusters.length > 0 && (
        <>
          {select('Cluster', 'cluster_id')}
          <LabelledInput
            label="Namespace"
            value={matcher.namespace}
            problem={refused('namespace')}
            onChange={(event) => onChange({ namespace: event.target.value })}
          />
        </>
      )}
    </FieldRow>
  );
}
