import { helmUninstallCommand, hostUninstallCommand } from '../../format/install-command.ts';
import type { KitTarget } from '@plimsoll/contract/wire/install';
import type { Target } from './install-progress.ts';

interface TargetText {
  label: string;
  /** The kits its machines need, by the name of their architecture; a cluster pulls an image instead. */
  kits: readonly (readonly [string, KitTarget])[];
  /** Requirements. */
  requirements: readonly (readonly [string, string])[];
  /** Checks when nothing arrives, with the command of each. */
  trouble: readonly (readonly [string, string])[];
  uninstall: (origin: string) => string;
}

export const TARGETS: Record<Target, TargetText> = {
  linux: {
    label: 'Linux',
    kits: [
      ['AMD64', 'linux-x64'],
      ['ARM64', 'linux-arm64'],
    ],
    requirements: [
      ['Service manager', 'systemd'],
      ['Architecture', 'AMD64, ARM64'],
      ['Rights', 'root, once'],
    ],
    trouble: [
      ['Agent not running', 'systemctl status plimsoll'],
      ['Log of the agent', 'journalctl -u plimsoll -n 50'],
    ],
    uninstall: hostUninstallCommand,
  },
  macos: {
    label: 'macOS',
    kits: [
      ['AMD64', 'darwin-x64'],
      ['ARM64', 'darwin-arm64'],
    ],
    requirements: [
      ['Service manager', 'launchd'],
      ['Architecture', 'AMD64, ARM64'],
      ['Rights', 'administrator, once'],
    ],
    trouble: [
      ['Agent not running', 'sudo launchctl print system/app.plimsoll.collector'],
      ['Log of the agent', 'tail -n 50 /var/log/plimsoll.log'],
    ],
    uninstall: hostUninstallCommand,
  },
  kubernetes: {
    label: 'Kubernetes',
    kits: [],
    requirements: [
      ['Kubernetes', '1.19+'],
      ['Helm', '3.0+'],
      ['metrics-server', 'required'],
    ],
    trouble: [
      ['Pods not running', 'kubectl -n plimsoll-system get pods'],
      ['Logs of the agents', 'kubectl -n plimsoll-system logs ds/plimsoll-collectors-node-agent'],
    ],
    uninstall: () => helmUninstallCommand,
  },
};

export const TARGET_ORDER: readonly Target[] = ['linux', 'macos', 'kubernetes'];

export const targetOf = (text: string | null): Target => TARGET_ORDER.find((target) => target === text) ?? 'linux';

/** Returns the architectures of a tab without a kit, and true in `all` if none of them has one. */
export function missingKits(target: Target, kits: readonly KitTarget[]): { names: string[]; all: boolean } {
  const wanted = TARGETS[target].kits;
  const names = wanted.filter(([, kit]) => !kits.includes(kit)).map(([name]) => name);
  return { names, all: names.length > 0 && names.length === wanted.length };
}
