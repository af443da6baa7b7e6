import os from 'node:os';

/** Host facts from the runtime itself: on macOS they cost no child process. */
export interface Runtime {
  cpus(): { model: string; times: { user: number; nice: number; sys: number; idle: number; irq: number } }[];
  loadavg(): number[];
  totalMemoryBytes(): number;
  hostname(): string;
  release(): string;
  architecture: string;
}

export const systemRuntime: Runtime = {
  cpus: () => os.cpus(),
  loadavg: () => os.loadavg(),
  totalMemoryBytes: () => os.totalmem(),
  hostname: () => os.hostname(),
  release: () => os.release(),
  architecture: process.arch,
};
