import { z } from 'zod';

/** Characters of a rule file. The export writes no larger one, so the import reads every file of it. */
export const RULE_FILE_CHARACTERS = 16 * 2 ** 20;

/** POST /api/alerts/rules/import. */
export const alertRulesImportRequest = z.strictObject({
  /** A file of GET /api/alerts/rules/export, as it is or with other numbers, levels and durations. */
  yaml: z
    .string()
    .min(1, 'is empty')
    .max(
      RULE_FILE_CHARACTERS,
      `must be at most ${String(RULE_FILE_CHARACTERS)} characters: import its groups one by one`,
    ),
  /** true: nothing is saved; the answer says what would be. */
  dry_run: z.boolean().default(false),
});

export const IMPORT_ACTIONS = ['created', 'changed', 'unchanged'] as const;
export const alertRulesImportAnswer = z.object({
  dry_run: z.boolean(),
  created: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  rules: z.array(
    z.object({
      /** "rule 3 (PlimsollCpuUsage)": its place in the file. */
      name: z.string(),
      action: z.enum(IMPORT_ACTIONS),
      /** null: not created yet, or a default rule. */
      rule_id: z.uuid().nullable(),
      /** The rule in words. */
      text: z.string(),
    }),
  ),
  /** At most 50. Only with `dry_run`; without it, one error refuses the whole file. */
  errors: z.array(z.object({ name: z.string(), field: z.string(), detail: z.string() })),
  /** Rules of the file after the 50th error, or after 500 new rules. They were not checked. */
  not_checked: z.int(),
});

export type AlertRulesImportAnswer = z.infer<typeof alertRulesImportAnswer>;
