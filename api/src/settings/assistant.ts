import { AI_PROVIDERS, type AiProviderName } from '@plimsoll/contract/rules/ai-limits';
import type { EnvironmentReader } from './environment.ts';
import { code, HTTP, NONE, type Setting } from './setting.ts';

const PROVIDER = 'openai-compatible';
/** Addresses of the providers themselves, for who sets a key and a model only. */
const BASE_URLS: Record<AiProviderName, string> = {
  'openai-compatible': 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
};

interface Model {
  provider: AiProviderName;
  baseUrl: string;
  apiKey: string | null;
  model: string;
}

function read(environment: EnvironmentReader): Model | null {
  const provider = environment.choice('AI_PROVIDER', AI_PROVIDERS, PROVIDER);
  const baseUrl = environment.url('AI_BASE_URL', HTTP);
  const apiKey = environment.secret('AI_API_KEY');
  const model = environment.text('AI_MODEL');
  if (model === null) {
    if (baseUrl !== null || apiKey !== null)
      environment.refuse('AI_MODEL is not set: write the name of the model, or remove AI_BASE_URL and AI_API_KEY');
    return null;
  }
  if (baseUrl === null && apiKey === null)
    environment.refuse('AI_MODEL is set alone: set AI_API_KEY, or AI_BASE_URL of a server that needs no key');
  return { provider, baseUrl: (baseUrl ?? BASE_URLS[provider]).replace(/\/+$/, ''), apiKey, model };
}

/** The model of the assistant; null: organisations set their own, or answers come from the figures alone. */
const ai: Setting<Model | null> = {
  rows: [
    {
      names: ['AI_PROVIDER'],
      isShown: true,
      fallback: code(PROVIDER),
      meaning: '`openai-compatible` or `anthropic` ([ai.md](ai.md))',
    },
    {
      names: ['AI_MODEL'],
      fallback: NONE,
      meaning: 'name of the model; without it answers come from the figures alone',
    },
    { names: ['AI_API_KEY'], fallback: NONE, meaning: 'key of the provider', isSecret: true },
    {
      names: ['AI_BASE_URL'],
      fallback: "the provider's own",
      meaning: 'another server that speaks its API, such as `http://127.0.0.1:11434/v1`; it may need no key',
    },
  ],
  read,
};

export const assistant = { title: 'AI chat', settings: { ai } };
