import type { Job } from '../jobs/scheduler.ts';
import { adoptEnvironmentChannel, type EnvironmentChannelDeps } from './environment-channel.ts';
import { createHeartbeat, type HeartbeatDeps } from './heartbeat.ts';
import { sendDue, type SenderDeps } from './send-due.ts';
import { sealOldSettings } from './setup/seal-old-settings.ts';
import type { Backlog } from './types.ts';

export interface NotifyJobDeps {
  sender: SenderDeps;
  environment: EnvironmentChannelDeps & { telegram: { botToken: string; chatId: string } | null };
  heartbeat: HeartbeatDeps | null;
  /** Receives the state of the outbox. */
  observeBacklog: (backlog: Backlog, now: number) => void;
}

/** A message waits longer than this for others of its group, so that a look this often finds each before it is due. */
const LOOK_MS = 5000;
/** A message is repeated after minutes, at most this much late. */
const REPEAT_EVERY_MS = 15_000;

/** Sends messages in the second in which they are due: a wait of 30 s to group them ends on time. */
export const sendJob = (sender: SenderDeps): Job => {
  let [quietUntil, repeatAt] = [0, 0];
  return {
    name: 'notify-send',
    everySeconds: 1,
    waitSeconds: () => Math.min(Math.max(1000, quietUntil - sender.clock.now()), LOOK_MS) / 1000,
    run: async (now) => {
      if (isWithin(now, quietUntil, LOOK_MS)) return null;
      const repeats = !isWithin(now, repeatAt, REPEAT_EVERY_MS);
      if (repeats) repeatAt = now + REPEAT_EVERY_MS;
      const { tried, nextDueAt } = await sendDue(sender, repeats);
      quietUntil = Math.min(nextDueAt ?? Infinity, now + LOOK_MS);
      return tried === 0 ? null : { tried };
    },
  };
};

/** Returns true in the `ms` before `end`. A clock that was set back is before them, and nothing waits for it. */
const isWithin = (now: number, end: number, ms: number): boolean => now < end && now >= end - ms;

/** Runs once: no later version stores a secret among the settings. */
const sealJob = ({ channels, secretBox }: NotifyJobDeps['environment']): Job => {
  let isDone = false;
  return {
    name: 'notify-seal',
    everySeconds: 60,
    run: async () => {
      if (isDone) return null;
      const sealed = await sealOldSettings({ channels, secretBox });
      isDone = true;
      return sealed === 0 ? null : { sealed };
    },
  };
};

/** The first account may be created long after the start. */
const environmentJob = ({ telegram, ...deps }: NotifyJobDeps['environment']): Job => {
  let isDone = false;
  return {
    name: 'notify-environment',
    everySeconds: 30,
    run: async (now) => {
      if (!isDone) isDone = await adoptEnvironmentChannel(deps, telegram, now);
      return null;
    },
  };
};

export const notifyJobs = ({ sender, environment, heartbeat, observeBacklog }: NotifyJobDeps): Job[] => [
  environmentJob(environment),
  sealJob(environment),
  {
    name: 'notify-backlog',
    everySeconds: 15,
    run: async (now) => {
      observeBacklog(await sender.outbox.backlog(), now);
      return null;
    },
  },
  ...(heartbeat === null ? [] : [heartbeatJob(heartbeat)]),
  sendJob(sender),
];

function heartbeatJob(deps: HeartbeatDeps): Job {
  const beat = createHeartbeat(deps);
  return {
    name: 'heartbeat',
    everySeconds: 60,
    run: async () => {
      await beat();
      return null;
    },
  };
}
