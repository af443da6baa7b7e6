import { z } from 'zod';
import { HIDDEN_KINDS, SUBJECT_CHARACTERS } from '../rules/servers/hidden-parts.ts';

/** PUT and DELETE /api/servers/{id}/hidden: the part that is hidden, or shown again. */
export const hiddenPart = z.strictObject({
  kind: z.enum(HIDDEN_KINDS),
  /** Mount point, name of the interface, chip and label of the sensor with a blank between, name of the container or its id. */
  subject: z.string().min(1).max(SUBJECT_CHARACTERS),
});
/** GET /api/servers/{id}/hidden, ordered by kind and subject. They neither alert nor count in the headroom of the server. */
export const hiddenPartsAnswer = z.object({
  hidden: z.array(z.object({ ...hiddenPart.shape, hidden_at: z.iso.datetime() })),
});

export type HiddenPart = z.infer<typeof hiddenPart>;
export type HiddenPartsAnswer = z.infer<typeof hiddenPartsAnswer>;
