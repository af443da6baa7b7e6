import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/folder.ts';
import { fileToken, findCredentials, inCluster } from './credentials.ts';

/** The mounted folder of a service account. */
function mounted(token = 'token-1\n'): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'token'), token);
  writeFileSync(join(folder, 'ca.crt'), 'the authority');
  return folder;
}
const kubeconfig = (text: string): string => {
  const file = join(temporaryFolder(), 'config');
  writeFileSync(file, text);
  return file;
};
const outside = { serviceHost: null, servicePort: null, kubeconfig: null, serviceAccountDir: '/nowhere' };

describe('fileToken', () => {
  it('reads the file once a minute, as the kubelet renews it', async () => {
    let now = 0;
    const folder = mounted();
    const token = fileToken(join(folder, 'token'), () => now);
    expect(await token(false)).toBe('token-1');
    writeFileSync(join(folder, 'token'), 'token-2\n');
    now = 59_999;
    expect(await token(false)).toBe('token-1');
    now = 60_000;
    expect(await token(false)).toBe('token-2');
    writeFileSync(join(folder, 'token'), 'token-3\n');
    now = 119_999;
    expect(await token(false)).toBe('token-2');
  });

  it('reads it at once when the server refused the old one', async () => {
    const folder = mounted();
    const token = fileToken(join(folder, 'token'), () => 0);
    await token(false);
    writeFileSync(join(folder, 'token'), 'token-2\n');
    expect([await token(true), await token(false)]).toEqual(['token-2', 'token-2']);
  });

  it('names the file that is not there', () => {
    expect(() => fileToken('/nowhere/token', () => 0)(false)).toThrow('/nowhere/token');
  });
});

describe('inCluster', () => {
  it.each([
    ['10.96.0.1', '443', 'https://10.96.0.1:443'],
    ['fd00:10:96::1', '6443', 'https://[fd00:10:96::1]:6443'],
    ['kubernetes.default.svc', '443', 'https://kubernetes.default.svc:443'],
  ])('of %s port %s is %s', async (host, port, server) => {
    const found = inCluster(host, port, () => 0, mounted());
    expect([found.server, String(found.ca), await found.token(false)]).toEqual([server, 'the authority', 'token-1']);
    expect(found.insecureSkipVerify).toBeUndefined();
  });

  it('without a mounted service account names what is missing', () => {
    expect(() => inCluster('10.96.0.1', '443', () => 0, '/nowhere')).toThrow('/nowhere/ca.crt');
  });
});

describe('findCredentials', () => {
  it('takes the service account inside a cluster', async () => {
    const surroundings = { ...outside, serviceHost: '10.96.0.1', servicePort: '443', serviceAccountDir: mounted() };
    expect((await findCredentials(surroundings, () => 0)).server).toBe('https://10.96.0.1:443');
  });

  it('says which file KUBECONFIG names in vain, also inside a cluster', async () => {
    const surroundings = { ...outside, serviceHost: '10.96.0.1', servicePort: '443', kubeconfig: '/nowhere/config' };
    await expect(findCredentials(surroundings, () => 0)).rejects.toThrow(
      'KUBECONFIG names /nowhere/config, which does not exist',
    );
  });

  it('takes server, authority and token of the current context', async () => {
    const file = kubeconfig(`
apiVersion: v1
kind: Config
current-context: here
contexts: [{ name: here, context: { cluster: c, user: u } }, { name: there, context: { cluster: d, user: u } }]
clusters:
  - { name: c, cluster: { server: "https://10.0.0.1:6443/", certificate-authority-data: ${Buffer.from('ca').toString('base64')} } }
  - { name: d, cluster: { server: "https://10.0.0.2:6443" } }
users: [{ name: u, user: { token: secret } }]
`);
    const found = await findCredentials({ ...outside, kubeconfig: file }, () => 0);
    expect([found.server, String(found.ca), await found.token(false)]).toEqual([
      'https://10.0.0.1:6443',
      'ca',
      'secret',
    ]);
    expect(found.insecureSkipVerify).toBeFalsy();
  });

  it('says what a kubeconfig without a current context lacks', async () => {
    const file = kubeconfig('apiVersion: v1\nkind: Config\nclusters: []\ncontexts: []\nusers: []\n');
    await expect(findCredentials({ ...outside, kubeconfig: file }, () => 0)).rejects.toThrow('set current-context');
  });
});
