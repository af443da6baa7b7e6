import { LINE_LIMITS } from '@plimsoll/contract/rules/lines';
import { redactText } from '@plimsoll/contract/redaction/text';
import { sanitizeText } from '../reports/sanitize.ts';

/** Bytes of a line that are looked at: redaction takes time for each. */
const MOST_READ = 2048;
/** A colour of a terminal. A log request is stored without control characters, with a space in the place of the escape. */
const COLOUR = /(?:^| )\[(?:\d{1,3}(?:;\d{1,3}){0,4})?m/g;

/** The container runtime says so in the place of a log that it has deleted. */
const NO_LOG = /^unable to retrieve container logs for /;

/** Returns the end of a log as it is stored: the last lines that hold anything, redacted and cut. */
export const shapeWords = (lines: readonly string[]): string[] =>
  lines
    .map((line) =>
      sanitizeText(redactText(sanitizeText(line, MOST_READ).replaceAll(COLOUR, '')), LINE_LIMITS.textBytes).trim(),
    )
    .filter((line) => readStamp(line).text !== '' && !NO_LOG.test(line))
    .slice(-LINE_LIMITS.lastWords);

const STAMPED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z) ?(.*)$/s;

/** Parses a line of a container's log, which the kubelet begins with its time. Null: it has none. */
export function readStamp(line: string): { at: number | null; text: string } {
  const [, stamp, text] = STAMPED.exec(line) ?? [];
  const at = Date.parse(stamp ?? '');
  return text === undefined || Number.isNaN(at) ? { at: null, text: line } : { at, text };
}
