import { wholeBody } from '../http/inflate.ts';
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

answerReads<Jobs>({
  report: ({ wire, isGzip, serverId, ...arrival }) =>
    judgeReport(parseReport(wholeBody(wire, isGzip), serverId), arrival, new Redactor(REDACT_BYTES)),
  cluster: ({ wire, isGzip }) => readCluster(wholeBody(wire, isGzip), new Redactor(REDACT_BYTES)),
});
