import type { Exec } from '../runtime/exec.ts';
import type { Runtime } from '../runtime/native.ts';
import type { Moment, Source } from '../source.ts';
import { nameArchitecture, type SystemSettings } from './system.ts';

/** Reads once what cannot change while the system runs. */
export function systemSourceDarwin(exec: Exec, runtime: Runtime, settings: SystemSettings): Source {
  let version: string | null = null;
  let arm: boolean | null = null;
  return {
    name: 'system',
    read: async (now: Moment) => {
      version ??= (await exec('sw_vers', ['-productVersion'])).trim();
      arm ??= await isAppleSilicon(exec);
      const cpus = runtime.cpus();
      const system = {
        hostname: runtime.hostname(),
        platform: 'darwin',
        os_type: 'macos',
        os_name: `macOS ${version}`,
        os_version: version,
        kernel: runtime.release(),
        architecture: arm ? 'arm64' : nameArchitecture(settings.architecture),
        cpu_model: cpus[0]?.model ?? null,
        cpu_cores: cpus.length,
        uptime_seconds: now.up,
        region: settings.region,
        collector_version: settings.collectorVersion,
        virtualization: null,
      };
      return { part: { system } };
    },
  };
}

/** Under Rosetta the runtime calls itself x64; the name does not exist on Intel. */
async function isAppleSilicon(exec: Exec): Promise<boolean> {
  try {
    return (await exec('sysctl', ['-n', 'hw.optional.arm64'])).trim() === '1';
  } catch {
    return false;
  }
}
