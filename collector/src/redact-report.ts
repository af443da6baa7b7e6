import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import { CLUSTER_RULES, redactTree, REPORT_RULES, type Rules } from '@plimsoll/contract/redaction/report';
import type { ClusterItem } from '@plimsoll/contract/wire/cluster-report';
import { redactText } from '@plimsoll/contract/redaction/text';
import type { AgentPart, Report } from '@plimsoll/contract/wire/report';
import { cutToBytes } from './runtime/cut-to-bytes.ts';

const texts = {
  prose: (text: string): string => cutToBytes(redactText(text), REPORT_LIMITS.stringBytes),
  // The sources redact arguments word by word and mask addresses.
  commandLine: (command: string): string => command,
  address: (address: string): string => address,
};
/** Connections hold masked addresses and words of the kernel only; there can be thousands of them. */
const HOST_RULES: Rules = { ...REPORT_RULES, connections: 'keep' };
const SOURCE_RULES: Rules = { sources: 'record' };

/** Redacts every text of a host report but its identifiers, and cuts it to the wire's limit. */
export const redactReport = <T extends Partial<Report>>(report: T): T => redactTree(report, HOST_RULES, texts);

export const redactSources = (sources: AgentPart['sources']): AgentPart['sources'] =>
  redactTree({ sources }, SOURCE_RULES, texts).sources;

/** The same for an item of a cluster report. */
export const redactClusterItem = (item: ClusterItem): ClusterItem => redactTree(item, CLUSTER_RULES, texts);
