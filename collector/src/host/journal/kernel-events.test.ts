import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kernelEvent, type KernelEvent } from './kernel-events.ts';

type Kind = KernelEvent['kind'];
/** Lines as journald stores them: without the time that dmesg prints. From kernels 2.6 to 6.12. */
const SEEN: readonly [kind: Kind, subject: string | null, line: string][] = [
  [
    'oom_kill',
    'leaker',
    'Memory cgroup out of memory: Killed process 23793 (leaker) total-vm:2623712kB, anon-rss:506500kB, file-rss:1268kB, shmem-rss:0kB',
  ],
  [
    'oom_kill',
    'mysqld',
    'Out of memory: Killed process 1211 (mysqld) total-vm:4012344kB, anon-rss:3188212kB, file-rss:0kB, shmem-rss:0kB, UID:27 pgtables:6520kB oom_score_adj:0',
  ],
  ['oom_kill', 'python3', 'Out of memory: Kill process 1234 (python3) score 900 or sacrifice child'],
  ['oom_kill', 'java', 'Memory cgroup out of memory: Kill process 4711 (java) score 1974 or sacrifice child'],
  [
    'oom_kill',
    'stress',
    'Out of memory (oom_kill_allocating_task): Kill process 901 (stress) score 0 or sacrifice child',
  ],
  [
    'oom_kill',
    '(sd-pam)',
    'Out of memory: Killed process 77 ((sd-pam)) total-vm:171952kB, anon-rss:3020kB, file-rss:0kB, shmem-rss:0kB, UID:1000 pgtables:92kB oom_score_adj:100',
  ],
  [
    'oom_kill',
    'Web Content',
    'Out of memory: Killed process 8812 (Web Content), UID 1000, total-vm:3412344kB, anon-rss:1188212kB, file-rss:0kB',
  ],
  ['io_error', 'sda', 'I/O error, dev sda, sector 42542864 op 0x0:(READ) flags 0x80700 phys_seg 8 prio class 2'],
  [
    'io_error',
    'sde',
    'blk_update_request: I/O error, dev sde, sector 4054268520 op 0x1:(WRITE) flags 0x100000 phys_seg 62 prio class 0',
  ],
  ['io_error', 'nvme0n1', 'print_req_error: I/O error, dev nvme0n1, sector 391264'],
  ['io_error', 'sdc', 'end_request: I/O error, dev sdc, sector 53089303'],
  [
    'io_error',
    'sdb',
    'blk_update_request: critical medium error, dev sdb, sector 1051200 op 0x0:(READ) flags 0x0 phys_seg 1 prio class 0',
  ],
  [
    'io_error',
    'vdb',
    'critical space allocation error, dev vdb, sector 8192 op 0x1:(WRITE) flags 0x800 phys_seg 1 prio class 2',
  ],
  ['io_error', 'sda1', 'Buffer I/O error on device sda1, logical block 29'],
  ['io_error', 'dm-0', 'Buffer I/O error on dev dm-0, logical block 1310704, async page read'],
  [
    'io_error',
    'sdb7',
    'EXT4-fs error (device sdb7): ext4_get_branch:171: inode #8: block 30343695: comm jbd2/sdb7-8: invalid block',
  ],
  [
    'io_error',
    'dm-17',
    'EXT4-fs error (device dm-17): ext4_journal_check_start:87: comm mosquitto: Detected aborted journal',
  ],
  [
    'io_error',
    'sda3',
    'EXT4-fs error (device sda3): check_block_validity: inode #4196 logical block 54 mapped to 67638 (size 2)',
  ],
  ['io_error', 'sda2', 'EXT4-fs (sda2): I/O error while writing superblock'],
  ['io_error', 'sdb7', 'Aborting journal on device sdb7-8.'],
  ['io_error', 'sda3', 'Aborting journal on device sda3:8.'],
  ['io_error', 'dm-0', 'JBD2: Aborting journal on device dm-0-8.'],
  [
    'io_error',
    'sda1',
    'XFS (sda1): metadata I/O error in "xfs_imap_to_bp+0x5c/0xa0 [xfs]" at daddr 0x1f40 len 32 error 5',
  ],
  ['io_error', 'dm-2', 'XFS (dm-2): log I/O error -5'],
  ['io_error', 'dm-2', 'XFS (dm-2): Filesystem has been shut down due to log error (0x2).'],
  ['io_error', 'sdb1', 'BTRFS error (device sdb1): bdev /dev/sdb1 errs: wr 1, rd 0, flush 0, corrupt 0, gen 0'],
  ['io_error', 'nvme0', 'nvme nvme0: I/O 834 QID 4 timeout, aborting'],
  ['io_error', 'nvme1', 'nvme nvme1: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0x10'],
  ['io_error', 'ata1.00', 'ata1.00: failed command: READ DMA EXT'],
  ['io_error', 'md0', 'md/raid1:md0: Disk failure on sdb1, disabling device.'],
  ['hung_task', 'cryptomgr_test', 'INFO: task cryptomgr_test:391009 blocked for more than 120 seconds.'],
  ['hung_task', 'DataXceiver for', 'INFO: task DataXceiver for:7494 blocked for more than 120 seconds.'],
  ['hung_task', 'kworker/u16:9', 'INFO: task kworker/u16:9:7088 blocked for more than 120 seconds.'],
  ['hung_task', 'jbd2/vda1-8', 'INFO: task jbd2/vda1-8:312 blocked for more than 241 seconds.'],
  ['hung_task', 'rsync', 'INFO: task rsync:2201 blocked in I/O wait for more than 122 seconds.'],
  ['remounted_read_only', 'sdb7', 'EXT4-fs (sdb7): Remounting filesystem read-only'],
  ['remounted_read_only', 'sda1', 'EXT3-fs (sda1): error: remounting filesystem read-only'],
  ['remounted_read_only', 'sdb1', 'BTRFS info (device sdb1): forced readonly'],
  ['remounted_read_only', 'dm-0', 'BTRFS info (device dm-0 state EA): forced readonly'],
  ['remounted_read_only', 'sdc1', 'FAT-fs (sdc1): Filesystem has been set read-only'],
  ['remounted_read_only', 'sdd1', 'NILFS (sdd1): Remounting filesystem read-only'],
  ['link_down', 'eth0', 'e1000: eth0: e1000_watchdog: NIC Link is Down'],
  ['link_down', 'enp3s0', 'igc 0000:03:00.0 enp3s0: NIC Link is Down'],
  ['link_down', 'enp0s31f6', 'e1000e: enp0s31f6 NIC Link is Down'],
  ['link_down', 'eth0', 'igb 0000:01:00.0 eth0: igb: eth0 NIC Link is Down'],
  ['link_down', 'eth1', 'tg3 0000:02:00.1 eth1: Link is down'],
  ['link_down', 'enp2s0', 'r8169 0000:02:00.0 enp2s0: Link is Down'],
  ['link_down', 'eth0', 'r8169 0000:03:00.0: eth0: link down'],
  ['link_down', 'em1', 'bnx2 0000:01:00.0 em1: NIC Copper Link is Down'],
  ['link_down', 'ens1f0np0', 'mlx5_core 0000:3b:00.0 ens1f0np0: Link down'],
  ['link_down', 'eth2', 'mtk_soc_eth 15100000.ethernet eth2: Link is Down'],
  ['link_down', 'ens160', 'vmxnet3 0000:03:00.0 ens160: NIC Link is Down'],
  ['link_down', 'ens4f0', 'bond0: link status definitely down for interface ens4f0, disabling it'],
  ['link_down', 'eth1', 'bond0: (slave eth1): link status definitely down, disabling slave'],
  ['link_up', 'enp3s0', 'igc 0000:03:00.0 enp3s0: NIC Link is Up 2500 Mbps Full Duplex, Flow Control: RX/TX'],
  ['link_up', 'eth1', 'bond0: (slave eth1): link status definitely up, 40000 Mbps full duplex'],
  ['link_up', 'eth0', 'bcmgenet fd580000.ethernet eth0: Link is Up - 1Gbps/Full - flow control rx/tx'],
  [
    'ecc_error',
    'MC0',
    'EDAC MC0: 1 UE memory read error on CPU_SrcID#0_MC#0_Chan#1_DIMM#0 (channel:1 slot:0 page:0x7740c0 offset:0x0 grain:32)',
  ],
  [
    'ecc_error',
    'MC1',
    'EDAC MC1: 5 CE memory read error on CPU_SrcID#2_Channel#2_DIMM#0 (channel:2 slot:0 page:0x2007e9ea offset:0x100 grain:32 syndrome:0x0 -  OVERFLOW area:DRAM err_code:0001:0092 socket:2 channel_mask:2 rank:0)',
  ],
  ['ecc_error', null, 'mce: [Hardware Error]: Machine check events logged'],
  ['ecc_error', 'CPU 2', 'mce: [Hardware Error]: CPU 2: Machine Check: 0 Bank 4: e600000000020408'],
  ['ecc_error', null, '{1}[Hardware Error]: event severity: corrected'],
  ['ecc_error', null, 'Memory failure: 0x7740c0: recovery action for dirty page: Recovered'],
  ['conntrack_full', null, 'nf_conntrack: nf_conntrack: table full, dropping packet'],
  ['conntrack_full', null, 'nf_conntrack: table full, dropping packet'],
  ['conntrack_full', null, 'ip_conntrack: table full, dropping packet.'],
  ['segfault', 'narnia2', 'narnia2[12111]: segfault at 0 ip 00000000ffffd672 sp 00000000ffffd630 error 6'],
  [
    'segfault',
    'a',
    'a[18815]: segfault at 0 ip 0000563f444a8463 sp 00007fffa95db510 error 6 in a[563f444a5000+5000] likely on CPU 3 (core 1, socket 0)',
  ],
  [
    'segfault',
    'tokio-runtime-w',
    'traps: tokio-runtime-w[3117] trap invalid opcode ip:7f16ab3157f0 sp:7ffc2a273128 error:0 in alternator[64e520,55ff480b3000+5f6000]',
  ],
  [
    'segfault',
    'node',
    'traps: node[551] general protection fault ip:7f58d44b8f64 sp:7ffc2a273128 error:0 in libc.so.6[7f58d4428000+175000]',
  ],
  [
    'segfault',
    'nginx',
    'nginx[411]: unhandled level 2 translation fault (11) at 0x00000000, esr 0x92000006, in nginx[aaaad1b40000+133000]',
  ],
  ['thermal_throttling', 'CPU0', 'CPU0: Core temperature above threshold, cpu clock throttled (total events = 22034)'],
  [
    'thermal_throttling',
    'CPU4',
    'mce: CPU4: Package temperature above threshold, cpu clock throttled (total events = 1)',
  ],
  ['thermal_throttling', 'CPU1', 'CPU1: Temperature above threshold, cpu clock throttled'],
  ['thermal_throttling', 'thermal_zone0', 'thermal thermal_zone0: acpitz: critical temperature reached, shutting down'],
  [
    'time_source_changed',
    'tsc',
    "clocksource: timekeeping watchdog on CPU373: Marking clocksource 'tsc' as unstable because the skew is too large:",
  ],
  [
    'time_source_changed',
    'tsc-early',
    "clocksource: timekeeping watchdog on CPU1: Marking clocksource 'tsc-early' as unstable because the skew is too large:",
  ],
  ['time_source_changed', 'tsc', 'Clocksource tsc unstable (delta = 4686919114 ns)'],
  ['time_source_changed', 'TSC', 'tsc: Marking TSC unstable due to clocksource watchdog'],
  ['time_source_changed', 'hpet', 'clocksource: Switched to clocksource hpet'],
  ['time_source_changed', 'acpi_pm', 'Switching to clocksource acpi_pm'],
];

