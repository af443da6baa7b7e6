import Button from '@mui/material/Button';
import type { AlertRuleOnWire } from '@plimsoll/contract/wire/alert-rules';
import { useState } from 'react';
import type { SyntheticEvent } from 'react';
import { CHANGED_BY_RULES, saveRule } from '../../../api/alert-rules.ts';
import { failureText, fieldFailureText, type RequestFailed } from '../../../api/client.ts';
import { useMutation, useQueryClient } from '../../../api/query.ts';
import { Notice } from '../../../components/feedback/notice.tsx';
import { Check } from '../../../components/form/check.tsx';
import { LabelledInput } from '../../../components/form/labelled-input.tsx';
import { LabelledSelect } from '../../../components/form/labelled-select.tsx';
import { Panel, PanelBody } from '../../../components/panel.tsx';
import { paths } from '../../../paths.ts';
import { Link } from '../../../router.ts';
import { ButtonRow, FieldGroup, FieldRow, FieldStack } from '../../../components/form/form-parts.tsx';
import { LineFields } from './line-fields.tsx';
import { bodyOf, ruleProblems, withMetric } from './rule-draft.ts';
import type { RuleDraft } from './rule-draft.ts';
import { RULE_METRICS } from './rule-metrics.ts';
import { TARGET_NAME } from './rule-words.ts';
import { TargetFields } from './target-fields.tsx';

type Names = readonly { id: string; name: string }[];
const METRICS = [...RULE_METRICS].map(([value, { name }]) => ({ value, label: name }));
const isTarget = (value: string): value is RuleDraft['target'] => value in TARGET_NAME;

interface RuleFormProps {
  draft: RuleDraft;
  onChange: (draft: RuleDraft) => void;
  /** Null creates a rule. */
  id: string | null;
  defaults: readonly AlertRuleOnWire[];
  servers: Names;
  clusters: Names;
  mayEdit: boolean;
  onSaved: () => void;
}

function TimeFields({
  draft,
  onChange,
  problems,
}: Pick<RuleFormProps, 'draft' | 'onChange'> & { problems: Record<string, string> }) {
  const metric = RULE_METRICS.get(draft.metric);
  return (
    <FieldGroup>
      <legend>Times</legend>
      <FieldRow>
        <LabelledInput
          label="For"
          value={draft.holds}
          hint="How long it must last before the alert fires."
          problem={problems['for_seconds']}
          onChange={(event) => onChange({ ...draft, holds: event.target.value })}
        />
        {metric?.bounds != null && (
          <>
            <LabelledInput
              label="Keep firing for"
              value={draft.keeps}
              hint="How long it must be well before the alert resolves."
              problem={problems['keep_firing_for_seconds']}
              onChange={(event) => onChange({ ...draft, keeps: event.target.value })}
            />
            <LabelledInput
              label={`Clear ${metric.isWorseWhenLower ? 'above' : 'below'} the line by (${metric.unit === '%' ? 'points' : (metric.unit ?? '')})`}
              value={draft.hysteresis}
              hint="Keeps a value that dances on the line quiet."
              problem={problems['hysteresis_points']}
              inputProps={{ inputMode: 'decimal' }}
              onChange={(event) => onChange({ ...draft, hysteresis: event.target.value })}
            />
          </>
        )}
      </FieldRow>
    </FieldGroup>
  );
}

/** The editor of a rule, built from the contract's table of metrics. Its problems show as they are typed. */
export function RuleForm({ draft, onChange, id, defaults, servers, clusters, mayEdit, onSaved }: RuleFormProps) {
  const queries = useQueryClient();
  const save = useMutation<unknown, RequestFailed, RuleDraft>({
    mutationFn: (saved) => saveRule(id, bodyOf(saved)),
    async onSuccess() {
      await Promise.all(CHANGED_BY_RULES.map((queryKey) => queries.invalidateQueries({ queryKey })));
      onSaved();
    },
  });
  const change = (next: RuleDraft) => {
    save.reset();
    onChange(next);
  };
  const [tried, setTried] = useState(false);
  const wrong = ruleProblems(draft);
  // An empty field is a problem only once somebody tried to save; a wrong value at once.
  const shown = Object.entries(wrong).filter(([, words]) => tried || words !== 'Must not be empty. Fill it in.');
  const problems = Object.fromEntries([
    ...shown,
    ...(save.error?.field == null ? [] : [[save.error.field, fieldFailureText(save.error)] as const]),
  ]);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(wrong).length === 0) save.mutate(draft);
  };
  const targets = RULE_METRICS.get(draft.metric)?.targets ?? ['all'];
  return (
    <Panel title="Rule">
      <PanelBody>
        <form onSubmit={submit} noValidate>
          <FieldStack>
            <FieldRow>
              <LabelledSelect
                label="Metric"
                value={draft.metric}
                options={METRICS}
                problem={problems['metric']}
                onChange={(metric) => change(withMetric(draft, metric, defaults))}
              />
              <LabelledSelect
                label="Applies to"
                value={draft.target}
                options={targets.map((value) => ({ value, label: TARGET_NAME[value] }))}
                problem={problems['target']}
                onChange={(target) => isTarget(target) && change({ ...draft, target })}
              />
            </FieldRow>
            <TargetFields
              draft={draft}
              servers={servers}
              clusters={clusters}
              problems={problems}
              onChange={(where) => change({ ...draft, where })}
            />
            <LineFields draft={draft} problems={problems} onChange={change} />
            <TimeFields draft={draft} problems={problems} onChange={change} />
            <Check checked={draft.enabled} onChange={(enabled) => change({ ...draft, enabled })}>
              On. A rule that is off switches its metric off for what it applies to.
            </Check>
            {save.error !== null && <Notice tone="error">{failureText(save.error)}</Notice>}
            {tried && Object.keys(wrong).length > 0 && (
              <Notice tone="error">Correct the marked fields. Nothing was saved.</Notice>
            )}
            <ButtonRow>
              {mayEdit && (
                <Button variant="contained" type="submit" disabled={save.isPending}>
                  {save.isPending ? 'Saving' : 'Save'}
                </Button>
              )}
              <Button component={Link} to={paths.alertRules} variant="outlined">
                {mayEdit ? 'Cancel' : 'Back'}
              </Button>
            </ButtonRow>
          </FieldStack>
        </form>
      </PanelBody>
    </Panel>
  );
}
