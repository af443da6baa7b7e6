/** The usage of a pod without noise. */
export interface Shape {
  cpu: Float64Array;
  memory: Float64Array;
  /** Peaks that are known beforehand, such as a start or a cron run. */
  cpuSpike: Float64Array;
  memorySpike: Float64Array;
  /** The distance between one second of a pod with one core and the mean of its five minutes, in cores. */
  burst: number;
  memoryBurst: number;
  memoryNoise: number;
  /** It cannot use more cores than it has busy threads: a program in Node.js or Python has about one. */
  threads: number;
}

export type Dice = ReturnType<typeof makeDice>;

/** In slots of five minutes. The first slot begins on a Monday at 00:00 UTC. */
export const [HOUR, DAY, WEEK, SLOTS] = [12, 288, 2016, 8064];
const SLOT_SECONDS = 300;

/**
 * The generator sfc32, and the distributions that are made from it. Its state is wide, so that no two of many streams
 * meet; those of a generator of 32 bits would.
 */
export function makeDice(seed: number, stream: number) {
  let [a, b, c, count] = [seed | 0, stream | 0, 0x9e3779b9 | 0, 1];
  const uniform = (): number => {
    const mixed = (((a + b) | 0) + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + mixed) | 0;
    return (mixed >>> 0) / 2 ** 32;
  };
  // The first numbers still show the seed.
  for (let turn = 0; turn < 20; turn++) uniform();
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return {
    normal,
    between: (low: number, high: number): number => low + (high - low) * uniform(),
    chance: (probability: number): boolean => uniform() < probability,
    /** Log-normal: sizes and durations differ by factors and not by amounts. */
    around: (median: number, sigma: number): number => median * Math.exp(sigma * normal()),
    pareto: (least: number, alpha: number): number => least * (1 - uniform()) ** (-1 / alpha),
    pick: <T>(first: T, ...others: T[]): T => [first, ...others][Math.floor(uniform() * (others.length + 1))] ?? first,
  };
}

export const at = (values: Float64Array, slot: number): number => values[slot] ?? 0;
export const series = (value: (slot: number) => number): Float64Array =>
  new Float64Array(SLOTS).map((_, slot) => value(slot));

export function makeShape(
  dice: Dice,
  cpu: Float64Array | number,
  memory: Float64Array | number,
  memoryNoise = 0.01,
): Shape {
  return {
    cpu: typeof cpu === 'number' ? series(() => cpu) : cpu,
    memory: typeof memory === 'number' ? series(() => memory) : memory,
    cpuSpike: new Float64Array(SLOTS),
    memorySpike: new Float64Array(SLOTS),
    burst: dice.around(0.25, 0.6),
    memoryBurst: dice.around(0.01, 0.8),
    memoryNoise: dice.around(memoryNoise, 0.5),
    threads: dice.pick(1, 2, 2, 4, 8),
  };
}

export function scale(shape: Shape, what: 'cpu' | 'memory', factor: (slot: number) => number): void {
  shape[what] = shape[what].map((value, slot) => value * factor(slot));
  shape[`${what}Spike`] = shape[`${what}Spike`].map((value, slot) => value * factor(slot));
}

/** Adds a piece of work. One that is shorter than five minutes raises their mean little and their peak in full. */
export function addWork(shape: Shape, start: number, seconds: number, cores: number, memoryFactor = 1): void {
  const slots = Math.ceil(seconds / SLOT_SECONDS);
  for (let done = 0; done < slots && start + done < SLOTS; done++) {
    const slot = start + done;
    const share = Math.min(1, seconds / SLOT_SECONDS - done);
    // Memory grows as data are read and does not jump to its height.
    const extra = (memoryFactor - 1) * Math.min(1, (done + 1) / (slots * 0.4));
    shape.cpuSpike[slot] = Math.max(at(shape.cpuSpike, slot), at(shape.cpu, slot) + cores);
    shape.memorySpike[slot] = Math.max(at(shape.memorySpike, slot), at(shape.memory, slot) * (1 + extra));
    shape.cpu[slot] = at(shape.cpu, slot) + cores * share;
    shape.memory[slot] = at(shape.memory, slot) * (1 + extra * share);
  }
}

/** The load over the weeks, 1 at the busiest hour: of offices, or of consumers, who are busiest in the evening. */
export function rhythm(dice: Dice): Float64Array {
  const offices = dice.chance(0.55);
  const zones = Array.from({ length: dice.pick(1, 1, 1, 2, 3) }, () =>
    dice.pick<number>(-8, -5, -3, 0, 1, 1, 2, 5.5, 8, 9),
  );
  const [night, width] = [dice.between(0.05, 0.45), dice.between(1.8, 2.6)];
  const weekend = offices ? dice.between(0.1, 0.5) : dice.between(0.8, 1.35);
  const holiday = offices && dice.chance(0.15) ? Math.floor(dice.between(0, 28)) : -1;
  const bell = (hour: number, centre: number): number => {
    const apart = Math.abs(hour - centre);
    return Math.exp(-(Math.min(apart, 24 - apart) ** 2) / (2 * width ** 2));
  };
  const inZone = (slot: number): number => {
    const hour = ((slot + DAY) % DAY) / HOUR;
    const day = Math.floor(slot / DAY);
    const curve = offices ? bell(hour, 10.5) + 0.9 * bell(hour, 15) : 0.5 * bell(hour, 13) + bell(hour, 20.5);
    return (night + (1 - night) * curve) * ((day + 7) % 7 >= 5 || day === holiday ? weekend : 1);
  };
  return series((slot) => zones.reduce((sum, zone) => sum + inZone(slot + zone * HOUR), 0) / zones.length);
}

/** Number of slots since the pod started. It was there before the first slot, and starts anew every few days. */
export function ages(dice: Dice, days: number, sigma: number): Float64Array {
  let span = dice.around(days, sigma) * DAY;
  let start = -dice.between(0.01, 0.99) * span;
  return series((slot) => {
    if (slot >= start + span) [start, span] = [slot, dice.around(days, sigma) * DAY];
    return slot - start;
  });
}

export function addStarts(shape: Shape, age: Float64Array, seconds: number, cores: number): Shape {
  for (let slot = 0; slot < SLOTS; slot++) if (age[slot] === 0) addWork(shape, slot, seconds, cores);
  return shape;
}
