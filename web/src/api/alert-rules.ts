import type { AlertRulesImportAnswer } from '@plimsoll/contract/wire/alerts/alert-rule-import';
import type { AlertRuleAnswer, AlertRulesAnswer, RehearseAnswer } from '@plimsoll/contract/wire/alert-rules';
import { request } from './client.ts';
import { ROWS } from './polling.ts';
import type { Ask } from './query.ts';

const RULES = '/api/alerts/rules';
const rulePath = (id: string) => `${RULES}/${encodeURIComponent(id)}`;
/** A rule as the form writes it; the API checks it. */
export type RuleBody = Readonly<Record<string, unknown>>;

/** Not polled: only people change rules. */
export const alertRulesQuery = (): Ask<AlertRulesAnswer> => ({
  queryKey: ['alert-rules', 'list'],
  queryFn: ({ signal }) => request(RULES, { query: { limit: ROWS.alertRules }, signal }),
});

/** Returns when the rule would have fired. Saves nothing. */
export const rehearsalQuery = (body: RuleBody): Ask<RehearseAnswer> => ({
  queryKey: ['alert-rules', 'rehearsal', body],
  queryFn: ({ signal }) => request(`${RULES}/rehearse`, { method: 'POST', body, signal }),
  placeholderData: (previous) => previous,
});

/** Creates a rule, or replaces the one with the id. */
export const saveRule = (id: string | null, body: RuleBody) =>
  id === null
    ? request<AlertRuleAnswer>(RULES, { method: 'POST', body })
    : request<AlertRuleAnswer>(rulePath(id), { method: 'PUT', body });
export const deleteRule = (id: string) => request<unknown>(rulePath(id), { method: 'DELETE' });

/** The document itself: the cookie lets the browser fetch it as a download. */
export const RULES_EXPORT_PATH = `${RULES}/export`;
/** Imports a file of the export: all of its rules or none. A dry run saves nothing. */
export const importRules = (yaml: string, dryRun: boolean) =>
  request<AlertRulesImportAnswer>(`${RULES}/import`, { method: 'POST', body: { yaml, dry_run: dryRun } });
/** Keys that a changed rule makes stale: rules, their alerts, and the load lines of servers. */
export const CHANGED_BY_RULES = [['alert-rules'], ['alerts'], ['servers']] as const;
