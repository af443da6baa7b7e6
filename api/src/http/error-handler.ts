import type { ErrorAnswer } from '@plimsoll/contract/wire/errors';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { CodedError, STATUS_OF_CODE } from '../errors.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Http } from './define-route.ts';
import type { CutOffBodies } from './cut-off-bodies.ts';
import type { StorageFailures } from './storage-unavailable.ts';

const answerOf = (error: CodedError): ErrorAnswer => ({
  success: false,
  detail: error.message,
  code: error.code,
  ...(error.field === undefined ? {} : { field: error.field }),
  ...(error.remedy === undefined ? {} : { remedy: error.remedy }),
});

/**
 * Answers a coded error as it is and a failing database as `storage_unavailable`. Anything else becomes `internal` with
 * the id to find it in the log, and nothing more.
 */
export function answerError(
  http: Http,
  error: unknown,
  log: Logger,
  { storage, cutOff }: { storage: StorageFailures; cutOff: CutOffBodies },
): Response {
  const context = { requestId: http.get('requestId'), route: http.get('route') };
  const coded =
    error instanceof CodedError
      ? error
      : (cutOff.explain(error, http.req.raw.signal.aborted, context) ??
        storage.explain(error, context) ??
        internal(http, error, log));
  if (coded.cause !== undefined && error instanceof CodedError)
    log.debug({ err: coded.cause, code: coded.code, requestId: http.get('requestId') }, 'request refused');
  if (coded.retryAfterSeconds !== undefined)
    http.header('Retry-After', String(Math.max(1, Math.ceil(coded.retryAfterSeconds))));
  http.header('Cache-Control', 'no-store');
  return http.json(answerOf(coded), STATUS_OF_CODE[coded.code] satisfies ContentfulStatusCode);
}

function internal(http: Http, error: unknown, log: Logger): CodedError {
  const requestId = http.get('requestId');
  log.error({ err: error, requestId, route: http.get('route') }, 'request failed');
  return new CodedError('internal', `The server failed. Its log has the cause under ${requestId}`);
}
