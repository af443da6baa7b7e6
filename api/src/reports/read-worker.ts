import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import { Inflater } from '../http/inflate.ts';
import { answerReads } from './answer-reads.ts';
import { readCluster } from './read-cluster.ts';
import { judgeReport, parseReport } from './read-report.ts';
import type { Jobs } from './read-thread.ts';
import { Redactor } from './redactor.ts';

/**
 * The thread that reads large requests: the API's own thread answers others meanwhile. Redacting a byte takes at most
 * 0.8 µs, so the budget of one request is 0.4 s.
 */
const REDACT_BYTES = 512 * 1024;

const inflater = new Inflater(REPORT_LIMITS.inflatedBytes);

answerReads<Jobs>({
  report: async ({ wire, isGzip, serverId, ...arrival }) =>
    judgeReport(parseReport(await inflater.bodyOf(wire, isGzip), serverId), arrival, new Redactor(REDACT_BYTES)),
  cluster: async ({ wire, isGzip }) => readCluster(await inflater.bodyOf(wire, isGzip), new Redactor(REDACT_BYTES)),
});
