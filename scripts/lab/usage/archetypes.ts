import {
  addStarts,
  addWork,
  ages,
  at,
  DAY,
  type Dice,
  HOUR,
  makeShape,
  rhythm,
  scale,
  series,
  type Shape,
  SLOTS,
  WEEK,
} from './pod-shape.ts';

export const MEGABYTE = 1e6;

function web(dice: Dice, age = ages(dice, dice.between(3, 25), 0.7)): Shape {
  const [load, cores, bytes] = [rhythm(dice), dice.around(0.08, 1.2), dice.around(180 * MEGABYTE, 0.8)];
  const perLoad = dice.between(0.05, 0.5);
  let held = 0;
  const memory = series((slot) => {
    // Allocators give memory back slowly. A start gives all of it back.
    held = Math.max(at(load, slot), age[slot] === 0 ? 0 : held * 0.998);
    return bytes * (1 + perLoad * held);
  });
  const cpu = load.map((value) => cores * value);
  const shape = makeShape(dice, cpu, memory);
  return addStarts(shape, age, dice.between(3, 20), dice.between(0.3, 1));
}

function jvm(dice: Dice): Shape {
  const [load, cores, plateau] = [rhythm(dice), dice.around(0.15, 1), dice.around(1100 * MEGABYTE, 0.6)];
  const [age, hours, early] = [ages(dice, dice.between(4, 30), 0.7), dice.between(1, 30), dice.between(0.35, 0.7)];
  const memory = age.map((slots) => plateau * (1 - (1 - early) * Math.exp(-slots / (hours * HOUR))));
  const housekeeping = dice.between(0.003, 0.03);
  const cpu = load.map((value) => cores * value + housekeeping);
  return addStarts(makeShape(dice, cpu, memory, 0.004), age, dice.between(20, 120), dice.between(0.8, 4));
}

function leak(dice: Dice): Shape {
  const age = ages(dice, dice.between(2, 9), 0.15);
  const [shape, perDay] = [web(dice, age), dice.between(0.1, 0.5)];
  scale(shape, 'memory', (slot) => 1 + (perDay * at(age, slot)) / DAY);
  return shape;
}

function nightly(dice: Dice): Shape {
  const [idle, bytes] = [dice.around(0.002, 0.6), dice.around(90 * MEGABYTE, 0.7)];
  const shape = makeShape(dice, idle, bytes);
  const [begin, seconds, cores] = [dice.between(0, 5) * HOUR, dice.around(2400, 0.9), dice.around(0.9, 0.7)];
  const [factor, sunday] = [dice.around(6, 0.7), dice.pick(1, 1, 1, 2, 3.5)];
  for (let day = 0; day < 28; day++) {
    // A night in fifty is left out, as when the job before it failed.
    if (dice.chance(0.02)) continue;
    const length = Math.min(dice.around(seconds, 0.15) * (day % 7 === 6 ? sunday : 1), 10 * 3600);
    const start = day * DAY + Math.floor(begin + dice.between(0, 2));
    addWork(shape, start, length, dice.around(cores, 0.1), 1 + dice.around(factor, 0.12));
  }
  return shape;
}

function hourly(dice: Dice): Shape {
  const [idle, bytes, every] = [
    dice.around(0.004, 0.8),
    dice.around(130 * MEGABYTE, 0.7),
    dice.pick(3, 12, 12, 12, 72),
  ];
  const shape = makeShape(dice, idle, bytes);
  const [seconds, cores, extra] = [
    Math.min(dice.around(40, 0.9), every * 200),
    dice.between(0.3, 1.2),
    dice.between(0, 1),
  ];
  for (let slot = Math.floor(dice.between(0, every)); slot < SLOTS; slot += every)
    addWork(shape, slot, dice.around(seconds, 0.3), dice.around(cores, 0.1), 1 + extra * dice.between(0.7, 1.1));
  return shape;
}

