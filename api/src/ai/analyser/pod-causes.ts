import { clock, fixed, HOUR, type Cause, type Finder } from './evidence.ts';
import { imagesOf, latest, LOOP_ENDS, ofPod, probesOf } from './pod-seen.ts';
import { shiftOf } from './shift.ts';
import { risingPod } from './suspects.ts';

/** Causes of a pod that runs, and not as it should. */

/** A program needs minutes to leak its limit full; one that is killed at once never fitted. */
const AT_ONCE_SECONDS = 300;
export const outOfMemory: Finder = (evidence) => {
  const seen = ofPod(evidence);
  const killed = seen?.restarts.filter(({ reason, at }) => reason === 'OOMKilled' && at <= evidence.at + HOUR) ?? [];
  const [last] = killed;
  if (seen === null || last === undefined) return null;
  const image = imagesOf(seen).find(({ at }) => at <= last.at && at > last.at - 24 * HOUR);
  const gaps = killed.slice(1).map(({ at }, index) => (killed[index]?.at ?? at) - at);
  const apart = gaps.length === 0 ? null : gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)];
  return {
    kind: 'out_of_memory',
    strength: 0.955,
    finding:
      image === undefined
        ? 'The container uses more memory than its limit and is killed.'
        : `The container uses more memory than its limit and is killed, since its image changed at ${clock(image.at)}.`,
    evidence: [
      `${String(killed.length)} kills for memory, the last at ${clock(last.at)}`,
      ...(last.memoryLimitMb === null ? [] : [`limit ${fixed(last.memoryLimitMb, 0)} MB`]),
      ...(apart == null
        ? []
        : [
            `${fixed(apart / 60, 0)} minutes apart: ${apart <= AT_ONCE_SECONDS ? 'it never fitted' : 'it fills up over that time'}`,
          ]),
      ...(image === undefined ? [] : [`image ${image.from} → ${image.to}`]),
    ],
    next: 'Raise the memory limit, or find what grows in the container.',
  };
};

/** The pod itself is sound: its node has no CPU left for it. */
const SATURATED = 85;
export const noisyNeighbour: Finder = (evidence) => {
  const seen = ofPod(evidence);
  if (seen?.node == null) return null;
  const cpu = shiftOf(seen.node.cpu, evidence.at, 12);
  if (cpu === null || Math.max(cpu.is, cpu.last) < SATURATED) return null;
  const cores = seen.node.cores ?? 0;
  const riser = risingPod(evidence, cpu.onset);
  const by = riser !== null && riser.is >= 0.25 * cores && riser.pod.name !== seen.pod?.name ? riser : null;
  const probes = probesOf(seen);
  return {
    kind: 'noisy_neighbour',
    strength: by === null ? 0.8 : 0.945,
    finding:
      by === null
        ? `The node ${seen.node.name} has no CPU left for the pod.`
        : `${by.pod.name} takes the CPU of the node ${seen.node.name}, and the pod starves.`,
    evidence: [
      `CPU of the node ${fixed(cpu.was)} % → ${fixed(cpu.is)} % since ${clock(cpu.onset)}`,
      ...(by === null
        ? []
        : [
            `${by.pod.name} uses ${fixed(by.is)} of ${fixed(cores, 0)} cores${by.pod.cpuLimitCores === null ? ', without a CPU limit' : ''}`,
          ]),
      ...(probes[0] === undefined ? [] : [probes[0].message]),
    ],
    next: 'Give the neighbour a CPU limit or another node, and the pod a CPU request that fits its use.',
  };
};

