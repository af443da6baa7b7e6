import { type Plugin, PLUGINS } from '../../../api/src/capacity/scheduler/types.ts';
import type { Judgement } from './judge.ts';
import type { Verdict } from './verdict.ts';

/** Counts how often the model and the scheduler agree, and keeps the first differences. */
export class Tally {
  pods = 0;
  refused = 0;
  /** Pods that both place, or both refuse by the same plugins on as many nodes. */
  equal = 0;
  /** Pods that the model does not judge. */
  notModelled = 0;
  readonly differences: string[] = [];
  readonly #plugins = new Map<Plugin, { pods: number; equal: number }>(
    PLUGINS.map((one) => [one, { pods: 0, equal: 0 }]),
  );

  add(name: string, real: Verdict, model: Judgement): void {
    if (model.notModelled.length > 0) {
      this.notModelled += 1;
      return;
    }
    this.pods += 1;
    if (real.node !== null) {
      if ('nodes' in model && model.nodes.includes(real.node)) this.equal += 1;
      else this.#differ(name, real, model);
      return;
    }
    this.refused += 1;
    const own = 'refused' in model ? model.refused : {};
    let isEqual = 'refused' in model;
    for (const [plugin, counts] of this.#plugins) {
      const [there, here] = [real.refused[plugin] ?? 0, own[plugin] ?? 0];
      if (there === 0 && here === 0) continue;
      counts.pods += 1;
      if (there === here) counts.equal += 1;
      else isEqual = false;
    }
    if (isEqual) this.equal += 1;
    else this.#differ(name, real, model);
  }

  #differ(name: string, real: Verdict, model: Judgement): void {
    if (this.differences.length < 20)
      this.differences.push(`${name}: scheduler ${JSON.stringify(real)}, model ${JSON.stringify(model)}`);
  }

  /** Returns rows of a table in Markdown. */
  rows(label: string): string[] {
    const share = (equal: number, of: number) => (of === 0 ? 'none' : `${((equal / of) * 100).toFixed(2)} %`);
    const plugins = [...this.#plugins].map(
      ([plugin, { pods, equal }]) => `| ${label}: ${plugin} refuses | ${String(pods)} | ${share(equal, pods)} |`,
    );
    return [
      `| ${label}: pods | ${String(this.pods)} (${String(this.refused)} refused) | ${share(this.equal, this.pods)} |`,
      ...plugins,
    ];
  }
}
