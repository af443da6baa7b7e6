import { z } from 'zod';
import { nameProblem } from '../rules/printable-text.ts';

/** Makes the schema of a name that people type: one line that shows every character of it. */
export const typedName = (most: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(most)
    .superRefine((name, context) => {
      const message = nameProblem(name);
      if (message !== null) context.addIssue({ code: 'custom', message });
    });