/** Lines of the same kernels that look alike. */
const ALIKE = [
  'oom_reaper: reaped process 23793 (leaker), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB',
  'java invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0',
  'oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),oom_memcg=/leaker,task_memcg=/leaker,task=leaker,pid=23793,uid=0',
  'Killed process 1234 (python3) total-vm:8123456kB, anon-rss:8000000kB, file-rss:0kB',
  'Tasks in /docker/3f killed as a result of limit of /docker/3f',
  'io scheduler mq-deadline registered',
  'sd 0:0:0:0: [sda] Write cache: enabled, read cache: enabled, supports DPO and FUA',
  'EXT4-fs (sda1): mounted filesystem with ordered data mode. Opts: errors=remount-ro',
  'EXT4-fs (sda1): re-mounted. Opts: errors=remount-ro. Quota mode: none.',
  'EXT4-fs (sda1): re-mounted 8e5e3ac3-6a05-4f2b-a6f1-2b0c0f6f5d22 ro.',
  'XFS (sda1): Mounting V5 Filesystem 0b1c',
  'BTRFS info (device sdb1): disk space caching is enabled',
  'BTRFS info (device sdb1): using free space tree',
  'nvme nvme0: 8/0/0 default/read/poll queues',
  'ata1: SATA link down (SStatus 0 SControl 300)',
  'ata6: SATA link up 6.0 Gbps (SStatus 133 SControl 300)',
  'pcieport 0000:00:1c.0: pciehp: Slot(1): Link Down',
  'IPv6: ADDRCONF(NETDEV_UP): eth0: link is not ready',
  'IPv6: ADDRCONF(NETDEV_CHANGE): enp0s31f6: link becomes ready',
  'bond0: (slave veth2): link status down for interface, disabling it in 200 ms',
  'br0: port 1(veth3f2) entered disabled state',
  'device enp95s0f0 left promiscuous mode',
  'EDAC MC: Ver: 3.0.0',
  'EDAC MC0: Giving out device to module skx_edac controller Skylake Socket#0 IMC#0: DEV 0000:3a:0a.0 (INTERRUPT)',
  'EDAC amd64: Node 0: DRAM ECC enabled.',
  'mce: CPU supports 7 MCE banks',
  'nf_conntrack version 0.5.0 (16384 buckets, 65536 max)',
  'net_ratelimit: 3939 callbacks suppressed',
  'nf_conntrack: default automatic helper assignment has been turned off',
  'traps: PANIC: double fault, error_code: 0x0',
  'CPU0: Core temperature/speed normal',
  'mce: CPU4: Package temperature/speed normal',
  'thermal thermal_zone0: failed to read out thermal zone (-61)',
  "clocksource:                       'hpet' wd_nsec: 0 wd_now: ffd70be2 wd_last: 40da633b mask: ffffffff",
  'clocksource: jiffies: mask: 0xffffffff max_cycles: 0xffffffff, max_idle_ns: 7645041785100000 ns',
  'systemd[1]: Out of memory is only mentioned here: Killed process 1 (x) total-vm:1',
  '[UFW BLOCK] IN=eth0 OUT= MAC=00 SRC=203.0.113.7 DST=198.51.100.2 LEN=40 PROTO=TCP SPT=52 DPT=22',
];

