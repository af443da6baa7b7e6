import { expect, it } from 'vitest';
import { containerName, virtualizationText } from './virtualization.ts';

it.each([
  ['lxc', 'LXC container on an unknown host'],
  ['container', 'Container on an unknown host'],
  ['kvm', 'KVM virtual machine'],
  ['hypervisor', 'Virtual machine'],
  ['wsl2', 'Windows Subsystem for Linux 2'],
  ['powervm', 'PowerVM partition'],
  ['bhyve', 'Bhyve'],
  ['constructor', 'Constructor'],
])('%s is shown as %s', (value, text) => {
  expect(virtualizationText(value)).toBe(text);
});

it('has no container’s name for a virtual machine', () => {
  expect(containerName('kvm')).toBeNull();
});
