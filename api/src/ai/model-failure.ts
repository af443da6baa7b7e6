import { APICallError, JSONParseError, TypeValidationError } from 'ai';
import { CodedError } from '../errors.ts';
import { EgressError } from '../egress.ts';
import { addressRemedy } from './provider.ts';
import { remediesOf, type RemedyPlace } from './remedies.ts';

export const TRY_AGAIN = 'Repeat the question, or narrow it.';
/** A longer wait is not worth naming. */
const LONGEST_NAMED_SECONDS = 3600;

const failed = (message: string, remedy: string): CodedError => new CodedError('assistant_failed', message, { remedy });
const brokeOff = (): CodedError => failed('The answer of the model broke off', TRY_AGAIN);
const overloaded = (): CodedError =>
  failed('The provider is overloaded', 'Repeat the question in a minute. If the error persists, use another model.');
const quotaUsedUp = (place: RemedyPlace): CodedError =>
  failed('The quota of the API key is used up', `Raise the quota at the provider. ${remediesOf(place).key}`);

function rateLimited(retryAfter: string | undefined): CodedError {
  const seconds = Number(retryAfter ?? Number.NaN);
  const isNamed = seconds >= 1 && seconds <= LONGEST_NAMED_SECONDS;
  const wait = isNamed ? `${String(Math.ceil(seconds))} s` : 'a minute';
  return failed('The provider limits the rate of questions', `Wait ${wait} and repeat the question.`);
}

/** The words of a provider are not passed on: they may hold parts of the key. */
export function failureOf(error: unknown, place: RemedyPlace): CodedError {
  if (error instanceof CodedError) return error;
  const told = APICallError.isInstance(error) ? ofStatus(error, place) : null;
  if (told !== null) return told;
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error))
    return failed('The provider sent an answer that cannot be read', remediesOf(place).address);
  if (error instanceof Error && error.cause !== undefined && error.cause !== error)
    return failureOf(error.cause, place);
  if (error instanceof Error && 'lastError' in error) return failureOf(error.lastError, place);
  if (error instanceof EgressError)
    return failed(`The provider is not reachable: ${error.message}`, addressRemedy(place, error));
  return ofStreamError(error, place) ?? brokeOff();
}

/** Returns the failure of an answer with a status; null: it has none. */
function ofStatus(error: APICallError, place: RemedyPlace): CodedError | null {
  const status = error.statusCode ?? 0;
  if (status === 401 || status === 403) return failed('The provider refuses the API key', remediesOf(place).key);
  if (status === 404) return failed('The provider does not offer the model', remediesOf(place).model);
  if (status === 429)
    return /insufficient_quota/.test(error.responseBody ?? '')
      ? quotaUsedUp(place)
      : rateLimited(error.responseHeaders?.['retry-after']);
  if (status >= 400) return failed(`The provider answered with status ${String(status)}`, 'Try again later.');
  return null;
}

/** Returns the failure that the stream itself reports, after it began with status 200; null: it reports none. */
function ofStreamError(error: unknown, place: RemedyPlace): CodedError | null {
  if (typeof error !== 'object' || error === null) return null;
  const { code, type } = error as { code?: unknown; type?: unknown };
  const names = [code, type].filter((name) => typeof name === 'string' || typeof name === 'number').map(String);
  if (names.includes('insufficient_quota')) return quotaUsedUp(place);
  if (names.some((name) => name === '429' || name.startsWith('rate_limit'))) return rateLimited(undefined);
  if (names.some((name) => /^(?:5\d\d|overloaded.*|server_error)$/.test(name))) return overloaded();
  return null;
}
