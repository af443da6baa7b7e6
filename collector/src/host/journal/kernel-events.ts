import type { LineKind } from '@plimsoll/contract/rules/lines';

/** Event that a line of the kernel reports. */
export interface KernelEvent {
  kind: Exclude<LineKind, 'journal_error' | 'last_words'>;
  /** Process, disk, file system, interface, memory controller or clock. */
  subject: string | null;
}

type Pattern = [kind: KernelEvent['kind'], pattern: RegExp];

/**
 * Formats of Linux 2.6 to 6.12, each after the printk of its file. The first group, or the second, is the subject. A process
 * names itself, so a name may hold any character: it ends at the last bracket that the rest of the line allows.
 */
const PATTERNS: readonly Pattern[] = [
  // mm/oom_kill.c. Kernels before 5.0 print "Kill process", then "Killed process" without a reason.
  [
    'oom_kill',
    /^(?:Memory cgroup o|O)ut of memory(?: \(oom_kill_allocating_task\))?: Kill(?:ed)? process \d+ \((.{1,15}?)\)(?:,? (?:UID|total-vm|vsz|score)|$)/,
  ],
  // block/blk-core.c, fs/buffer.c
  [
    'io_error',
    /^(?:blk_update_request: |print_req_error: |end_request: )?(?:I\/O|critical [a-z ]+) error, dev ([\w!.-]+)[, ]/,
  ],
  ['io_error', /^Buffer I\/O error on dev(?:ice)? ([\w!.-]+),/],
  // fs/ext4/super.c, fs/jbd2/journal.c, fs/xfs, fs/btrfs/volumes.c
  ['io_error', /^EXT[234]-fs error \(device ([\w!.-]+)\)/],
  ['io_error', /^EXT[234]-fs \(([\w!.-]+)\): I\/O error/],
  ['io_error', /^(?:JBD2: )?Aborting journal on device ([\w!.-]+?)(?:[:-]\d+)?\.$/],
  [
    'io_error',
    /^XFS \(([\w!.-]+)\): (?:.*I\/O error|Corruption of in-memory data|.*[Ss]hutting down filesystem|.*has been shut down)/,
  ],
  ['io_error', /^BTRFS(?: error|: error|: bdev)? ?\(?(?:device ([\w!.-]+)).*(?:errs: wr|errno=-5|bdev)/],
  ['io_error', /^(?:nvme )?(nvme\d+): (?:I\/O (?:tag )?\d+.* timeout|controller is down|Device not ready)/],
  ['io_error', /^nvme (nvme\d+): (?:I\/O (?:tag )?\d+.* timeout|controller is down|Device not ready)/],
  ['io_error', /^(ata\d+\.\d+): failed command: /],
  ['io_error', /^md\/\w+:(md\w+): Disk failure on /],
  // kernel/hung_task.c
  ['hung_task', /^INFO: task (.{1,31}?):\d+ (?:is )?blocked (?:in I\/O wait )?(?:on .* )?for more than \d+ seconds/],
  // fs/ext4/super.c, fs/btrfs/disk-io.c, fs/fat/misc.c, fs/nilfs2/super.c
  [
    'remounted_read_only',
    /^(?:EXT[234]-fs|NILFS|REISERFS) \((?:device )?([\w!.-]+)\): (?:error: )?[Rr]emounting filesystem read-only/,
  ],
  ['remounted_read_only', /^BTRFS(?: info| warning|:)? \(device ([\w!.-]+)(?: state \w+)?\): forced readonly/],
  ['remounted_read_only', /^FAT-fs \(([\w!.-]+)\): Filesystem has been set read-only/],
  // drivers/edac/edac_mc.c, arch/x86/kernel/cpu/mce, mm/memory-failure.c
  ['ecc_error', /^EDAC (MC\d+): \d+ (?:CE|UE) /],
  [
    'ecc_error',
    /^(?:mce: )?(?:\{\d+\})?\[Hardware Error\]: (?:Machine check events logged|(CPU \d+): Machine Check|Corrected error|Uncorrected|Deferred error|event severity: )/,
  ],
  ['ecc_error', /^Memory failure: 0x[\da-f]+: recovery action /],
  // net/netfilter/nf_conntrack_core.c
  ['conntrack_full', /^(?:(?:nf|ip)_conntrack: )+table full, dropping packet/],
  // arch/x86/mm/fault.c, arch/x86/kernel/traps.c, arch/arm64/mm/fault.c
  [
    'segfault',
    /^(?:traps: )?(.{1,15})\[\d+\]:? (?:segfault at [\da-f]+ ip |(?:trap [a-z ]+|general protection(?: fault)?) ip:|unhandled .*(?:fault|exception)|potentially unexpected fatal signal)/,
  ],
  // drivers/thermal/intel/therm_throt.c, drivers/thermal/thermal_core.c
  ['thermal_throttling', /^(?:mce: )?(CPU\d+): .*[Tt]emperature above threshold, cpu clock (?:is )?throttled/],
  ['thermal_throttling', /^(?:thermal )?(thermal_zone\d+|[\w-]+): (?:[\w-]+: )?critical temperature reached/],
  // kernel/time/clocksource.c, arch/x86/kernel/tsc.c
  ['time_source_changed', /^(?:clocksource: )?timekeeping watchdog.*: Marking clocksource '([\w-]+)' as unstable/],
  ['time_source_changed', /^(?:clocksource: )?Clocksource ([\w-]+) unstable \(delta/],
  ['time_source_changed', /^(?:tsc: |TSC: )?Marking (TSC) unstable due to /],
];

/** Every boot chooses a clock, so only a later choice is a change. */
const SWITCHED = /^(?:clocksource: )?Switch(?:ed|ing) to clocksource ([\w-]+)/;
const BOOT_SECONDS = 120;

/** Drivers print "DRIVER BUS INTERFACE: NIC Link is Down" in many orders, so the interface is the last name before it. */
const LINK = /^([\w:. ()/@-]*?)(?:NIC )?(?:Copper |Fiber |SerDes )?[Ll]ink (?:is )?([Dd]own|[Uu]p)\b/;
const BOND =
  /^(?:bonding: )?([\w.-]+): (?:\(slave ([\w.-]+)\): )?link status definitely (down|up)(?: for interface ([\w.-]+))?/;
/** Links of disks, slots, monitors and radios. */
const OTHER_LINK = /SATA|Slot|pcie|^ata\d|^usb|phy\d|drm|hda|Bluetooth/i;
const INTERFACE = /^[A-Za-z][\w.@-]{0,14}$/;

function linkEvent(text: string): KernelEvent | null {
  const bond = BOND.exec(text);
  if (bond) return { kind: bond[3] === 'up' ? 'link_up' : 'link_down', subject: bond[2] ?? bond[4] ?? bond[1] ?? null };
  const found = LINK.exec(text);
  const [, before = '', direction = ''] = found ?? [];
  if (!found || OTHER_LINK.test(before)) return null;
  const names = before.split(/[\s:]+/).filter((word) => INTERFACE.test(word) && !word.includes('watchdog'));
  const subject = names.at(-1);
  return subject === undefined ? null : { kind: direction.toLowerCase() === 'up' ? 'link_up' : 'link_down', subject };
}

/** Returns what a line of the kernel reports; null: nothing of the kinds. `up`: seconds since boot; null: not known. */
export function kernelEvent(text: string, up: number | null): KernelEvent | null {
  for (const [kind, pattern] of PATTERNS) {
    const found = pattern.exec(text);
    if (found) return { kind, subject: found[1] ?? null };
  }
  const clock = up !== null && up < BOOT_SECONDS ? null : SWITCHED.exec(text);
  if (clock) return { kind: 'time_source_changed', subject: clock[1] ?? null };
  return linkEvent(text);
}
