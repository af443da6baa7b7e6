/** Kinds of parts of a server that can be hidden. Each is the subject of an alert metric (alert-metric-scales.ts). */
export const HIDDEN_KINDS = ['filesystem', 'interface', 'sensor', 'container'] as const;
export type HiddenKind = (typeof HIDDEN_KINDS)[number];

/** Hidden parts of one server. */
export const MOST_HIDDEN_PARTS = 200;
/** Longest subject: a mount point has at most PATH_MAX bytes, and a report cuts it to 512. */
export const SUBJECT_CHARACTERS = 512;

/** Returns the subject of a sensor, as its alerts have it. */
export const sensorSubject = ({ chip, label }: { chip: string; label: string }): string => `${chip} ${label}`;
/** Returns the subject of a container, as its alerts have it: its name, else its id. */
export const containerSubject = ({ id, name }: { id: string; name: string | null }): string => name ?? id;
