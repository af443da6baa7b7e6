import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMachine } from '../../testing/machine.ts';
import { isNewer, newerKernel } from './kernels.ts';
import { parseUpdateMotd, parseUpdateNotifier, updateSource } from './updates.ts';

const read = (machine: string, sharesKernel = false) =>
  updateSource(parseMachine(machine).files, sharesKernel).read({ ts: 0, up: 0 });
const kernels = (running: string, ...installed: string[]) =>
  newerKernel(
    parseMachine(
      [`Line: proc/sys/kernel/osrelease ${running}`, ...installed.map((one) => `Line: boot/vmlinuz-${one} EOF`)].join(
        '\n',
      ),
    ).files,
  );

describe('pending updates', () => {
  it('are N/A where nothing counts them and nothing knows of a reboot', async () => {
    expect(await read('Line: proc/sys/kernel/osrelease 6.1.0-25-amd64\n')).toEqual({ part: {} });
  });

  it.each([
    ['0 updates can be applied immediately.\n', 0, 0],
    ['1 update can be applied immediately.\n1 of these updates is a standard security update.\n', 1, 1],
    ['12 updates can be applied immediately.\n3 of these updates are standard security updates.\n', 12, 3],
    ['5 packages can be updated.\n0 updates are security updates.\n', 5, 0],
    ['1 package can be updated.\n1 update is a security update.\n', 1, 1],
    ['60 updates can be installed immediately.\n0 of these updates are security updates.\n', 60, 0],
    // Updates of a subscription nobody has are no updates of this machine.
    ['0 updates can be applied immediately.\n\n14 additional security updates can be applied with ESM Apps.\n', 0, 0],
    ['12 Aktualisierungen können sofort angewendet werden.\n', null, null],
    ['', null, null],
  ])('of update-notifier: %j', (text, pending, security) => {
    expect(parseUpdateNotifier(text)).toEqual({ pending, security });
  });

  it.each([
    ['3 package(s) needed for security, out of 12 available', 12, 3],
    ['No packages needed for security; 5 packages available', 5, 0],
    ['Welcome', null, null],
  ])('of update-motd: %j', (text, pending, security) => {
    expect(parseUpdateMotd(text)).toEqual({ pending, security });
  });

  it('of a translated text are N/A with the reason', async () => {
    const { part, note } = await read(
      'Line: var/lib/update-notifier/updates-available 12 Aktualisierungen\nLine: run/reboot-required EOF\n',
    );
    expect(part.updates).toMatchObject({ pending: null, security: null, reboot_required: true });
    expect(note).toBe('the text of update-notifier has no count that can be read');
  });

  it('of Proxmox are counted again when the list changed, and are N/A when it is damaged', async () => {
    const machine = parseMachine(
      'Line: var/lib/pve-manager/pkgupdates [{},{}]\nChanged: var/lib/pve-manager/pkgupdates 1000\n' +
        'Line: proc/sys/kernel/osrelease 6.8.12-2-pve\nLine: boot/vmlinuz-6.8.12-2-pve EOF\n' +
        'Later:\nLine: var/lib/pve-manager/pkgupdates [{},{},{\nChanged: var/lib/pve-manager/pkgupdates 2000\n',
    );
    const source = updateSource(machine.files, false);
    expect((await source.read({ ts: 0, up: 0 })).part.updates).toMatchObject({
      pending: 2,
      checked_at: 1000,
      reboot_required: false,
    });
    machine.later();
    expect((await source.read({ ts: 0, up: 599 })).part.updates).toMatchObject({ pending: 2 });
    expect((await source.read({ ts: 0, up: 600 })).part.updates).toMatchObject({ pending: null, checked_at: 2000 });
  });

  it('are whole numbers, whatever stands in the text', () => {
    const line = fc.oneof(
      fc.string(),
      fc.bigInt().map((one) => `${String(one)} updates can be applied immediately.`),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const { pending } = parseUpdateNotifier(lines.join('\n'));
        expect(pending === null || (Number.isSafeInteger(pending) && pending >= 0)).toBe(true);
      }),
    );
  });
});

describe('a reboot', () => {
  it.each([
    ['a newer one of the same kind', '6.1.0-25-amd64', ['6.1.0-25-amd64', '6.1.0-26-amd64'], '6.1.0-26-amd64'],
    ['one of another kind', '6.1.0-25-amd64', ['6.1.0-25-amd64', '6.12.1-cloud-amd64'], null],
    ['an older one', '6.10.0-1-amd64', ['6.10.0-1-amd64', '6.9.0-9-amd64'], null],
    [
      'RHEL with a point release',
      '5.14.0-427.el9.x86_64',
      ['5.14.0-427.5.1.el9_4.x86_64'],
      '5.14.0-427.5.1.el9_4.x86_64',
    ],
    ['Arch, which removes the old one', '6.12.1-arch1-1', ['6.12.1-arch1-2'], '6.12.1-arch1-2'],
  ])('for a kernel: %s', (_, running, installed, newest) => {
    expect(kernels(running, ...installed)).toEqual({ running, newest });
  });

  it('is unknown where no kernel of the kind is installed', () => {
    expect(kernels('6.1.102')).toBeNull();
    expect(kernels('5.15.153.1-microsoft-standard-WSL2', '6.8.0-40-generic')).toBeNull();
  });

  it('is not for a kernel of the host of a container', async () => {
    const machine = 'Line: proc/sys/kernel/osrelease 6.1.0-25-amd64\nLine: boot/vmlinuz-6.1.0-26-amd64 EOF\n';
    expect((await read(machine)).part.updates?.reboot_required).toBe(true);
    expect((await read(machine, true)).part).toEqual({});
  });

  it('finds a kernel beside its modules, and none where only modules were left behind', async () => {
    const modules = (more: string) =>
      read(
        `Line: proc/sys/kernel/osrelease 6.11.4-301.fc41.x86_64\nDirectory: lib/modules/6.12.1-200.fc41.x86_64\n${more}`,
      );
    expect((await modules('')).part).toEqual({});
    const { part } = await modules('Line: lib/modules/6.11.10-300.fc41.x86_64/vmlinuz EOF\n');
    expect(part.updates?.reboot_reason).toBe(
      'kernel 6.11.10-300.fc41.x86_64 is installed, 6.11.4-301.fc41.x86_64 runs',
    );
  });

  it('compares versions as an order', () => {
    const version = fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }).map((numbers) => numbers.join('.'));
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(isNewer(a, a)).toBe(false);
        expect(isNewer(a, b) && isNewer(b, a)).toBe(false);
        expect(!isNewer(a, b) || !isNewer(b, c) || isNewer(a, c)).toBe(true);
      }),
    );
  });
});
