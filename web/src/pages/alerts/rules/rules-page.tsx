import AddIcon from '@mui/icons-material/Add';
import DownloadIcon from '@mui/icons-material/DownloadOutlined';
import Button from '@mui/material/Button';
import type { AlertRuleOnWire } from '@plimsoll/contract/wire/alert-rules';
import { useState } from 'react';
import {
  alertRulesQuery,
  CHANGED_BY_RULES,
  deleteRule,
  RULES_EXPORT_PATH,
  saveRule,
} from '../../../api/alert-rules.ts';
import { failureText } from '../../../api/client.ts';
import { clustersQuery } from '../../../api/kubernetes.ts';
import { useMutation, useQuery, useQueryClient } from '../../../api/query.ts';
import { useServerNames } from '../../../api/server-names.ts';
import { useMayEdit } from '../../../api/user.ts';
import { Failure } from '../../../components/feedback/feed-panel.tsx';
import { Notice } from '../../../components/feedback/notice.tsx';
import { RowsSkeleton } from '../../../components/feedback/skeletons.tsx';
import { UndoToast } from '../../../components/feedback/undo-toast.tsx';
import { Page } from '../../../components/page.tsx';
import { Panel, Rows } from '../../../components/panel.tsx';
import { plural } from '../../../format/figures.ts';
import { paths } from '../../../paths.ts';
import { Link } from '../../../router.ts';
import { AlertsNav } from '../alerts-nav.tsx';
import { Quiet } from '../form-parts.tsx';
import { CopyDialog } from './copy-dialog.tsx';
import { bodyOfRule } from './rule-draft.ts';
import { RULE_METRICS } from './rule-metrics.ts';
import { RuleGrid, RuleRow } from './rule-row.tsx';
import { metricName, replacedDefaults, targetWords } from './rule-words.ts';

const METRIC_ORDER = [...RULE_METRICS.keys()];
const byMetric = (a: AlertRuleOnWire, b: AlertRuleOnWire): number =>
  METRIC_ORDER.indexOf(a.metric) - METRIC_ORDER.indexOf(b.metric);

/** What was just done to rules, and its way back. */
interface Done {
  text: string;
  undo: (() => Promise<unknown>) | null;
}

/** Runs changes of rules one at a time, and holds what can be undone. */
function useRuleChanges() {
  const queries = useQueryClient();
  const [done, setDone] = useState<Done | null>(null);
  const change = useMutation({
    async mutationFn(run: () => Promise<Done | null>) {
      setDone(null);
      const made = await run();
      await Promise.all(CHANGED_BY_RULES.map((queryKey) => queries.invalidateQueries({ queryKey })));
      setDone(made);
    },
  });
  return { change, done, setDone };
}

/** Switches a rule on or off. A default rule gets a rule of the account in its place. */
async function switchRule(rule: AlertRuleOnWire, enabled: boolean): Promise<Done> {
  const id = rule.is_default ? null : rule.rule_id;
  const saved = await saveRule(id, bodyOfRule(rule, { enabled }));
  return {
    text: `${metricName(rule.metric)} is ${enabled ? 'on' : 'off'}`,
    undo: () => (id === null ? deleteRule(saved.rule.rule_id) : saveRule(id, bodyOfRule(rule, {}))),
  };
}

async function removeRule(rule: AlertRuleOnWire): Promise<Done> {
  await deleteRule(rule.rule_id);
  return { text: `${metricName(rule.metric)} rule deleted`, undo: () => saveRule(null, bodyOfRule(rule, {})) };
}

function Head() {
  return (
    <RuleGrid className="head" aria-hidden>
      <span>Metric</span>
      <span>Applies to</span>
      <span>Lines</span>
      <span>For</span>
      <span className="end">On</span>
    </RuleGrid>
  );
}

export function Component() {
  const asked = useQuery(alertRulesQuery());
  const servers = useServerNames();
  const clusterList = useQuery({ ...clustersQuery(), refetchInterval: false }).data?.clusters ?? [];
  const clusters = clusterList.map(({ cluster_id: id, name }) => ({ id, name: name ?? id.slice(0, 8) }));
  const mayEdit = useMayEdit();
  const [copied, setCopied] = useState<AlertRuleOnWire | null>(null);
  const { change, done, setDone } = useRuleChanges();
  const { rules = [], defaults = [] } = asked.data ?? {};
  const replaced = replacedDefaults(rules);
  const row = (rule: AlertRuleOnWire) => (
    <RuleRow
      key={rule.rule_id}
      rule={rule}
      where={targetWords(rule, servers, clusters)}
      isReplaced={rule.is_default && replaced.has(rule.metric)}
      mayEdit={mayEdit}
      busy={change.isPending}
      onToggle={(enabled) => change.mutate(() => switchRule(rule, enabled))}
      onCopy={RULE_METRICS.get(rule.metric)?.targets.includes('server') === true ? () => setCopied(rule) : null}
      onDelete={() => change.mutate(() => removeRule(rule))}
    />
  );
  const undo = done?.undo ?? null;
  return (
    <Page
      title="Alert rules"
      sentence={
        asked.data === undefined
          ? 'Loading rules…'
          : `${plural(rules.length, 'rule')} of your own, ${plural(defaults.length, 'default rule')}.`
      }
      actions={<AlertsNav current="rules" />}
    >
      <Panel
        title="Your rules"
        note={asked.data?.total}
        actions={
          <>
            <Button component="a" href={RULES_EXPORT_PATH} download variant="text" startIcon={<DownloadIcon />}>
              Prometheus YAML
            </Button>
            {mayEdit && (
              <Button component={Link} to={paths.alertRule('new')} variant="contained" startIcon={<AddIcon />}>
                Add rule
              </Button>
            )}
          </>
        }
      >
        <Failure asked={asked} />
        {change.error !== null && <Notice tone="error">{failureText(change.error)}</Notice>}
        {asked.isPending && <RowsSkeleton rows={2} height={44} />}
        {asked.data !== undefined && rules.length === 0 && (
          <div style={{ padding: '12px 16px' }}>
            <Quiet>No rule of your own. The default rules below apply to everything. Open one to move its line.</Quiet>
          </div>
        )}
        {rules.length > 0 && (
          <Rows>
            <Head />
            {rules.toSorted(byMetric).map(row)}
          </Rows>
        )}
      </Panel>
      <Panel title="Default rules" note="a rule of your own goes before them">
        {asked.isPending && <RowsSkeleton rows={4} height={44} />}
        {defaults.length > 0 && (
          <Rows>
            <Head />
            {defaults.map(row)}
          </Rows>
        )}
      </Panel>
      {copied !== null && (
        <CopyDialog
          rule={copied}
          servers={servers}
          onClose={() => setCopied(null)}
          onCopied={(count) => {
            setCopied(null);
            setDone({ text: `Rule copied to ${plural(count, 'server')}`, undo: null });
          }}
        />
      )}
      <UndoToast
        text={done?.text ?? null}
        onUndo={undo === null ? null : () => change.mutate(() => undo().then(() => null))}
        onClose={() => setDone(null)}
      />
    </Page>
  );
}
