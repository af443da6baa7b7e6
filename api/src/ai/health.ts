import { timerMs } from '@plimsoll/contract/rules/timer';
import type { AiHealth } from '@plimsoll/contract/wire/ai';
import type { Clock } from '../clock.ts';
import { checkKey, hostOf, type KeyCheck, type ProviderOptions } from './provider.ts';
import type { AiSettings } from './types.ts';

/** The screen asks as often, by the spec. */
const FRESH_MS = 60_000;
/** The first answer of a provider is waited for this long: health must not hold a screen up. */
const PATIENCE_MS = 800;
const MOST_CHECKS = 1000;

interface Check {
  at: number;
  result: KeyCheck | null;
  running: Promise<void>;
}

/** Checks keys in the background and caches each result for a minute. */
export class KeyChecks {
  readonly #clock: Clock;
  readonly #options: ProviderOptions;
  readonly #checks = new Map<string, Check>();

  constructor(clock: Clock, options: ProviderOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  /** Returns what is known now, after at most `PATIENCE_MS`. */
  async health(settings: AiSettings | null): Promise<AiHealth> {
    if (settings === null) return { api_key_valid: true, mode: 'analyser', reason: null, sent_to: null, model: null };
    const check = this.#checkOf(settings);
    if (check.result === null) await within(check.running, PATIENCE_MS);
    const { result } = check;
    return {
      // An unchecked key counts as valid: a question shows the error.
      api_key_valid: result?.valid ?? true,
      mode: 'model',
      reason: result === null ? 'The provider has not answered yet' : result.valid ? null : result.reason,
      sent_to: hostOf(settings),
      model: settings.model,
    };
  }

  /** Forgets results, after a change of the settings. */
  forget(): void {
    this.#checks.clear();
  }

  #checkOf(settings: AiSettings): Check {
    const key = JSON.stringify([settings.provider, settings.baseUrl, settings.model, settings.apiKey]);
    const known = this.#checks.get(key);
    if (known !== undefined && this.#clock.now() - known.at < FRESH_MS) return known;
    if (this.#checks.size >= MOST_CHECKS) this.#checks.clear();
    const check: Check = { at: this.#clock.now(), result: known?.result ?? null, running: Promise.resolve() };
    check.running = checkKey(settings, this.#options).then(
      (result) => {
        check.result = result;
        return undefined;
      },
      () => {
        check.result = { valid: false, reason: 'The check failed' };
        return undefined;
      },
    );
    this.#checks.set(key, check);
    return check;
  }
}

async function within(work: Promise<void>, ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, timerMs(ms), undefined);
  await Promise.race([work, late]);
  clearTimeout(timer);
}
