import { answerReads } from '../reports/answer-reads.ts';
import { readMetrics, type MetricsJobs } from './read-metrics.ts';

/** The thread that reads large requests of other agents: the API's own thread answers others meanwhile. */
answerReads<MetricsJobs>({ metrics: readMetrics });
