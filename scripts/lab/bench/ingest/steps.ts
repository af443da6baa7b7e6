import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import { reportEnvelope } from '@plimsoll/contract/wire/report';
import { inflateBody } from '../../../../api/src/http/inflate.ts';
import { judgeItem } from '../../../../api/src/reports/judge-item.ts';
import { parseJson } from '../../../../api/src/http/parse-json.ts';
import { Redactor } from '../../../../api/src/reports/redactor.ts';
import { INLINE } from '../../../../api/src/reports/read-thread.ts';
import { isPlainJson } from '../../../../api/src/reports/sanitize.ts';
import { bodyOf, gzipped } from './report-body.ts';

const ROUNDS = 400;
const WARM_UP = 200;

const measure = async (round: () => unknown): Promise<number> => {
  for (let index = 0; index < WARM_UP; index += 1) await round();
  const before = process.cpuUsage();
  for (let index = 0; index < ROUNDS; index += 1) await round();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / ROUNDS;
};

/** CPU milliseconds a report costs the API before it is written, step by step, in this process. */
export const measureSteps = async (): Promise<Record<string, number>> => {
  const body = bodyOf('00000000-0000-4000-8000-000000000000', 1);
  const wire = new Uint8Array(gzipped(body)).buffer;
  const envelope = reportEnvelope.parse(parseJson(body, REPORT_LIMITS.depth));
  const arrival = { receivedAt: Date.now(), bootId: envelope.boot_id, upNow: envelope.up_now, skewSeconds: 0 };
  return {
    'inflate gzip': await measure(() => inflateBody(() => Promise.resolve(wire), 'gzip')),
    'depth check and JSON': await measure(() => parseJson(body, REPORT_LIMITS.depth)),
    'sanitise, schema, mask, redact, hash': await measure(() =>
      judgeItem(envelope.reports[0], 0, arrival, new Redactor(INLINE.redactBytes), isPlainJson(body)),
    ),
  };
};
