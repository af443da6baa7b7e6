import { z } from 'zod';

/** Every error of every call. `field` and `remedy` are set where bad input can be mended by the caller. */
export const errorAnswer = z.object({
  success: z.literal(false),
  detail: z.string(),
  code: z.string(),
  field: z.string().optional(),
  remedy: z.string().optional(),
});
export type ErrorAnswer = z.infer<typeof errorAnswer>;

/** Wraps what a call answers: `{success: true, data}`. */
export const success = <T extends z.ZodType>(data: T) => z.object({ success: z.literal(true), data });
export interface Success<T> {
  success: true;
  data: T;
}
