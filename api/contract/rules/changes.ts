/** Numbers and enumerations of the ledger of changes. No zod here: the browser imports this file. */

/** Days that a change is kept. */
export const CHANGE_DAYS = 90;

export const CHANGE_SOURCES = ['cluster', 'host', 'plimsoll', 'deploy'] as const;
export type ChangeSource = (typeof CHANGE_SOURCES)[number];

export const CHANGE_ACTIONS = ['added', 'changed', 'gone', 'deployed'] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

/** The place of a change in a query. Each part that is given must match. */
export interface ChangePlace {
  server_id?: string;
  cluster_id?: string;
  namespace?: string;
  kind?: string;
  name?: string;
}

/** The change of one field. `before` and `after` are null where it had no value, and where the value is hidden. */
export interface FieldChange {
  field: string;
  was: 'set' | 'changed' | 'removed';
  before: string | null;
  after: string | null;
  /** The value is a secret, or too long: only that it changed is known. */
  hidden: boolean;
}

export const CHANGE_LIMITS = {
  /** Fields that one entry names. */
  fields: 200,
  titleCharacters: 300,
  /** Bytes of a deploy mark. */
  markBytes: 8192,
  marksPerMinute: 60,
  nameCharacters: 200,
  textCharacters: 1000,
  keyCharacters: 200,
} as const;
