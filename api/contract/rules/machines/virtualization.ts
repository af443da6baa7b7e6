import { ownValue } from '../printable-text.ts';

/** Words for `virtualization` of a report. Values that are not listed are shown as they came. */

const CONTAINERS: Partial<Record<string, string>> = {
  lxc: 'LXC container',
  openvz: 'OpenVZ container',
  docker: 'Docker container',
  podman: 'Podman container',
  'systemd-nspawn': 'systemd-nspawn container',
  kubernetes: 'Kubernetes pod',
  container: 'container',
};
const MACHINES: Partial<Record<string, string>> = {
  wsl1: 'Windows Subsystem for Linux 1',
  wsl2: 'Windows Subsystem for Linux 2',
  vmware: 'VMware virtual machine',
  virtualbox: 'VirtualBox virtual machine',
  'hyper-v': 'Hyper-V virtual machine',
  xen: 'Xen virtual machine',
  amazon: 'Amazon EC2 virtual machine',
  google: 'Google Cloud virtual machine',
  kvm: 'KVM virtual machine',
  parallels: 'Parallels virtual machine',
  powervm: 'PowerVM partition',
  zvm: 'z/VM virtual machine',
  uml: 'User-mode Linux',
  hypervisor: 'virtual machine',
};

/** Returns the name of a container's kind, such as "LXC container"; null if it is no container. */
export const containerName = (virtualization: string): string | null => ownValue(CONTAINERS, virtualization) ?? null;

/** Returns what a server runs in. A container shows neither the name nor the size of its host, so its host is unknown. */
export function virtualizationText(virtualization: string): string {
  const container = containerName(virtualization);
  const text =
    container === null ? (ownValue(MACHINES, virtualization) ?? virtualization) : `${container} on an unknown host`;
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