describe('lines of the kernel', () => {
  it('has 60 lines and more, and each kind', () => {
    expect(new Set(SEEN.map(([, , line]) => line)).size).toBe(SEEN.length);
    expect(SEEN.length).toBeGreaterThanOrEqual(60);
    expect(new Set(SEEN.map(([kind]) => kind)).size).toBe(11);
  });

  it.each(SEEN)('%s of %s: %s', (kind, subject, line) => {
    expect(kernelEvent(line, 5000)).toEqual({ kind, subject });
  });

  it.each(ALIKE)('no event: %s', (line) => {
    expect(kernelEvent(line, 5000)).toBeNull();
  });

  it('takes no clock that the boot chooses for a change', () => {
    expect(kernelEvent('clocksource: Switched to clocksource tsc', 2)).toBeNull();
    expect(kernelEvent('clocksource: Switched to clocksource tsc', null)?.kind).toBe('time_source_changed');
  });

  it('lets no process name forge an event of another kind', () => {
    expect(kernelEvent('Out of memory: Killed process 1 (a) total-vm:1(b) total-vm:12kB, anon-rss:1kB', 1)?.kind).toBe(
      'oom_kill',
    );
    expect(kernelEvent('audit: comm="I/O error, dev sda, sector 1"', 1)).toBeNull();
    expect(kernelEvent('nf_conntrack: t[9]: segfault at 0 ip 0 sp 0 error 4', 1)?.kind).toBe('segfault');
  });

  it('never throws, whatever the line is', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...SEEN.map(([, , line]) => line), 'Link ', ': ', '('),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.option(fc.double(), { nil: null }), (pieces, up) => {
        const event = kernelEvent(pieces.join(''), up);
        expect(event === null || event.subject === null || event.subject.length <= 64).toBe(true);
      }),
    );
  });
});
