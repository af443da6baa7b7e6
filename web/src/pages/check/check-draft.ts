import { CHECK_LIMITS as L } from '@plimsoll/contract/rules/check-limits';
import type { CheckDetail, CheckRequestInput, ProbeRequest } from '@plimsoll/contract/wire/checks/checks';
import { durationText, readDuration } from '../../format/duration-text.ts';
import { draftExpectation, EXPECTATION_FIELDS, expectationOf, type Expectation } from './expectation.ts';
import {
  httpRequestOf,
  ipVersionOf,
  REQUEST_FIELDS,
  requestDraftOf,
  requestProblems,
  type RequestDraft,
} from './request-draft.ts';
import { readStatuses, statusesText } from './statuses-text.ts';

/** The content of the form; figures as they are typed. */
export interface CheckDraft extends Expectation, RequestDraft {
  name: string;
  /** Address of HTTP, host of the others. */
  target: string;
  port: string;
  every: string;
  /** Seconds. */
  timeout: string;
  retries: string;
  statuses: string;
  fromApi: boolean;
  serverIds: readonly string[];
  tagKey: string;
  /** Null: any value. */
  tagValue: string | null;
  /** Places that must fail; '' is a majority. */
  needed: string;
  sharesSecrets: boolean;
}
export type CheckProblems = Partial<Record<keyof CheckDraft, string>>;

export const probeOf = ({ probe }: CheckDetail): ProbeRequest | null => probe as ProbeRequest | null;
/** Returns true if the check runs on servers: only an admin may change it. */
export const runsOnServers = ({ runs_on: { server_ids: ids, tag } }: CheckDetail): boolean =>
  ids.length > 0 || tag !== null;

/** Servers that were deleted have no vote, and the API refuses a request that names them. */
function chosenServers({ runs_on: { server_ids: ids }, votes }: CheckDetail): string[] {
  return ids.filter((id) => votes.some(({ server_id: known }) => known === id));
}

/** Returns the request that replaces a check by itself. Headers and body stay, because it leaves them out. */
export function requestOf(check: CheckDetail): CheckRequestInput {
  const every = { name: check.name, is_enabled: check.is_enabled, server_id: check.server_id };
  if (check.heartbeat !== null) return { ...every, heartbeat: check.heartbeat };
  return {
    ...every,
    probe: probeOf(check),
    places: { api: check.runs_on.api, server_ids: chosenServers(check), tag: check.runs_on.tag },
    shares_secrets: check.shares_secrets,
    needed: check.needed_setting,
    retries: check.retries,
    interval_seconds: check.interval_seconds,
  };
}

export function checkDraftOf(check: CheckDetail, probe: ProbeRequest): CheckDraft {
  const { tag } = check.runs_on;
  return {
    name: check.name,
    target: probe.kind === 'http' ? probe.url : probe.host,
    port: 'port' in probe ? String(probe.port) : '',
    every: durationText(check.interval_seconds),
    timeout: String(probe.timeout_ms / 1000),
    retries: String(check.retries),
    statuses: probe.kind === 'http' ? statusesText(probe.statuses) : '',
    ...draftExpectation(probe),
    ...requestDraftOf(probe, check),
    fromApi: check.runs_on.api,
    serverIds: chosenServers(check),
    tagKey: tag?.key ?? '',
    tagValue: tag?.value ?? null,
    needed: check.needed_setting === null ? '' : String(check.needed_setting),
    sharesSecrets: check.shares_secrets,
  };
}

const within = (value: number | null, { min, max }: { min: number; max: number }): boolean =>
  value !== null && value >= min && value <= max;
/** Returns the number of digits with at most three decimals; null for anything else. */
const readNumber = (text: string): number | null =>
  /^\d{1,9}(?:\.\d{1,3})?$/.test(text.trim()) ? Number(text.trim()) : null;
const readMs = (seconds: string): number => Math.round((readNumber(seconds) ?? 0) * 1000);
const isWhole = (text: string, bounds: { min: number; max: number }): boolean =>
  Number.isInteger(readNumber(text)) && within(readNumber(text), bounds);

export const onServers = ({ serverIds, tagKey }: CheckDraft): boolean => serverIds.length > 0 || tagKey.trim() !== '';

