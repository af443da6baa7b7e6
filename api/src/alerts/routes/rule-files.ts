import {
  alertRulesImportAnswer,
  alertRulesImportRequest,
  RULE_FILE_CHARACTERS,
} from '@plimsoll/contract/wire/alerts/alert-rule-import';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { nameOf } from '../../servers/fleet.ts';
import { importRules, ofAction, rehearseImport } from '../prometheus/import-rules.ts';
import { ALL_RULES } from '../prometheus/plan-import.ts';
import { prometheusRules } from '../prometheus/export-rules.ts';
import { ruleText } from '../rules/rule-text.ts';
import { DEFAULT_DRAFTS } from '../rules/rules.ts';

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

export const importFile = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: `${path}/import`,
      actor: 'user',
      summary:
        'Imports a rule file that the export wrote: all of its rules, or none if one is wrong. `dry_run` only says what it would do',
      audit: 'alert_rules_imported',
      tag,
      body: alertRulesImportRequest,
      bodyBytes: IMPORT_BYTES,
      answer: alertRulesImportAnswer,
    },
    async ({ actor, body }) => {
      const { rules, errors, notChecked, ids } = body.dry_run
        ? await rehearseImport(deps, actor.owner, body.yaml)
        : await importRules(deps, actor, body.yaml);
      return {
        dry_run: body.dry_run,
        created: ofAction(rules, 'created').length,
        changed: ofAction(rules, 'changed').length,
        unchanged: ofAction(rules, 'unchanged').length,
        rules: rules.map((rule) => ({
          name: rule.name,
          action: rule.action,
          rule_id: rule.before?.id ?? ids.get(rule) ?? null,
          text: ruleText(rule.draft),
        })),
        errors,
        not_checked: notChecked,
      };
    },
  );
