import Button from '@mui/material/Button';
import type { AlertRuleOnWire, AlertRulesAnswer } from '@plimsoll/contract/wire/alert-rules';
import { useState } from 'react';
import type { ReactNode } from 'react';
import {
  alertRulesQuery,
  CHANGED_BY_RULES,
  deleteRule,
  RULES_EXPORT_PATH,
  saveRule,
} from '../../../api/alert-rules.ts';
import { failureText } from '../../../api/client.ts';
import { allClustersQuery } from '../../../api/kubernetes.ts';
import { useQuery } from '../../../api/query.ts';
import { useServerNames } from '../../../api/server-names.ts';
import { useMayEdit } from '../../../api/user.ts';
import { ExportButton } from '../../../components/export/export-button.tsx';
import { fieldsTable } from '../../../components/export/export-file.ts';
import { awaitedWords, Failure } from '../../../components/feedback/feed-panel.tsx';
import { Notice } from '../../../components/feedback/notice.tsx';
import { RowsSkeleton } from '../../../components/feedback/skeletons.tsx';
import { UndoToast } from '../../../components/feedback/undo-toast.tsx';
import { Page } from '../../../components/page.tsx';
import { Pager } from '../../../components/pager.tsx';
import { Panel, PanelBody, Rows } from '../../../components/panel.tsx';
import { plural } from '../../../format/figures.ts';
import { paths } from '../../../paths.ts';
import { Link } from '../../../router.ts';
import { AlertsNav } from '../alerts-nav.tsx';
import { Quiet } from '../../../components/form/form-parts.tsx';
import { useUndoable, type Undoable } from '../../../components/feedback/use-undoable.ts';
import { CopyDialog } from './copy-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { bodyOfRule } from './rule-draft.ts';
import { RULE_METRICS } from './rule-metrics.ts';
import { RuleGrid, RuleRow } from './rule-row.tsx';
import { metricWords } from '../../../format/incident-words.ts';
import { replacedDefaults, targetWords } from './rule-words.ts';
import {
  Add as AddIcon,
  UploadOutlined as UploadIcon,
  DownloadOutlined as DownloadIcon,
} from '../../../components/icons/pages.tsx';

const METRIC_ORDER = [...RULE_METRICS.keys()];
const byMetric = (a: AlertRuleOnWire, b: AlertRuleOnWire): number =>
  METRIC_ORDER.indexOf(a.metric) - METRIC_ORDER.indexOf(b.metric);

/** Switches a rule on or off. A default rule gets a rule of the account in its place. */
async function switchRule(rule: AlertRuleOnWire, enabled: boolean): Promise<Undoable> {
  const id = rule.is_default ? null : rule.rule_id;
  const saved = await saveRule(id, bodyOfRule(rule, { enabled }));
  return {
    text: `${metricWords(rule.metric)} is ${enabled ? 'on' : 'off'}`,
    undo: () => (id === null ? deleteRule(saved.rule.rule_id) : saveRule(id, bodyOfRule(rule, {}))),
  };
}

