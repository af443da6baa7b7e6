import { helmUninstallCommand, hostUninstallCommand } from '../../format/install-command.ts';
import type { Target } from './install-progress.ts';

interface TargetText {
  label: string;
  /** What has to be there first. */
  requirements: readonly (readonly [string, string])[];
  /** What to look at when nothing comes, and how. */
  trouble: readonly (readonly [string, string])[];
  uninstall: (origin: string) => string;
}

export const TARGETS: Record<Target, TargetText> = {
  linux: {
    label: 'Linux',
    requirements: [
      ['Service manager', 'systemd'],
      ['Architecture', 'AMD64, ARM64'],
      ['Rights', 'root, once'],
    ],
    trouble: [
      ['Agent not running', 'systemctl status plimsoll'],
      ['What it says', 'journalctl -u plimsoll -n 50'],
    ],
    uninstall: hostUninstallCommand,
  },
  macos: {
    label: 'macOS',
    requirements: [
      ['Service manager', 'launchd'],
      ['Architecture', 'AMD64, ARM64'],
      ['Rights', 'administrator, once'],
    ],
    trouble: [
      ['Agent not running', 'sudo launchctl print system/app.plimsoll.collector'],
      ['What it says', 'tail -n 50 /var/log/plimsoll.log'],
    ],
    uninstall: hostUninstallCommand,
  },
  kubernetes: {
    label: 'Kubernetes',
    requirements: [
      ['Kubernetes', '1.19+'],
      ['Helm', '3.0+'],
      ['metrics-server', 'required'],
    ],
    trouble: [
      ['Pods not running', 'kubectl -n plimsoll-system get pods'],
      ['What they say', 'kubectl -n plimsoll-system logs ds/plimsoll-collectors-node-agent'],
    ],
    uninstall: () => helmUninstallCommand,
  },
};

export const TARGET_ORDER: readonly Target[] = ['linux', 'macos', 'kubernetes'];

export const targetOf = (text: string | null): Target => TARGET_ORDER.find((target) => target === text) ?? 'linux';
