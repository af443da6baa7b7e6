import type { PlansAnswer } from '@plimsoll/contract/wire/accounts/plans';
import { request } from './client.ts';
import type { Ask } from './query.ts';

/** The plans as this installation's API lists them; needs no sign-in. */
export const plansQuery = (): Ask<PlansAnswer> => ({
  queryKey: ['plans'],
  queryFn: ({ signal }) => request('/api/plans', { signal }),
});
