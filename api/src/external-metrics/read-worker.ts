import { EXTERNAL_METRICS_LIMITS } from '@plimsoll/contract/rules/limits';
import { Inflater } from '../http/inflate.ts';
import { answerReads } from '../reports/answer-reads.ts';
import { readMetrics, type MetricsJobs } from './read-metrics.ts';

/** The thread that reads large requests of other agents: the API's own thread answers others meanwhile. */
const inflater = new Inflater(EXTERNAL_METRICS_LIMITS.inflatedBytes);

answerReads<MetricsJobs>({
  metrics: async ({ wire, isGzip, ...job }) => readMetrics({ ...job, wire: await inflater.bodyOf(wire, isGzip) }),
});
