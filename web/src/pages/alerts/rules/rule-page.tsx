import { styled } from '@mui/material/styles';
import type { AlertRuleOnWire, AlertRulesAnswer } from '@plimsoll/contract/wire/alert-rules';
import { useState } from 'react';
import { alertRulesQuery } from '../../../api/alert-rules.ts';
import { allClustersQuery } from '../../../api/kubernetes.ts';
import { useQuery } from '../../../api/query.ts';
import { useServerNames } from '../../../api/server-names.ts';
import { useMayEdit } from '../../../api/user.ts';
import { Failure } from '../../../components/feedback/feed-panel.tsx';
import { Notice } from '../../../components/feedback/notice.tsx';
import { PageSpinner } from '../../../components/feedback/page-spinner.tsx';
import { EmptyState } from '../../../components/feedback/states.tsx';
import { Page } from '../../../components/page.tsx';
import { paths } from '../../../paths.ts';
import { Link, useNavigate, useParams, useSearchParams } from '../../../router.ts';
import { AlertsNav } from '../alerts-nav.tsx';
import { ObjectOrigin } from '../object-origin.tsx';
import { Rehearsal } from './rehearsal.tsx';
import { bodyOf, draftOf, ruleProblems, withMetric } from './rule-draft.ts';
import type { RuleDraft } from './rule-draft.ts';
import { RuleForm } from './rule-form.tsx';
import { metricWords } from '../../../format/incident-words.ts';

const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 5fr) minmax(0, 6fr)',
  alignItems: 'start',
  gap: 12,
  [theme.breakpoints.down('lg')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}));

/** Returns the rule that the address names; a new one starts as the default rule of its metric. */
function ruleOf({ rules, defaults }: AlertRulesAnswer, id: string, metric: string | null): AlertRuleOnWire | null {
  if (id === 'new') return defaults.find((rule) => rule.metric === metric) ?? defaults[0] ?? null;
  return [...rules, ...defaults].find((rule) => rule.rule_id === id) ?? null;
}

/** Returns the editor of a rule, for the server and mount point that the address names. */
function firstDraft(rule: AlertRuleOnWire, defaults: readonly AlertRuleOnWire[], search: URLSearchParams): RuleDraft {
  const draft = draftOf(rule);
  const [server, mount] = [search.get('server'), search.get('mount')];
  if (server === null) return draft;
  const target = mount === null ? 'server' : 'mount';
  const where = { server_id: server, ...(mount !== null && { mount }) };
  return { ...withMetric({ ...draft, target }, draft.metric, defaults), lines: draft.lines, where };
}

function Editor({ rule, answer }: { rule: AlertRuleOnWire; answer: AlertRulesAnswer }) {
  const [search] = useSearchParams();
  const [draft, setDraft] = useState(() => firstDraft(rule, answer.defaults, search));
  const servers = useServerNames();
  const clusters = useQuery({ ...allClustersQuery(), refetchInterval: false }).data?.clusters ?? [];
  const isManaged = rule.object !== null && rule.object !== undefined;
  const isEditor = useMayEdit();
  const mayEdit = isEditor && !isManaged;
  const navigate = useNavigate();
  const isValid = Object.keys(ruleProblems(draft)).length === 0;
  return (
    <>
      {rule.is_default && mayEdit && (
        <Notice>
          This starts as the default rule. Saving creates a rule of your own, which goes before the default.
        </Notice>
      )}
      {isManaged && (
        <Notice>
          <ObjectOrigin object={rule.object} />
        </Notice>
      )}
      {!isEditor && <Notice>You can read rules. Changing them needs the role editor or admin.</Notice>}
      <Columns>
        <RuleForm
          draft={draft}
          onChange={setDraft}
          id={rule.is_default ? null : rule.rule_id}
          defaults={answer.defaults}
          servers={servers}
          clusters={clusters.map(({ cluster_id: id, name }) => ({ id, name: name ?? id.slice(0, 8) }))}
          mayEdit={mayEdit}
          onSaved={() => void navigate(paths.alertRules)}
        />
        <Rehearsal body={isValid ? bodyOf(draft) : null} />
      </Columns>
    </>
  );
}

export function Component() {
  const { ruleId = 'new' } = useParams();
  const [search] = useSearchParams();
  const asked = useQuery(alertRulesQuery());
  const rule = asked.data === undefined ? null : ruleOf(asked.data, ruleId, search.get('metric'));
  return (
    <Page
      title={ruleId === 'new' ? 'Add rule' : rule?.object ? 'Managed rule' : 'Edit rule'}
      tab="Alert rule"
      sentence={
        rule === null
          ? ''
          : ruleId === 'new'
            ? 'The rehearsal shows what it would have done.'
            : `${metricWords(rule.metric)}: ${rule.text}`
      }
      actions={<AlertsNav current="rules" />}
    >
      <Failure asked={asked} />
      {asked.isPending && <PageSpinner label="Loading rule" />}
      {asked.data !== undefined && rule === null && (
        <EmptyState
          size="page"
          sentence="Rule not found"
          reason="Somebody deleted it, or the link is old."
          action={<Link to={paths.alertRules}>All rules</Link>}
        />
      )}
      {asked.data !== undefined && rule !== null && <Editor key={rule.rule_id} rule={rule} answer={asked.data} />}
    </Page>
  );
}
