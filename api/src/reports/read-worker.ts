import { serialize } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { CodedError } from '../errors.ts';
import { wholeBody } from '../http/inflate.ts';
import { readCluster } from './read-cluster.ts';
import { judgeReport, parseReport } from './read-report.ts';
import type { Jobs, Reply, Request } from './read-thread.ts';
import { Redactor } from './redactor.ts';

/**
 * The thread that reads large requests: the API's own thread answers others meanwhile. Redacting a byte takes at most
 * 0.8 µs, so the budget of one request is 0.4 s.
 */
const REDACT_BYTES = 512 * 1024;

const READERS: { [K in keyof Jobs]: (job: Jobs[K]['job'], redactor: Redactor) => Jobs[K]['result'] } = {
  report: ({ wire, isGzip, serverId, ...arrival }, redactor) =>
    judgeReport(parseReport(wholeBody(wire, isGzip), serverId), arrival, redactor),
  cluster: ({ wire, isGzip }, redactor) => readCluster(wholeBody(wire, isGzip), redactor),
};

function replyTo(request: Request): Reply {
  const redactor = new Redactor(REDACT_BYTES);
  try {
    const { head, items } =
      request.kind === 'report' ? READERS.report(request.job, redactor) : READERS.cluster(request.job, redactor);
    return { outcome: 'read', head, items: items.map((item) => serialize(item)) };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const { code, message, field, remedy } = error;
    const notes = { ...(field !== undefined && { field }), ...(remedy !== undefined && { remedy }) };
    return { outcome: 'refused', code, message, notes };
  }
}

parentPort?.on('message', (request: Request) => {
  const reply = replyTo(request);
  const buffers = reply.outcome === 'read' ? reply.items.map(({ buffer }) => buffer as ArrayBuffer) : [];
  parentPort?.postMessage(reply, buffers);
});
