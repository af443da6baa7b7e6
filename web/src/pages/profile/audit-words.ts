import type { AuditAnswer } from '@plimsoll/contract/wire/accounts/account';
import { deviceName } from './device-name.ts';

export type AuditEntry = AuditAnswer['entries'][number];
type Detail = AuditEntry['detail'];

const quoted = (name: string | undefined): string => (name === undefined || name === '' ? '' : ` “${name}”`);
const named = (text: string, key: string) => (detail: Detail) => `${text}${quoted(detail[key])}`;
const fixed = (text: string) => (): string => text;
const plain = (key: string) => (detail: Detail) => (detail[key] === undefined ? '' : ` ${detail[key]}`);
/** "1 alert", "2 alerts". The log stores counts as texts. */
const counted = (count: string, one: string, many = `${one}s`): string => `${count} ${count === '1' ? one : many}`;

/** Names that are too many for the sentence stand behind it. */
const listed = (names: string | undefined): string => (names === undefined || names === '' ? '' : `: ${names}`);
/** `on`: what the rule targets, unless it targets everything. */
const ruled = (what: string) => (detail: Detail) =>
  `${named(`${what} alert rule`, 'rule')(detail)}${detail['on'] === undefined ? '' : ` for ${detail['on']}`}`;
const severally = (what: string) => (detail: Detail) =>
  `${what} ${counted(detail['done'] ?? 'several', 'alert')}${listed(detail['alerts'])}`;

/** Returns how much of a member's access was revoked and replaced. */
const endedWords = ({ revoked, replaced }: Detail): string =>
  [
    ...(revoked === undefined ? [] : [`, revoked: ${revoked}`]),
    ...(replaced === undefined ? [] : [`, replaced: ${replaced}`]),
  ].join('');

const incidentWords = (verb: string) => (detail: Detail) =>
  `${named(`${verb} incident`, 'incident')(detail)} on status page${quoted(detail['page'])}`;

const METHODS: Readonly<Record<string, string>> = {
  local: 'with a password',
  code: 'by a link or a provider',
  invitation: 'by an invitation',
};

const KINDS = ['metrics', 'alerts', 'events', 'processes'] as const;
const retentionWords = (detail: Detail): string => {
  if (detail['reset'] === 'true') return 'reset the retention';
  const kept = KINDS.flatMap((kind) => (detail[kind] === undefined ? [] : [`${kind} ${counted(detail[kind], 'day')}`]));
  return kept.length === 0 ? 'changed the retention' : `changed the retention: ${kept.join(', ')}`;
};

