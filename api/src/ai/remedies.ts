import type { AiSettings } from './types.ts';

interface Remedies {
  key: string;
  model: string;
  address: string;
  privateAddress: string;
}

/** `panel`: shown in the panel itself, beside what was entered. */
export type RemedyPlace = AiSettings['source'] | 'panel';

const OPEN_RANGE = 'let the operator open the range with PLIMSOLL_ALLOWED_PRIVATE_RANGES.';

const REMEDIES: Record<RemedyPlace, Remedies> = {
  environment: {
    key: 'The operator must set a valid key in AI_API_KEY and restart the API.',
    model: 'The operator must check AI_MODEL and AI_BASE_URL.',
    address: 'The operator must check AI_BASE_URL and the network of the API.',
    privateAddress: 'The operator must check AI_BASE_URL.',
  },
  stored: {
    key: 'An admin must enter a valid key on the AI Chat page under Model.',
    model: 'An admin must check model and address on the AI Chat page under Model.',
    address: 'An admin must check the address on the AI Chat page under Model.',
    privateAddress: `An admin must enter a public address on the AI Chat page under Model, or ${OPEN_RANGE}`,
  },
  panel: {
    key: 'Enter a valid key and test again.',
    model: 'Check the model and the address.',
    address: 'Check the address.',
    privateAddress: `Enter a public address, or ${OPEN_RANGE}`,
  },
};

/** Says where the key, the model and the address that failed are changed: where they come from. */
export const remediesOf = (place: RemedyPlace): Remedies => REMEDIES[place];
