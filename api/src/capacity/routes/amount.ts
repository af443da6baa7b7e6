import { z } from 'zod';

/** Largest amounts of a query: the bounds of the figures of a cluster. */
export const MOST = { cores: 1_000_000, bytes: Number.MAX_SAFE_INTEGER } as const;

/** A number in a query that is not negative, such as 0.25 cores. */
export const amount = (description: string, most: number) =>
  z
    .string()
    .regex(/^\d{1,16}(\.\d{1,6})?$/, 'must be a number that is not negative, such as 0.5')
    .transform(Number)
    .refine((value) => value <= most, `must be at most ${String(most)}`)
    .meta({ wire: { type: 'number', description, minimum: 0, maximum: most } });
