import type { UpdatesPart } from '@plimsoll/contract/wire/hardware';
import { cutToBytes } from '../../runtime/cut-to-bytes.ts';
import type { Files } from '../../runtime/files.ts';
import { orNull } from '../../runtime/or-null.ts';
import type { Source, Taken } from '../../source.ts';
import { newerKernel, type Kernels } from './kernels.ts';

const REASON_BYTES = 256;
/** They change within hours; a machine without them pays for ten files that do not exist. */
const REFRESH_SECONDS = 600;
/** Longest list of Proxmox that is read: 1,000 packages with their descriptions have 1 MB. */
const LIST_BYTES = 4 * 1_048_576;
const UPDATE_NOTIFIER = 'var/lib/update-notifier/updates-available';
const PROXMOX = 'var/lib/pve-manager/pkgupdates';
const UPDATE_MOTD = 'var/lib/update-motd/motd';
const APT_STAMP = 'var/lib/apt/periodic/update-success-stamp';
/** Written by unattended-upgrades and update-notifier (Debian, Ubuntu), and by libzypp (SUSE). */
const REBOOT_MARKERS = ['run/reboot-required', 'run/reboot-needed'] as const;
/** Written by rpm-ostree while an image waits for the next boot. */
const STAGED_IMAGE = 'run/ostree/staged-deployment';

/**
 * Reports what the system itself already counted: nothing here compares packages. `sharesKernel`: the kernel is that of the
 * host of a container, so it needs no reboot of this machine.
 */
export function updateSource(files: Files, sharesKernel: boolean): Source {
  const countProxmox = proxmoxCounter(files);
  let last: { up: number; taken: Taken } | null = null;
  return {
    name: 'updates',
    instant: true,
    read: async ({ up }) => {
      if (last !== null && up - last.up < REFRESH_SECONDS) return last.taken;
      const counted = countOfNotifier(files) ?? countProxmox() ?? countOfMotd(files);
      last = { up, taken: shape(files, counted, rebootOf(files, sharesKernel)) };
      return last.taken;
    },
  };
}

interface Counted {
  pending: number | null;
  security: number | null;
  countedBy: string;
  /** Epoch milliseconds. */
  at: number;
}
interface Reboot {
  isRequired: boolean | null;
  reason: string | null;
}

/** A part that is N/A as a whole is left out. */
function shape(files: Files, counted: Counted | null, reboot: Reboot): Taken {
  const listsAt = files.stat(APT_STAMP)?.changedMs ?? null;
  const pending = counted?.pending ?? null;
  if (pending === null && listsAt === null && reboot.isRequired === null) return { part: {} };
  // A count of today can be that of package lists of last month: the time of the lists is the one that matters.
  const checkedMs = counted?.countedBy === 'update-notifier' ? (listsAt ?? counted.at) : (counted?.at ?? listsAt);
  const updates: UpdatesPart = {
    pending,
    security: counted?.security ?? null,
    counted_by: counted?.countedBy ?? null,
    checked_at: checkedMs === null || checkedMs <= 0 ? null : Math.round(checkedMs / 1000),
    reboot_required: reboot.isRequired,
    reboot_reason: reboot.reason === null ? null : cutToBytes(reboot.reason, REASON_BYTES),
  };
  const missing = [
    ...(pending === null
      ? [counted === null ? 'no program here keeps a count of pending updates' : unread(counted)]
      : []),
    ...(reboot.isRequired === null ? ['nothing here says whether a reboot is needed'] : []),
  ];
  return { part: { updates }, ...(missing.length > 0 && { note: missing.join('; ') }) };
}

const unread = ({ countedBy }: Counted): string => `the text of ${countedBy} has no count that can be read`;

/**
 * Texts of update-notifier: "12 updates can be applied immediately." and "3 of these updates are standard security updates.",
 * before 2020 "12 packages can be updated." and "0 updates are security updates.". Translated ones are not read.
 */
export function parseUpdateNotifier(text: string): { pending: number | null; security: number | null } {
  const pending = numberIn(
    /^(\d+) (?:updates?|packages?) can be (?:applied immediately|installed immediately|updated)\b/m,
    text,
  );
  const security = numberIn(
    /^(\d+) (?:of these updates (?:is|are) (?:a )?|updates? (?:is|are) (?:a )?)(?:standard )?security updates?/m,
    text,
  );
  // The newer text has no line about security where there is no such update.
  return { pending, security: pending === null ? null : (security ?? 0) };
}

/** Amazon Linux 2: "3 package(s) needed for security, out of 12 available", "No packages needed for security; 5 packages available". */
export function parseUpdateMotd(text: string): { pending: number | null; security: number | null } {
  const none = numberIn(/\bNo packages needed for security; (\d+) packages? available/, text);
  if (none !== null) return { pending: none, security: 0 };
  const security = numberIn(/(\d+) package\(?s?\)? needed for security, out of \d+ available/, text);
  return { pending: numberIn(/needed for security, out of (\d+) available/, text), security };
}

function numberIn(pattern: RegExp, text: string): number | null {
  const found = pattern.exec(text)?.[1];
  return found === undefined || found.length > 6 ? null : Number(found);
}

function countOfNotifier(files: Files): Counted | null {
  const text = files.head(UPDATE_NOTIFIER, 4096)?.text;
  if (text === undefined) return null;
  return {
    ...parseUpdateNotifier(text),
    countedBy: 'update-notifier',
    at: files.stat(UPDATE_NOTIFIER)?.changedMs ?? 0,
  };
}

function countOfMotd(files: Files): Counted | null {
  const text = files.head(UPDATE_MOTD, 16_384)?.text;
  if (text === undefined) return null;
  const counts = parseUpdateMotd(text);
  if (counts.pending === null) return null;
  return { ...counts, countedBy: 'update-motd', at: files.stat(UPDATE_MOTD)?.changedMs ?? 0 };
}

/** Proxmox lists the updates once a day. The list is read again after it changed. */
function proxmoxCounter(files: Files): () => Counted | null {
  let last: { at: number; pending: number | null } | null = null;
  return () => {
    const at = files.stat(PROXMOX)?.changedMs;
    if (at === undefined) return null;
    if (last?.at !== at) last = { at, pending: lengthOf(files.head(PROXMOX, LIST_BYTES)) };
    return { pending: last.pending, security: null, countedBy: 'pveupdate', at };
  };
}

function lengthOf(head: { text: string; whole: boolean } | null): number | null {
  if (head?.whole !== true) return null;
  const list = orNull(() => JSON.parse(head.text) as unknown);
  return Array.isArray(list) ? list.length : null;
}

function rebootOf(files: Files, sharesKernel: boolean): Reboot {
  const marker = REBOOT_MARKERS.find((path) => files.stat(path) !== null);
  if (marker !== undefined) return { isRequired: true, reason: packagesOf(files) };
  if (files.stat(STAGED_IMAGE) !== null) return { isRequired: true, reason: 'a new image of the system is staged' };
  const kernels: Kernels | null = sharesKernel ? null : newerKernel(files);
  if (kernels === null) return { isRequired: null, reason: null };
  const { newest, running } = kernels;
  if (newest === null) return { isRequired: false, reason: null };
  return { isRequired: true, reason: `kernel ${newest} is installed, ${running} runs` };
}

/** Returns the packages that require the reboot. The file has one name a line, and may repeat it. */
function packagesOf(files: Files): string | null {
  const names = new Set(
    files
      .head('run/reboot-required.pkgs', 4096)
      ?.text.split('\n')
      .filter((name) => name.trim() !== ''),
  );
  return names.size === 0 ? null : `asked for by ${[...names].join(', ')}`;
}
