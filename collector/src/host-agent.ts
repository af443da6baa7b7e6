import { readFileSync } from 'node:fs';
import type { EnrolRequest } from '@plimsoll/contract/wire/install';
import { describedSource } from './host/described/described.ts';
import type { SectionSettings } from './host/described/sections.ts';
import { uptimeBootId } from './host/enclosure/host-clock.ts';
import { type Clock, hostName, systemClock } from './runtime/clock.ts';
import { type Disk, diskAt } from './runtime/disk.ts';
import { type Files, filesUnder } from './runtime/files.ts';
import { bootSession, platformHash } from './runtime/machine-identity.darwin.ts';
import { bootId, machineHash, NO_BOOT_ID, randomHex128, sha256Hex } from './runtime/machine-identity.ts';
import { type Log, makeLog } from './runtime/log.ts';
import { systemExec } from './runtime/exec.ts';
import { orNull } from './runtime/or-null.ts';
import { prepareTransport } from './runtime/transport.ts';
import { systemRuntime } from './runtime/native.ts';
import { darwinSources, linuxSources } from './report.ts';
import { type Api, apiAt, type Fetch, type ReadingApi } from './send/http.ts';
import { type Settings, SettingError } from './settings.ts';
import type { Source } from './source.ts';
import { VERSION } from './version.ts';

/** The real parts a command is put together from; each can be replaced in a test. */
export interface HostParts {
  files: Files;
  clock: Clock;
  log: Log;
  bootId: string;
  milliseconds: () => number;
  random: () => number;
  fetchFrom: Fetch;
}

export function hostParts(settings: Settings, write: (line: string) => void, interactive: boolean): HostParts {
  const files = filesUnder('/');
  const clock = systemClock(files);
  const format = settings.log_format === 'auto' ? (interactive ? 'text' : 'json') : settings.log_format;
  return {
    files,
    clock,
    log: makeLog({ level: settings.log_level, format, write, now: () => clock.wall() }),
    bootId: process.platform === 'darwin' ? bootSession() : uptimeBootId(files, bootId(files)),
    milliseconds: () => performance.now(),
    random: () => Math.random(),
    fetchFrom: (url, init) => fetch(url, init),
  };
}

export function hostSources(settings: Settings, files: Files): Source[] {
  const chosen = {
    region: settings.region,
    collectorVersion: VERSION,
    architecture: process.arch,
    stripArguments: settings.strip_arguments,
    containerSocket: settings.container_socket,
    watchedProcesses: settings.watched_processes,
    watchedFiles: settings.watched_files,
    smart: settings.smart,
    gpu: settings.gpu,
    zpool: settings.zpool,
  };
  const darwin = process.platform === 'darwin';
  const all = darwin
    ? darwinSources(files, systemExec(), systemRuntime, chosen)
    : [...linuxSources(files, systemExec(), chosen), describedSource(files, describedSettings(settings))];
  const unknown = settings.disabled_sources.filter((name) => !all.some((source) => source.name === name));
  if (unknown.length > 0) {
    const names = all.map(({ name }) => name).join(', ');
    throw new SettingError(`disabled_sources: unknown source "${unknown.join('", "')}". Known sources: ${names}`);
  }
  return all.filter(({ name }) => !settings.disabled_sources.includes(name));
}

const describedSettings = ({ watched_files: watched }: Settings): SectionSettings => ({
  collectorVersion: VERSION,
  watchedFiles: watched.map((path) => path.slice(1)),
});

/** The way to the dashboard, through the owner's proxy and authority. Throws SettingError when it cannot be made. */
export async function apiOf(settings: Settings, parts: HostParts): Promise<Api & ReadingApi> {
  if (settings.url === null) {
    throw new SettingError('url is not set. Set PLIMSOLL_URL or "url = …" to the address of the dashboard');
  }
  const authority = settings.ca_file === null ? null : readAuthority(settings.ca_file);
  const extra = await prepareTransport({ proxy: settings.proxy, authority });
  return apiAt(settings.url, parts.fetchFrom, `plimsoll/${VERSION}`, extra);
}

function readAuthority(file: string): string {
  const text = orNull(() => readFileSync(file, 'utf8'));
  if (text === null) throw new SettingError(`ca_file: ${file} cannot be read`);
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new SettingError(`ca_file: ${file} holds no certificate in PEM`);
  return text;
}

const MACHINE_FILE = 'machine';

/** Builds the enrolment request of this host. Without a machine-id it makes a random one and keeps it with the state. */
export async function enrolRequestOf(
  settings: Settings,
  parts: HostParts,
  disk: Disk,
  token: string,
): Promise<EnrolRequest> {
  const platform = process.platform === 'darwin' ? await platformHash(systemExec()) : null;
  const hash = platform ?? (await machineHash(parts.files)) ?? (await sha256Hex(keptMachine(disk)));
  return {
    enrolment_token: token,
    machine_hash: hash,
    hostname: hostName().slice(0, 253) || 'unknown',
    ...(parts.bootId === NO_BOOT_ID ? {} : { boot_id: parts.bootId }),
    ...(Object.keys(settings.tags).length > 0 ? { tags: settings.tags } : {}),
  };
}

function keptMachine(disk: Disk): string {
  if (!disk.list().includes(MACHINE_FILE)) disk.replace(MACHINE_FILE, randomHex128());
  return disk.read(MACHINE_FILE).toString('utf8');
}

export const stateDisk = (settings: Settings): Disk => diskAt(settings.state_dir);
export const spoolDisk = (settings: Settings): Disk => diskAt(`${settings.state_dir}/spool`);
