import type { AiTestAnswer } from '@plimsoll/contract/wire/ai';
import { generateText } from 'ai';
import type { Owner } from '../tenancy/owner.ts';
import { failureOf } from './model-failure.ts';
import { createModel } from './create-model.ts';
import { currentSettings, type SettingsDeps } from './settings.ts';

const TEST_MS = 30_000;

/** Asks the model for one word, as a question would. */
export async function testModel(deps: SettingsDeps, owner: Owner): Promise<AiTestAnswer> {
  const settings = await currentSettings(deps, owner);
  if (settings === null)
    return {
      ok: false,
      detail: 'No model is configured',
      remedy: 'Save a provider, an address and a model first.',
      duration_ms: 0,
    };
  const started = performance.now();
  const elapsed = (): number => Math.round(performance.now() - started);
  try {
    await generateText({
      model: createModel(settings, { allowedRanges: deps.allowedRanges }),
      prompt: 'Answer with the single word: ready',
      maxRetries: 0,
      abortSignal: AbortSignal.timeout(TEST_MS),
    });
    return { ok: true, detail: `${settings.model} answered`, remedy: null, duration_ms: elapsed() };
  } catch (error) {
    const { message, remedy } = failureOf(error, settings.source === 'stored' ? 'panel' : settings.source);
    return { ok: false, detail: message, remedy: remedy ?? null, duration_ms: elapsed() };
  }
}