async function removeRule(rule: AlertRuleOnWire): Promise<Undoable> {
  await deleteRule(rule.rule_id);
  return { text: `${metricWords(rule.metric)} rule deleted`, undo: () => saveRule(null, bodyOfRule(rule, {})) };
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

interface RulesPanelProps {
  title: string;
  note: ReactNode;
  actions?: ReactNode;
  /** Undefined while they load. */
  rules: readonly AlertRuleOnWire[] | undefined;
  isPending: boolean;
  /** Stands in for an empty list. */
  empty?: string;
  children?: ReactNode;
  row: (rule: AlertRuleOnWire) => ReactNode;
}

/** Rows of one page. */
const PAGE_ROWS = 50;

function RulesPanel({ title, note, actions, rules, isPending, empty, children, row }: RulesPanelProps) {
  const [chosen, setOffset] = useState(0);
  const count = rules?.length ?? 0;
  // Rules of the last page may have been deleted meanwhile.
  const offset = chosen < count ? chosen : 0;
  return (
    <Panel title={title} note={note} actions={actions}>
      {children}
      {isPending && <RowsSkeleton rows={3} height={44} />}
      {rules?.length === 0 && empty !== undefined && (
        <PanelBody>
          <Quiet>{empty}</Quiet>
        </PanelBody>
      )}
      {rules !== undefined && rules.length > 0 && (
        <Rows>
          <Head />
          {rules.slice(offset, offset + PAGE_ROWS).map(row)}
        </Rows>
      )}
      {count > PAGE_ROWS && <Pager offset={offset} limit={PAGE_ROWS} total={count} onOffset={setOffset} />}
    </Panel>
  );
}

const EXPORTED = [
  'rule_id',
  'is_default',
  'text',
  'metric',
  'target',
  'server_id',
  'tag_key',
  'tag_value',
  'mount',
  'cluster_id',
  'namespace',
  'workload_kind',
  'workload',
  'lines',
  'for_seconds',
  'keep_firing_for_seconds',
  'hysteresis_points',
  'enabled',
] as const;

interface PanelActionsProps {
  mayEdit: boolean;
  rules: readonly AlertRuleOnWire[];
  onImport: () => void;
}

/** Download for everyone, import and a new rule for those who may edit. */
const PanelActions = ({ mayEdit, rules, onImport }: PanelActionsProps) => (
  <>
    <ExportButton holds={['alert rules']} table={() => fieldsTable(rules, EXPORTED)} disabled={rules.length === 0} />
    <Button component="a" href={RULES_EXPORT_PATH} download variant="text" startIcon={<DownloadIcon />}>
      Prometheus YAML
    </Button>
    {mayEdit && (
      <>
        <Button variant="text" startIcon={<UploadIcon />} onClick={onImport}>
          Import
        </Button>
        <Button component={Link} to={paths.alertRule('new')} variant="contained" startIcon={<AddIcon />}>
          Add rule
        </Button>
      </>
    )}
  </>
);

/** "3 rules of your own, 2 of custom resources, 31 default rules." */
function countWords({ rules, defaults }: Pick<AlertRulesAnswer, 'rules' | 'defaults'>): string {
  const managed = rules.filter(({ object }) => (object ?? null) !== null).length;
  const parts = [
    `${plural(rules.length - managed, 'rule')} of your own`,
    ...(managed === 0 ? [] : [`${String(managed)} of custom resources`]),
    plural(defaults.length, 'default rule'),
  ];
  return `${parts.join(', ')}.`;
}

export function Component() {
  const asked = useQuery(alertRulesQuery());
  const servers = useServerNames();
  const clusterList = useQuery({ ...allClustersQuery(), refetchInterval: false }).data?.clusters ?? [];
  const clusters = clusterList.map(({ cluster_id: id, name }) => ({ id, name: name ?? id.slice(0, 8) }));
  const mayEdit = useMayEdit();
  const [isImporting, setImporting] = useState(false);
  const [copied, setCopied] = useState<AlertRuleOnWire | null>(null);
  const { run, busy, error, say, toast } = useUndoable(CHANGED_BY_RULES);
  const { rules, defaults } = asked.data ?? {};
  const replaced = replacedDefaults(rules ?? []);
  const row = (rule: AlertRuleOnWire) => (
    <RuleRow
      key={rule.rule_id}
      rule={rule}
      where={targetWords(rule, servers, clusters)}
      isReplaced={rule.is_default && replaced.has(rule.metric)}
      mayEdit={mayEdit}
      busy={busy}
      onToggle={(enabled) => run(() => switchRule(rule, enabled))}
      onCopy={RULE_METRICS.get(rule.metric)?.targets.includes('server') === true ? () => setCopied(rule) : null}
      onDelete={() => run(() => removeRule(rule))}
    />
  );
  return (
    <Page
      title="Alert rules"
      sentence={asked.data === undefined ? awaitedWords(asked, 'rules') : countWords(asked.data)}
      actions={<AlertsNav current="rules" />}
    >
      <RulesPanel
        title="Your rules"
        note={asked.data?.total}
        actions={
          <PanelActions
            mayEdit={mayEdit}
            rules={[...(rules ?? []), ...(defaults ?? [])]}
            onImport={() => setImporting(true)}
          />
        }
        rules={rules?.toSorted(byMetric)}
        isPending={asked.isPending}
        empty="No rule of your own. The default rules below apply to everything. Open one to move its line."
        row={row}
      >
        <Failure asked={asked} />
        {error !== null && <Notice tone="error">{failureText(error)}</Notice>}
      </RulesPanel>
      <RulesPanel
        title="Default rules"
        note="a rule of your own goes before them"
        rules={defaults}
        isPending={asked.isPending}
        row={row}
      />
      {isImporting && (
        <ImportDialog
          onClose={() => setImporting(false)}
          onImported={(count) => {
            setImporting(false);
            say(`${plural(count, 'rule')} imported`);
          }}
        />
      )}
      {copied !== null && (
        <CopyDialog
          rule={copied}
          servers={servers}
          onClose={() => setCopied(null)}
          onCopied={(count) => {
            setCopied(null);
            say(`Rule copied to ${plural(count, 'server')}`);
          }}
        />
      )}
      <UndoToast {...toast} />
    </Page>
  );
}