/** Tasks of heavy-tailed size wait until the worker has done those before: a large one is a long plateau. */
function queue(dice: Dice): Shape {
  const [load, alpha, least] = [rhythm(dice), dice.between(1.1, 1.9), dice.between(0.02, 0.3)];
  const rate = Math.min(0.9, (dice.between(0.03, 0.35) * (alpha - 1)) / (alpha * least));
  const [cores, bytes, extra] = [dice.around(0.5, 0.8), dice.around(220 * MEGABYTE, 0.8), dice.between(0.05, 1)];
  let backlog = 0;
  const busy = series((slot) => {
    if (dice.chance(rate * (0.3 + at(load, slot)))) backlog += Math.min(dice.pareto(least, alpha), 1.5 * DAY);
    const done = Math.min(1, backlog);
    backlog -= done;
    return done;
  });
  const cpu = busy.map((share) => 0.003 + cores * share);
  let held = 0;
  const memory = busy.map((share) => bytes * (1 + extra * (held = Math.max(share, held * 0.99))));
  const shape = makeShape(dice, cpu, memory, 0.02);
  shape.cpuSpike = busy.map((share) => (share > 0 ? cores : 0));
  return shape;
}

function cache(dice: Dice): Shape {
  const [load, cores, bytes] = [rhythm(dice), dice.around(0.06, 1), dice.around(1400 * MEGABYTE, 1)];
  const [age, days, early] = [ages(dice, dice.between(8, 40), 0.5), dice.between(0.7, 5), dice.between(0.02, 0.15)];
  // The level is hard, because a full cache evicts.
  const filled = age.map((slots) => Math.min(1, early + 1.2 * (1 - Math.exp(-slots / (days * DAY)))));
  const cpu = load.map((value) => cores * value);
  const memory = filled.map((share) => bytes * share);
  return makeShape(dice, cpu, memory, 0.003);
}

function database(dice: Dice): Shape {
  const [load, cores, bytes] = [rhythm(dice), dice.around(0.25, 1), dice.around(2200 * MEGABYTE, 0.9)];
  const [age, hours] = [ages(dice, 60, 0.5), dice.between(5, 60)];
  const memory = age.map((slots) => bytes * (1 - 0.5 * Math.exp(-slots / (hours * HOUR))));
  const cpu = load.map((value) => cores * (0.3 + value));
  const shape = makeShape(dice, cpu, memory, 0.006);
  const [apart, compacting, factor] = [dice.around(14, 0.8), dice.between(0.3, 1.5), dice.between(1.02, 1.3)];
  const compact = (slot: number, seconds: number): void =>
    addWork(shape, slot, Math.min(seconds, 4 * 3600), dice.around(compacting, 0.2), factor);
  for (let slot = 0; slot < SLOTS; slot += Math.ceil(dice.around(apart, 0.6) * HOUR))
    compact(slot, dice.around(900, 0.8));
  const backup = dice.chance(0.6) ? Math.floor(dice.between(0, 6) * HOUR) : SLOTS;
  for (let slot = backup; slot < SLOTS; slot += DAY) compact(slot, dice.around(1500, 0.2));
  return shape;
}

/** Sidecars and operators: nothing but a look at everything now and then, and a little work when somebody deploys. */
function idle(dice: Dice): Shape {
  const [cores, bytes, every] = [dice.around(0.003, 0.8), dice.around(38 * MEGABYTE, 0.7), dice.pick(6, 12, 120)];
  const shape = makeShape(dice, cores, bytes);
  const look = dice.between(0.02, 0.4);
  for (let slot = 0; slot < SLOTS; slot += every) addWork(shape, slot, dice.between(1, 5), dice.around(look, 0.2));
  const apart = dice.between(4, 30) * HOUR;
  for (let slot = 0; slot < SLOTS; slot += Math.ceil(dice.around(apart, 1)))
    addWork(shape, slot, dice.around(20, 0.8), dice.around(look, 0.4), dice.between(1, 1.3));
  return shape;
}