/** The event of each action in words; the name of the person comes before it. */
const WORDS: Readonly<Record<string, (detail: Detail) => string>> = {
  signed_in: ({ method }) => `signed in ${METHODS[method ?? ''] ?? ''}`.trim(),
  sign_in_failed: ({ passwords = '0', codes = '0', addresses = '?' }) =>
    `failed to sign in: ${counted(passwords, 'wrong password')} and ${counted(codes, 'wrong code')} from ${counted(addresses, 'address', 'addresses')}`,
  signed_out: fixed('signed out'),
  session_revoked: ({ browser }) => `ended a session${browser === undefined ? '' : ` of ${deviceName(browser)}`}`,
  token_created: named('created API token', 'name'),
  token_revoked: named('revoked API token', 'name'),
  enrolment_token_created: fixed('created an install command'),
  enrolment_token_revoked: fixed('revoked an install command'),
  cluster_token_created: named('created a cluster token', 'name'),
  cluster_token_revoked: named('revoked cluster token', 'name'),
  cluster_separated: ({ cluster = 'a cluster', addresses = 'another address' }) =>
    `made the copy of cluster ${cluster} at ${addresses} a cluster of its own`,
  // Entries of earlier versions hold "namespace/pod" in `pod`.
  pod_logs_read: ({ namespace, pod = '' }) =>
    `read the log of pod ${namespace === undefined ? pod : `${namespace}/${pod}`}`,
  password_changed: fixed('changed the password'),
  second_factor_on: fixed('switched the second factor on'),
  second_factor_off: fixed('switched the second factor off'),
  server_changed: (detail) => `changed ${detail['fields'] ?? ''} of server${plain('server')(detail)}`,
  part_hidden: (detail) =>
    `hid ${detail['kind'] ?? 'a part'}${plain('subject')(detail)} of server${plain('server')(detail)}`,
  part_shown: (detail) =>
    `showed ${detail['kind'] ?? 'a part'}${plain('subject')(detail)} of server${plain('server')(detail)} again`,
  check_created: named('created check', 'name'),
  check_changed: named('changed check', 'name'),
  check_deleted: named('deleted check', 'name'),
  server_deleted: (detail) => `deleted server${plain('server')(detail)}`,
  server_clone_enrolled: ({ server = 'a machine', with: others = 'another server' }) =>
    `enrolled ${server} as a server of its own: it has the machine id of ${others}`,
  owner_changed: (detail) => `moved server${plain('server')(detail)} to ${detail['to'] ?? 'another account'}`,
  channel_created: named('created channel', 'name'),
  channel_changed: ({ from, to, reason, ...detail }) =>
    from === undefined || to === undefined
      ? named('changed channel', 'name')(detail)
      : `${named('moved channel', 'name')(detail)} from chat ${from} to ${to}${reason === undefined ? '' : `: ${reason}`}`,
  channel_deleted: named('deleted channel', 'name'),
  message_settings_changed: ({ quote_log_lines: quotes }) =>
    `${quotes === 'on' ? 'allowed' : 'forbade'} messages to quote a log line`,
  retention_changed: retentionWords,
  alert_rule_created: ruled('created'),
  alert_rule_changed: ruled('changed'),
  alert_rule_deleted: ruled('deleted'),
  alert_rules_imported: ({ created = '0', changed = '0', rules }) =>
    `imported alert rules, ${created} created, ${changed} changed${listed(rules)}`,
  alert_acknowledged: named('acknowledged alert', 'title'),
  alert_unacknowledged: named('took back the acknowledgement of alert', 'title'),
  alerts_acknowledged: severally('acknowledged'),
  alerts_unacknowledged: severally('took back the acknowledgement of'),
  alerts_silenced: severally('silenced'),
  alerts_undone: severally('undid a change of'),
  silence_created: named('created silence', 'silence'),
  silence_changed: named('changed silence', 'silence'),
  silence_deleted: named('ended silence', 'silence'),
  maintenance_created: named('created recurring maintenance', 'name'),
  maintenance_changed: named('changed recurring maintenance', 'name'),
  maintenance_deleted: named('ended recurring maintenance', 'name'),
  cluster_objects_applied: ({ cluster, objects }) =>
    `applied custom resources${cluster === undefined ? '' : ` of cluster ${cluster}`}${listed(objects)}`,
  cluster_changed: ({ cluster = 'a cluster', organisation_rules: rules }) =>
    `${rules === 'on' ? 'let' : 'no longer lets'} the objects of cluster ${cluster} set rules of the whole organisation`,
  cluster_renamed: ({ cluster = 'a cluster', to = 'another name' }) => `renamed cluster ${cluster} to ${to}`,
  cluster_removed: ({ cluster = 'a cluster', nodes = '0', alerts = '0', tokens = '0' }) =>
    `removed cluster ${cluster}: ${counted(nodes, 'node')} and ${counted(tokens, 'token')} deleted, ${counted(alerts, 'open alert')} ended as removed`,
  capacity_settings_changed: ({
    cpu_percentile: cpu = '',
    memory_surplus_percent: surplus = '',
    days = '',
    cpu_limit: limit,
  }) =>
    `set the advice on sizes to p${cpu} of CPU and ${surplus} % over the highest memory of ${counted(days, 'day')}, ${limit === 'as_today' ? 'CPU limits as today' : 'no CPU limits'}`,
  cluster_price_changed: ({ cluster = 'a cluster', core_hour: core = '', gb_hour: gb = '', currency = '' }) =>
    `set the price of cluster ${cluster} to ${core} ${currency} per core-hour and ${gb} ${currency} per GB-hour`,
  cluster_price_deleted: ({ cluster = 'a cluster' }) => `removed the price of cluster ${cluster}`,
  ai_settings_changed: (detail) => `set the model of the assistant to${plain('model')(detail)}`,
  ai_settings_deleted: fixed('removed the model of the assistant'),
  organisation_renamed: named('renamed the organisation to', 'name'),
  member_invited: ({ email = '', role = '' }) => `invited ${email === '' ? 'somebody' : email} as ${role}`,
  invitation_withdrawn: ({ email = '' }) => `withdrew the invitation of ${email === '' ? 'somebody' : email}`,
  member_joined: ({ role = 'member', organisation }) =>
    `joined${organisation === undefined ? '' : ` ${organisation}`} as ${role}`,
  member_changed: ({ member = 'a member', role = '' }) => `made ${member} ${role}`,
  member_removed: ({ member = 'a member', left, ...detail }) =>
    left === 'true' ? 'left the organisation' : `removed ${member}${endedWords(detail)}`,
  member_access_ended: ({ member = 'a member', ...detail }) => `ended what ${member} had made${endedWords(detail)}`,
  status_page_created: named('created status page', 'title'),
  status_page_changed: named('changed status page', 'title'),
  status_page_deleted: named('deleted status page', 'title'),
  status_incident_created: incidentWords('announced'),
  status_incident_changed: incidentWords('changed'),
  status_incident_updated: incidentWords('updated'),
  status_incident_deleted: incidentWords('deleted'),
  export_started: fixed('exported the data'),
  deletion_planned: fixed('planned the deletion of the account'),
  deletion_withdrawn: fixed('cancelled the deletion of the account'),
  recovered_on_server: (detail) => `recovered account${plain('account')(detail)} on the server’s terminal`,
};

/** Returns who did it: a person with the API token that was used, a collector, or Plimsoll itself. */
function authorOf({ person, token }: Pick<AuditEntry, 'person' | 'token'>): string {
  if (person === null) return token === null ? 'Plimsoll' : `The ${token.name}`;
  return token === null ? person.name : `${person.name} (API token ${token.name})`;
}

const wordsOf = ({ action, detail }: AuditEntry): string | undefined =>
  Object.hasOwn(WORDS, action) ? WORDS[action]?.(detail) : undefined;

/** Returns an entry as a sentence: "Ada (API token ci) deleted server web-3". */
export const sentenceOf = (entry: AuditEntry): string =>
  `${authorOf(entry)} ${wordsOf(entry) ?? entry.action.replaceAll('_', ' ')}`;
