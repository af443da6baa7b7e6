import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { clearedCredential, judgeCredential } from './cleared-credential.ts';

/** As images for LXC and Incus make it at boot. */
const LXC = '[Service]\nProcSubset=all\nNoNewPrivileges=no\nLoadCredential=\nPrivateNetwork=no\nImportCredential=\n';
function machine(files: Record<string, string>): string {
  const root = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
const TOKEN = { 'etc/plimsoll/enrolment-token': 'plm_enrol_x\n' };

it.each([
  'run/systemd/system/service.d/zzz-lxc-service.conf',
  'usr/lib/systemd/system/service.d/50-x.conf',
  'etc/systemd/system/plimsoll.service.d/override.conf',
])('finds the drop-in %s', (path) => {
  const root = machine({ [path]: LXC });
  expect(clearedCredential(root)).toBe(join(root, path));
});

it.each([
  ['no drop-in', {}],
  ['one that names a credential', { 'run/systemd/system/service.d/a.conf': 'LoadCredential=x:/y\n' }],
  ['a file that is no drop-in', { 'run/systemd/system/service.d/a.bak': LXC }],
  ['one of another unit', { 'run/systemd/system/ssh.service.d/a.conf': LXC }],
])('finds none in %s', (_, files) => {
  expect(clearedCredential(machine(files))).toBeNull();
});

it.runIf(process.getuid?.() === 0)('names drop-in, file and remedy until the account owns the token', () => {
  const root = machine({ ...TOKEN, 'run/systemd/system/service.d/zzz-lxc-service.conf': LXC });
  expect(judgeCredential(root)).toMatchObject([
    {
      state: 'fail',
      text: expect.stringMatching(/zzz-lxc-service\.conf clears LoadCredential=/) as string,
      remedy: expect.stringContaining('Run the installer') as string,
    },
  ]);
  chownSync(join(root, 'etc/plimsoll/enrolment-token'), 12_345, 12_345);
  expect(judgeCredential(root)).toEqual([]);
});