function inference(dice: Dice): Shape {
  const [cores, bytes, hours] = [dice.around(2.5, 0.6), dice.around(3500 * MEGABYTE, 0.7), dice.between(1, 8)];
  const levels = [dice.between(0.02, 0.1), dice.between(0.25, 0.5), dice.between(0.5, 0.8), 1] as const;
  let [level, until] = [levels[0], 0];
  const cpu = series((slot) => {
    if (slot >= until) [level, until] = [dice.pick(...levels), slot + Math.ceil(dice.around(hours, 0.7) * HOUR)];
    return cores * level;
  });
  return makeShape(dice, cpu, bytes, 0.003);
}

const someService = (dice: Dice): Shape => dice.pick(web, web, jvm, queue, database)(dice);

/** A release doubles or halves something. One in three comes in the last week. */
function released(dice: Dice): Shape {
  const shape = someService(dice);
  const workingHour = Math.floor(dice.between(0, 5)) * DAY + Math.floor(dice.between(8, 17) * HOUR);
  const release = dice.pick(1, 2, 3) * WEEK + workingHour;
  const factor = dice.around(dice.pick(2, 0.5), 0.1);
  const what = dice.pick(['cpu'] as const, ['memory'] as const, ['cpu', 'memory'] as const);
  for (const one of what) scale(shape, one, (slot) => (slot < release ? 1 : factor));
  return shape;
}

/** A report, a sale or a reindex, once in two to four weeks. */
function rarePeak(dice: Dice): Shape {
  const shape = someService(dice);
  const busiest = shape.cpu.reduce((most, value) => Math.max(most, value), 0);
  const apart = dice.between(14, 28) * DAY;
  const [seconds, cores, factor] = [dice.around(2700, 1), busiest * dice.between(1, 5), dice.between(1, 2.5)];
  for (let slot = Math.floor(dice.between(0, apart)); slot < SLOTS; slot += Math.floor(apart))
    addWork(shape, slot, Math.min(dice.around(seconds, 0.3), DAY * 300), dice.around(cores, 0.15), factor);
  return shape;
}

/** Some per cent more each week, of CPU and often of memory. */
function growing(dice: Dice): Shape {
  const [shape, perWeek] = [someService(dice), dice.between(1.02, 1.09)];
  scale(shape, 'cpu', (slot) => perWeek ** (slot / WEEK));
  if (dice.chance(0.6)) scale(shape, 'memory', (slot) => perWeek ** (slot / WEEK));
  return shape;
}

/**
 * The share of each archetype, in per cent of the workloads.
 *
 * No published trace says which of its containers is a cache or a JVM, so the shares are a judgement. It rests on what
 * the papers about the traces say, and on no count of the traces themselves. Containers that run long and follow the
 * day are the largest part (Alibaba 2018 and 2021: mostly Java, with much steady memory and little CPU). Most use
 * little: most virtual machines of Azure 2017 have a mean below 20 % of their CPU. Sizes and bursts are heavy-tailed
 * (Borg 2019: a hundredth of the jobs uses nearly everything). In the machines of enterprises, peaks are many times the
 * mean (Bitbrains 2015). Batch jobs are most of the jobs of Borg and Alibaba but live for minutes; here, a workload
 * counts once, even if it runs often. Every Kubernetes cluster has sidecars and operators, these traces have none.
 */
export const ARCHETYPES: readonly (readonly [kind: string, share: number, draw: (dice: Dice) => Shape])[] = [
  ['web', 20, (dice) => web(dice)],
  ['jvm', 13, jvm],
  ['leak', 4, leak],
  ['nightly', 7, nightly],
  ['hourly', 6, hourly],
  ['queue', 8, queue],
  ['cache', 5, cache],
  ['database', 6, database],
  ['idle', 16, idle],
  ['inference', 3, inference],
  ['released', 5, released],
  ['rare-peak', 4, rarePeak],
  ['growing', 3, growing],
];
