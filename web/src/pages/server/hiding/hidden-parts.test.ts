import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import { expect, it } from 'vitest';
import { withoutHidden } from './hidden-parts.ts';

const SERVER = {
  filesystems: [{ mount: '/' }, { mount: '/mnt/usb' }],
  interfaces: [{ name: 'eth0' }, { name: 'eth1' }],
  temperatures: [{ chip: 'nvme', label: 'Composite' }],
  containers: [
    { id: 'a', name: null },
    { id: 'b', name: 'web' },
  ],
} as unknown as ServerDetail;

it('leaves out what is hidden by the subject of its alerts, and nothing of the same name of another kind', () => {
  const shown = withoutHidden(SERVER, [
    { kind: 'filesystem', subject: '/mnt/usb' },
    { kind: 'sensor', subject: 'nvme Composite' },
    { kind: 'container', subject: 'a' },
    { kind: 'filesystem', subject: 'eth0' },
  ]);
  expect(shown).toMatchObject({
    filesystems: [{ mount: '/' }],
    interfaces: [{ name: 'eth0' }, { name: 'eth1' }],
    temperatures: [],
    containers: [{ name: 'web' }],
  });
  expect(withoutHidden({ ...SERVER, containers: null }, [{ kind: 'container', subject: 'a' }]).containers).toBeNull();
});