export const crashLoopAfterChange: Finder = (evidence) => {
  const seen = ofPod(evidence);
  if (seen === null) return null;
  const { at } = evidence;
  const ends = seen.restarts.filter(({ at: time }) => time <= at + HOUR && time > at - 24 * HOUR);
  const first = ends.toSorted((a, b) => a.at - b.at)[0];
  const image = imagesOf(seen).find(
    ({ at: time }) => time <= (first?.at ?? at) + HOUR / 6 && time > (first?.at ?? at) - 24 * HOUR,
  );
  const isLoop =
    ends.length >= LOOP_ENDS ||
    (ends.length > 0 && /CrashLoop|BackOff/.test(`${seen.waiting?.reason ?? ''}${seen.pod?.reason ?? ''}`));
  if (!isLoop || image === undefined) return null;
  const exit = seen.restarts[0]?.exitCode ?? null;
  return {
    kind: 'crash_loop_after_change',
    strength: 0.95,
    finding: `It restarts again and again since its image changed at ${clock(image.at)}.`,
    evidence: [
      `${String(ends.length)} restarts within a day of the alert`,
      `image ${image.from} → ${image.to}`,
      ...(exit === null ? [] : [`last exit code ${String(exit)}`]),
      ...(seen.pod?.lastMessage == null ? [] : [seen.pod.lastMessage]),
    ],
    next: `Go back to ${image.from}.`,
  };
};

export const probeFailure: Finder = (evidence) => {
  const seen = ofPod(evidence);
  const probes = seen === null ? [] : probesOf(seen);
  const [last] = probes.toSorted((a, b) => b.at - a.at);
  if (seen?.pod == null || last === undefined) return null;
  const kills = seen.events.some(({ reason, message }) => reason === 'Killing' && /probe/i.test(message));
  const liveness = probes.find(({ message }) => /^(?:Liveness|Startup)/i.test(message));
  if (liveness === undefined && seen.pod.ready) return null;
  const [image] = imagesOf(seen);
  return {
    kind: 'probe_failure',
    strength: kills || liveness !== undefined ? 0.9 : 0.82,
    finding:
      liveness !== undefined && seen.restarts.length > 0
        ? 'The kubelet restarts the container because its liveness probe fails.'
        : 'The pod is not ready because its probe fails.',
    evidence: [
      (liveness ?? last).message,
      `${String(probes.length)} failed probes recorded`,
      ...(image === undefined ? [] : [`image ${image.from} → ${image.to} at ${clock(image.at)}`]),
    ],
    next: 'Check path, port and timeout of the probe against what the container serves, and how long it needs to start.',
  };
};

/** Share of the limit from which a container is slowed down most of the time. */
const AT_LIMIT = 0.9;
export const cpuLimitReached: Finder = (evidence) => {
  const seen = ofPod(evidence);
  const limit = seen?.pod?.cpuLimitCores ?? null;
  if (seen?.pod == null || limit === null || limit <= 0) return null;
  const use = shiftOf(seen.pod.cpuCores, evidence.at);
  if (use === null || use.is < AT_LIMIT * limit) return null;
  return {
    kind: 'cpu_limit_reached',
    strength: 0.91,
    finding: 'The pod uses all the CPU its limit allows, and is slowed down.',
    evidence: [
      `${fixed(use.is, 2)} of ${fixed(limit, 2)} cores since ${clock(use.onset)}`,
      ...probesOf(seen)
        .slice(0, 1)
        .map(({ message }) => message),
    ],
    next: 'Raise its CPU limit, or add replicas.',
  };
};

export const podCrashLoop: Finder = (evidence): Cause | null => {
  const seen = ofPod(evidence);
  if (seen?.pod == null) return null;
  const ends = seen.restarts.filter(({ at }) => at > evidence.at - 24 * HOUR);
  const last = seen.restarts[0];
  const looping = /CrashLoop|BackOff/.test(`${seen.waiting?.reason ?? ''}${seen.pod.reason ?? ''}`);
  const failed =
    seen.pod.phase === 'Failed' || latest(seen.events, /^(?:BackoffLimitExceeded|DeadlineExceeded)$/) !== undefined;
  if (!looping && !failed && ends.length < LOOP_ENDS) return null;
  const exit = last?.exitCode ?? null;
  return {
    kind: 'crash_loop',
    strength: 0.75,
    finding: failed && !looping ? 'The container ended with an error.' : 'A container restarts again and again.',
    evidence: [
      `${String(ends.length)} restarts within a day of the alert`,
      ...(exit === null ? [] : [`last exit code ${String(exit)}`]),
      ...(seen.pod.lastMessage === null ? [] : [seen.pod.lastMessage]),
    ],
    next: 'Read the log of its last run. No change of its image was recorded before.',
  };
};
