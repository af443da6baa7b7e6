import {
  alertRulesImportAnswer,
  alertRulesImportRequest,
  RULE_FILE_CHARACTERS,
} from '@plimsoll/contract/wire/alert-rule-import';
import type { Deps } from '../../deps.ts';
import { CodedError } from '../../errors.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { nameOf } from '../../servers/fleet.ts';
import { ALL_RULES, planImport, type PlannedRule } from '../prometheus/import-rules.ts';
import { prometheusRules } from '../prometheus/export-rules.ts';
import { ruleText } from '../rules/rule-text.ts';
import { DEFAULT_DRAFTS } from '../rules/rules.ts';
import { applyChange, isRewritten } from './rule-changes.ts';

const tag = 'Alerts';
const path = '/api/alerts/rules';
/** The file in JSON: an escaped character has 2 bytes, one beyond ASCII up to 3. Other fields are short. */
const IMPORT_BYTES = 3 * RULE_FILE_CHARACTERS + 1024;

export const exportRules = ({ storage }: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: `${path}/export`,
      actor: 'user',
      summary:
        'All rules as a Prometheus rule file (YAML), a disabled one so that it never fires, over the metrics of node_exporter and kube-state-metrics',
      tag,
      answer: null,
    },
    async ({ actor, http }) => {
      const [{ rules }, servers, clusters] = await Promise.all([
        storage.alertRules.list(actor.owner, ALL_RULES),
        storage.servers.listAll(actor.owner),
        storage.kubernetes.views.clusters(actor.owner),
      ]);
      const hostnames = new Map(servers.map(({ server }) => [server.id, nameOf(server)]));
      const clusterNames = new Map(clusters.map(({ id, name }) => [id, name ?? id]));
      const text = prometheusRules(rules, DEFAULT_DRAFTS, {
        hostnameOf: (id) => hostnames.get(id) ?? id,
        clusterNameOf: (id) => clusterNames.get(id) ?? id,
      });
      http.header('Content-Type', 'application/yaml; charset=utf-8');
      http.header('Content-Disposition', 'attachment; filename="plimsoll-rules.yaml"');
      return http.body(text);
    },
  );

const ofAction = (rules: readonly PlannedRule[], action: PlannedRule['action']) =>
  rules.filter((rule) => rule.action === action);

export const importRules = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: `${path}/import`,
      actor: 'user',
      summary:
        'Imports a rule file that the export wrote: all of its rules, or none if one is wrong. `dry_run` only says what it would do',
      tag,
      body: alertRulesImportRequest,
      bodyBytes: IMPORT_BYTES,
      answer: alertRulesImportAnswer,
    },
    async ({ actor, body, http }) => {
      const { alertRules, servers, kubernetes } = deps.storage;
      const { rules, errors } = await planImport({ alertRules, servers, kubernetes }, actor.owner, body.yaml);
      const [first] = errors;
      if (first !== undefined && !body.dry_run)
        throw new CodedError(
          'invalid_parameter',
          `yaml: ${first.name}: ${first.field} ${first.detail} ${String(errors.length)} of ${String(rules.length + errors.length)} rules are wrong, so none is imported`,
          { field: 'yaml', remedy: 'Correct the file. With dry_run the call lists every error.' },
        );
      const [created, changed] = [ofAction(rules, 'created'), ofAction(rules, 'changed')];
      const ids = new Map<PlannedRule, string>();
      if (!body.dry_run) {
        const changes = changed.flatMap((rule) => (rule.before === null ? [] : [{ rule, before: rule.before }]));
        const saved = await alertRules.saveAll(
          actor.owner,
          {
            created: created.map(({ draft }) => draft),
            changed: changes.map(({ rule: { draft }, before }) => ({ id: before.id, draft })),
          },
          deps.clock.now(),
        );
        if (saved === null)
          throw new CodedError('rules_changed', 'A rule was deleted while the file was read, so nothing was imported', {
            remedy: 'Import the file again.',
          });
        for (const [index, rule] of saved.created.entries()) {
          const planned = created[index];
          if (planned !== undefined) ids.set(planned, rule.id);
          await applyChange(deps, { actor, http }, { action: 'alert_rule_created', rule });
        }
        for (const [index, rule] of saved.changed.entries()) {
          const before = changes[index]?.before;
          const isOther = before !== undefined && isRewritten(before, rule);
          await applyChange(deps, { actor, http }, { action: 'alert_rule_changed', rule, isRewritten: isOther });
        }
      }
      return {
        dry_run: body.dry_run,
        created: created.length,
        changed: changed.length,
        unchanged: ofAction(rules, 'unchanged').length,
        rules: rules.map((rule) => ({
          name: rule.name,
          action: rule.action,
          rule_id: rule.before?.id ?? ids.get(rule) ?? null,
          text: ruleText(rule.draft),
        })),
        errors,
      };
    },
  );
