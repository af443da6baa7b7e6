import { ARCHETYPES, MEGABYTE } from './archetypes.ts';
import { at, DAY, type Dice, HOUR, makeDice, series, type Shape } from './pod-shape.ts';

export interface Workload {
  name: string;
  kind: string;
  /** Five-minute means of one pod of it, four weeks: 8,064 values. The first begins on a Monday at 00:00 UTC. */
  cpuCores: Float64Array;
  memoryBytes: Float64Array;
  /** Peaks within each five minutes (a peak lasts seconds). */
  cpuPeak: Float64Array;
  memoryPeak: Float64Array;
}

/** A factor around 1 whose logarithm wanders back to 0 on several scales of time: near to the 1/f noise of real use. */
function wander(dice: Dice, scales: readonly (readonly [slots: number, sigma: number])[]): Float64Array {
  const parts = scales.map(([slots, sigma]) => ({ keep: Math.exp(-1 / slots), sigma, now: dice.normal() }));
  return series(() => {
    let sum = 0;
    for (const part of parts) {
      part.now = part.keep * part.now + Math.sqrt(1 - part.keep ** 2) * dice.normal();
      sum += part.sigma * part.now - part.sigma ** 2 / 2;
    }
    return Math.exp(sum);
  });
}

const within = (low: number, high: number, value: number): number => Math.min(high, Math.max(low, value));

/** Adds the noise, and the peaks within each five minutes. */
function measure(dice: Dice, shape: Shape): Omit<Workload, 'name' | 'kind'> {
  const noise = dice.around(0.12, 0.4);
  const cpuNoise = wander(dice, [
    [2, noise],
    [HOUR * 2, noise * 0.5],
    [DAY, noise * 0.5],
  ]);
  const memoryNoise = wander(dice, [
    [HOUR, shape.memoryNoise],
    [DAY, shape.memoryNoise],
  ]);
  // Retries, scans and collections of garbage, in at most three of a thousand slots.
  const odd = dice.between(0, 0.003);
  // Not every program holds a large upload or the result of a large query in memory.
  const oddMemory = dice.chance(0.3) ? odd : 0;
  const threads = Math.max(shape.threads, 1.25 * shape.cpu.reduce((most, value) => Math.max(most, value), 0));
  const cores = (value: number): number => within(0.001, 16, Math.min(threads, value));
  const bytes = (value: number): number => within(5 * MEGABYTE, 32_000 * MEGABYTE, value);

  const cpuCores = shape.cpu.map((value, slot) =>
    cores(value * at(cpuNoise, slot) * (dice.chance(odd) ? dice.pareto(1.2, 3) : 1)),
  );
  const memoryBytes = shape.memory.map((value, slot) => bytes(value * at(memoryNoise, slot)));
  // As with the requests of a second, the excess grows with the root of the mean: what is nearly idle stands out most.
  const cpuPeak = cpuCores.map((mean, slot) => {
    const excess = Math.min(shape.burst * Math.sqrt(mean) * dice.around(1, 0.6), 30 * mean);
    return cores(Math.max(mean + excess, at(shape.cpuSpike, slot)));
  });
  const memoryPeak = memoryBytes.map((mean, slot) => {
    const factor = 1 + shape.memoryBurst * dice.around(1, 0.7);
    return bytes(
      Math.max(mean * factor * (dice.chance(oddMemory) ? dice.pareto(1.05, 5) : 1), at(shape.memorySpike, slot)),
    );
  });
  return { cpuCores, memoryBytes, cpuPeak, memoryPeak };
}

function archetypeAt(place: number): (typeof ARCHETYPES)[number] {
  let sum = 0;
  for (const archetype of ARCHETYPES) if ((sum += archetype[1]) > place * 100) return archetype;
  throw new Error(`no archetype at ${place}`);
}

/** The same for the same seed. A larger count begins with the workloads of a smaller one. */
export function generateUsage(seed: number, count: number): Workload[] {
  const offset = makeDice(seed, 0).between(0, 1);
  return Array.from({ length: count }, (_, index) => {
    // Steps of the golden ratio fill the shares evenly, so that the small ones occur in a small count too.
    const [kind, , draw] = archetypeAt((offset + index * 0.6180339887498949) % 1);
    const dice = makeDice(seed, index + 1);
    return { name: `${kind}-${index}`, kind, ...measure(dice, draw(dice)) };
  });
}