/** Returns the problems by field; the API checks the rest. */
export function checkProblems(draft: CheckDraft, probe: ProbeRequest): CheckProblems {
  const { name, target, every, timeout, retries, fromApi } = draft;
  return {
    ...(name.trim() === '' && { name: 'Give it a name.' }),
    ...(target.trim() === '' && { target: 'Write where it connects to.' }),
    ...('port' in probe && !isWhole(draft.port, { min: 1, max: 65_535 }) && { port: 'Must be 1–65535.' }),
    ...(!within(readDuration(every), L.intervalSeconds) && { every: 'Must be 20 s – 1 d, such as 60 s or 5 min.' }),
    ...(!within(readMs(timeout), L.timeoutMs) && { timeout: 'Must be 0.1–30 s.' }),
    ...(!isWhole(retries, { min: 0, max: L.retries.max }) && { retries: `Must be 0–${String(L.retries.max)}.` }),
    ...(probe.kind === 'http' &&
      readStatuses(draft.statuses) === null && { statuses: 'Write them as 200-299, 401: three digits each.' }),
    ...(probe.kind === 'http' && /text/.test(draft.answer) && draft.text === '' && { text: 'Write the text.' }),
    ...(probe.kind === 'http' && /json/.test(draft.answer) && draft.path === '' && { path: 'Write the path.' }),
    ...(probe.kind === 'http' && requestProblems(draft)),
    ...(!fromApi && !onServers(draft) && { fromApi: 'Choose at least one place.' }),
  };
}

function probeRequest(draft: CheckDraft, probe: ProbeRequest, stored: CheckDetail): ProbeRequest {
  const target = draft.target.trim();
  const every = { timeout_ms: readMs(draft.timeout), ip_version: ipVersionOf(draft) };
  const port = Number(draft.port);
  switch (probe.kind) {
    case 'http': {
      const statuses = readStatuses(draft.statuses) ?? probe.statuses;
      return {
        ...probe,
        ...every,
        ...httpRequestOf(draft, stored),
        url: target,
        statuses,
        ...expectationOf(draft, probe.kind),
      };
    }
    case 'tcp':
      return { ...probe, ...every, host: target, port, ...expectationOf(draft, probe.kind) };
    case 'dns':
      return { ...probe, ...every, host: target, ...expectationOf(draft, probe.kind) };
    case 'tls':
      return { ...probe, ...every, host: target, port };
  }
}

/** Returns what is sent for a draft without problems. */
export function checkRequestOf(draft: CheckDraft, check: CheckDetail, probe: ProbeRequest): CheckRequestInput {
  const tagKey = draft.tagKey.trim();
  const isSameTarget = draft.target.trim() === (probe.kind === 'http' ? probe.url : probe.host);
  return {
    ...requestOf(check),
    name: draft.name.trim(),
    probe: probeRequest(draft, probe, check),
    places: {
      api: draft.fromApi,
      server_ids: [...draft.serverIds],
      tag: tagKey === '' ? null : { key: tagKey, value: draft.tagValue },
    },
    shares_secrets: draft.sharesSecrets,
    needed: draft.needed === '' ? null : Number(draft.needed),
    retries: Number(draft.retries),
    interval_seconds: readDuration(draft.every) ?? check.interval_seconds,
    // Left out, the API finds the server of the new target.
    server_id: isSameTarget ? check.server_id : undefined,
  };
}

/** Fields of the form by the field that the API names. */
const FIELDS: Readonly<Record<string, keyof CheckDraft>> = {
  name: 'name',
  'probe.url': 'target',
  'probe.host': 'target',
  'probe.port': 'port',
  'probe.timeout_ms': 'timeout',
  'probe.statuses': 'statuses',
  ...EXPECTATION_FIELDS,
  ...REQUEST_FIELDS,
  places: 'fromApi',
  'places.tag': 'tagKey',
  'places.tag.key': 'tagKey',
  'places.tag.value': 'tagValue',
  shares_secrets: 'sharesSecrets',
  needed: 'needed',
  retries: 'retries',
  interval_seconds: 'every',
};
export const checkField = (field: string | null): keyof CheckDraft | null => FIELDS[field ?? ''] ?? null;
