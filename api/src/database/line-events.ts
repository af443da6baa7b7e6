import { HOST_LINE_KINDS } from '@plimsoll/contract/rules/lines';

/** SQL list of the types of events that are lines of a host's logs. The index activity_event_line_idx has the same list. */
export const LINE_EVENTS = `(${HOST_LINE_KINDS.map((kind) => `'${kind}'`).join(', ')})`;
