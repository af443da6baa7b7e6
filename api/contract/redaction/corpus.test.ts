import { describe, expect, it } from 'vitest';
import { BETWEEN, parseCorpus } from './corpus.ts';
import { BLIND_HARMLESS, BLIND_SECRETS } from './corpus-blind.ts';
import { HARMLESS as HARMLESS_LINES } from './corpus-harmless.ts';
import { HELD_OUT } from './corpus-held-out.ts';
import { SEEN } from './corpus-seen.ts';
import { UNSEEN } from './corpus-unseen.ts';
import { redactArguments, redactCommand } from './redact.ts';

/** The secret of each command line. "|" separates its words; S stands for the secret. */
const S = 'hunter2-Qz81';
const SECRETS = [
  `mysql|-uroot|-p${S}|db`,
  `/usr/bin/mysqldump|--single-transaction|-p${S}|shop`,
  `mariadb|--password=${S}`,
  `mysqladmin|--password|${S}|status`,
  `sudo|-u|backup|mysqldump|-p${S}`,
  `redis-cli|-h|cache|-a|${S}|PING`,
  `redis-cli|--pass|${S}`,
  `redis-cli|-a${S}`,
  `redis-server|*:6379|--requirepass|${S}`,
  `redis-cli|CONFIG|SET|requirepass|${S}`,
  `redis-cli|AUTH|${S}`,
  `curl|-u|admin:${S}|https://api.example.com`,
  `curl|-uadmin:${S}|https://api.example.com`,
  `curl|--user|admin:${S}|https://api.example.com`,
  `curl|-H|Authorization: Bearer ${S}|https://api.example.com`,
  `curl|-HAuthorization: Basic ${S}|https://api.example.com`,
  `curl|--header|X-Api-Key: ${S}|https://api.example.com`,
  `curl|-H|Cookie: session=${S}|https://api.example.com`,
  `curl|-b|sid=${S}|https://api.example.com`,
  `curl|--oauth2-bearer|${S}|https://api.example.com`,
  `curl|-d|{"user":"bob","password":"${S}"}|https://api.example.com`,
  `curl|-d|user=bob&password=${S}&x=1|https://api.example.com`,
  `curl|--proxy-user|me:${S}|https://api.example.com`,
  `curl|https://bob:${S}@api.example.com/v1`,
  `curl|https://api.example.com/v1?page=2&access_token=${S}`,
  `curl|https://api.example.com/v1?api_key=${S}#top`,
  `wget|--http-password=${S}|https://example.com`,
  `wget|--header=Authorization: Bearer ${S}|https://example.com`,
  `http|-a|bob:${S}|example.com`,
  `sshpass|-p|${S}|ssh|root@host`,
  `sshpass|-p${S}|ssh|root@host`,
  `openssl|enc|-aes-256-cbc|-pass|pass:${S}`,
  `openssl|rsa|-passin|pass:${S}|-in|key.pem`,
  `openssl|enc|-k|${S}`,
  `ldapsearch|-x|-D|cn=admin|-w|${S}`,
  `ldapmodify|-w${S}|-f|x.ldif`,
  `docker|login|-u|me|-p|${S}|registry.example.com`,
  `docker|run|-e|POSTGRES_PASSWORD=${S}|postgres`,
  `docker|run|--env|API_TOKEN=${S}|app`,
  `podman|login|--password|${S}|quay.io`,
  `skopeo|copy|--src-creds|me:${S}|docker://a|docker://b`,
  `helm|upgrade|app|./chart|--set|db.password=${S}`,
  `helm|upgrade|app|./chart|--set=image.tag=1,auth.token=${S}`,
  `kubectl|create|secret|generic|x|--from-literal=anything=${S}`,
  `kubectl|config|set-credentials|me|--token=${S}`,
  `psql|postgresql://app:${S}@db:5432/shop`,
  `psql|host=db user=app password=${S} dbname=shop`,
  `psql|-c|ALTER USER app PASSWORD '${S}'`,
  `mysql|-e|CREATE USER app IDENTIFIED BY '${S}'`,
  `mongosh|mongodb+srv://app:${S}@cluster.example.com/shop`,
  `mongodump|-u|app|-p|${S}`,
  `sqlcmd|-S|db|-U|sa|-P|${S}`,
  `smbclient|//nas/share|-U|bob%${S}`,
  `mount.cifs|//nas/share|/mnt|-o|username=bob,password=${S},uid=0`,
  `mosquitto_pub|-u|me|-P|${S}|-t|x`,
  `snmpwalk|-v2c|-c|${S}|router`,
  `ipmitool|-H|bmc|-U|root|-P|${S}|power|status`,
  `7z|a|-p${S}|x.7z|dir`,
  `zip|-P|${S}|x.zip|dir`,
  `ssh-keygen|-t|ed25519|-N|${S}|-f|k`,
  `gpg|--batch|--passphrase|${S}|-c|x`,
  `vault|login|${S}`,
  `vault|kv|put|secret/app|anything=${S}`,
  `aws|configure|set|aws_secret_access_key|${S}`,
  `env|AWS_SECRET_ACCESS_KEY=${S}|aws|s3|ls`,
  `sh|-c|PGPASSWORD=${S} pg_dump shop > x`,
  `sh|-c|cd /srv && mysql -p${S} shop < dump.sql`,
  `bash|-c|export DB_PASSWORD='${S}'; ./run`,
  `java|-Dspring.datasource.password=${S}|-jar|app.jar`,
  `java|-Djavax.net.ssl.keyStorePassword=${S}|-jar|app.jar`,
  `node|server.js|--api-key|${S}`,
  `node|server.js|--apiKey=${S}`,
  `app|--client-secret|${S}`,
  `app|--clientSecret=${S}`,
  `app|--token:${S}`,
  `app|-password|${S}`,
  `app|--private-key=${S}`,
  `npm|publish|--//packages.example.org/:_authToken=${S}`,
  `git|clone|https://x-access-token:${S}@github.com/a/b.git`,
  `git|-c|http.extraHeader=Authorization: Basic ${S}|fetch`,
  `celery|-b|amqp://guest:${S}@mq:5672//`,
  `nmcli|dev|wifi|connect|home|password|${S}`,
  `useradd|-p|${S}|bob`,
  `influx|--password|${S}`,
  `plimsoll|enrol|--token|${S}`,
  `rclone|--sftp-pass|${S}|ls|x:`,
  `consul|kv|get|-token|${S}|x`,
  `az|login|--service-principal|-p|${S}`,
];

/** Issued tokens, known by their look wherever they stand. Put together here so that no scanner takes them for real. */
const TOKENS = [
  ['ghp', '_', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'],
  ['github', '_pat_', '11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz0123456789'],
  ['glpat', '-', 'abcDEF123456ghiJKL78'],
  ['xoxb', '-', '123456789012-abcdefABCDEF'],
  ['sk', '_live_', '4eC39HqLyjWDarjtT1zdp7dc'],
  ['sk', '-proj-', 'abcDEF123456ghiJKL789012mno'],
  ['AKIA', '', 'IOSFODNN7EXAMPLE'],
  ['AIza', '', 'SyA1234567890abcdefghijklmnopqrstuv'],
  ['npm', '_', 'abcdefghijklmnopqrstuvwxyz0123456789'],
  ['hvs', '.', 'CAESIJabcdefghijklmnop'],
  ['SG', '.', 'abcdefghijklmnop.qrstuvwxyz0123456789'],
  ['plm', '_agent_', 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG'],
  ['eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxIn0.', 'c2lnbmF0dXJlLXNpZ25hdHVyZQ'],
  ['123456789', ':AA', 'HdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'],
];

const HARMLESS = [
  '/usr/lib/postgresql/15/bin/postgres|-D|/var/lib/postgresql/15/main|-c|config_file=/etc/postgresql/15/main/postgresql.conf',
  'nginx: master process /usr/sbin/nginx -g daemon off;',
  'nginx: worker process',
  'sshd: root@pts/0',
  '/usr/sbin/sshd|-D|-o|AuthorizedKeysFile=/etc/ssh/keys',
  '/usr/bin/dbus-daemon|--system|--address=systemd:|--nofork|--nopidfile|--systemd-activation|--syslog-only',
  '/lib/systemd/systemd-journald',
  '/usr/bin/containerd-shim-runc-v2|-namespace|moby|-id|4f1c|-address|/run/containerd/containerd.sock',
  'dockerd|-H|fd://|--containerd=/run/containerd/containerd.sock',
  'kubelet|--config=/var/lib/kubelet/config.yaml|--kubeconfig=/etc/kubernetes/kubelet.conf|--node-ip=10.0.0.4',
  'kube-apiserver|--advertise-address=172.18.0.3|--service-account-key-file=/etc/kubernetes/pki/sa.pub|--tls-private-key-file=/etc/kubernetes/pki/apiserver.key',
  'kube-apiserver|--authorization-mode=Node,RBAC|--enable-bootstrap-token-auth=true',
  'etcd|--listen-client-urls=https://127.0.0.1:2379|--key-file=/etc/kubernetes/pki/etcd/server.key',
  'node|/srv/app/server.js|--port|8080',
  'python3|-m|http.server|8000',
  'python3|train.py|--max-tokens=4096|--batch-size|32',
  'java|-Xmx2g|-Dserver.port=8080|-jar|/srv/app.jar',
  'mysqld|--datadir=/var/lib/mysql|--pid-file=/run/mysqld.pid|--port=3306',
  'mysql|-u|root|-h|db|-P|3306',
  'mysql|-u|root|-p',
  'redis-server|127.0.0.1:6379',
  'redis-cli|-h|cache|-p|6379|GET|user:1',
  'ssh|-p|22|-i|/root/.ssh/id_ed25519|git@github.com',
  'rsync|-a|--password-file=/etc/rsync.pass|src/|host::mod',
  'curl|-fsSL|https://example.com/install.sh',
  'curl|-H|Accept: application/json|https://api.example.com/v1?page=2',
  'wget|-q|https://packages.example.org/@scope/pkg/-/pkg-1.0.0.tgz',
  'git|clone|ssh://git@github.com/a/b.git',
  'git|clone|https://github.com/a/b.git',
  'docker|run|-p|80:80|-v|/srv:/srv|nginx:1.27',
  'docker|run|-e|TZ=Europe/Berlin|app',
  'helm|upgrade|app|./chart|--set|replicas=3',
  'kubectl|get|secrets|-n|kube-system',
  'grep|-r|password|/etc/nginx',
  'vim|/etc/passwd',
  'psql|-h|db|-U|app|-d|shop|-c|select count(*) from orders',
  'openssl|x509|-in|cert.pem|-noout|-dates',
  'gpg|--verify|x.asc',
  'app|--token-ttl=24h|--auth-type=basic|--session-timeout|30',
  'app|--no-password|--skip-auth|--token-file|/run/secrets/token',
  'sleep|60',
  '[kworker/0:1-events]',
  '/usr/bin/python3|/usr/bin/unattended-upgrade|--keyring=/usr/share/keyrings/x.gpg',
  'ffmpeg|-i|in.mp4|-c:v|libx264|-b:v|2M|out.mp4',
  'tail|-F|/var/log/auth.log',
  'beam.smp|-W|w|-MBas|ageffcbf|-P|1048576|-kernel|inet_dist_use_interface|{127,0,0,1}',
  'find|/srv|-name|*.key|-newer|x',
  'php-fpm: pool www',
];

const words = (line: string): string[] => line.split('|');

describe('redaction corpus', () => {
  it('is large enough', () => {
    expect(SECRETS.length + TOKENS.length).toBeGreaterThanOrEqual(60);
    expect(HARMLESS.length).toBeGreaterThanOrEqual(40);
  });

  it.each(SECRETS)('hides the secret of %s', (line) => {
    const shown = redactArguments(words(line));
    expect(shown.join(' ')).not.toContain(S);
    expect(shown.join(' ')).toContain('[redacted]');
    expect(shown[0]).toBe(words(line)[0]);
    expect(redactArguments(shown)).toEqual(shown);
  });

  it.each(SECRETS)('hides it in the joined line of %s too', (line) => {
    expect(redactCommand(words(line).join(' '))).not.toContain(S);
  });

  it.each(TOKENS)('knows %s%s… by its look', (...parts) => {
    const token = parts.join('');
    for (const line of [`app ${token}`, `app --x=${token}`, `app "${token}"`, `app https://h/${token}/x`]) {
      expect(redactCommand(line)).not.toContain(token.slice(-12));
    }
  });

  it.each(HARMLESS)('leaves alone %s', (line) => {
    expect(redactArguments(words(line))).toEqual(words(line));
  });

  it.each(HARMLESS)('leaves alone the joined line of %s', (line) => {
    const joined = words(line).join(' ');
    expect(redactCommand(joined)).toBe(joined);
  });
});

describe.each([
  ['the rules were developed with', SEEN + HELD_OUT],
  ['the rules were not developed with', UNSEEN],
])('corpus of conventions that %s', (_part, text) => {
  const lines = parseCorpus(text);
  const share = (part: number, all: number): number => part / all;

  it.each([
    ['the arguments', (argv: readonly string[]) => redactArguments(argv).join(' ')],
    ['the joined line', (argv: readonly string[]) => redactCommand(argv.join(' '))],
  ])('hides at least 98 %% of the secrets in %s', (_name, redact) => {
    const all = lines.flatMap(({ argv, secrets }) => secrets.map((secret) => [redact(argv), secret] as const));
    const shown = all.filter(([line, secret]) => line.includes(secret));
    expect(share(shown.length, all.length)).toBeLessThanOrEqual(0.02);
  });

  it('keeps at least 98 % of the other words', () => {
    const all = lines.flatMap(({ argv, words }) =>
      words.map((word) => [redactArguments(argv).join(' '), word] as const),
    );
    const lost = all.filter(([line, word]) => !line.includes(word));
    expect(share(lost.length, all.length)).toBeLessThanOrEqual(0.02);
  });

  it('changes nothing when done twice', () => {
    for (const { argv } of lines) {
      const once = redactArguments(argv);
      expect(redactArguments(once)).toEqual(once);
    }
  });
});

describe('harmless command lines', () => {
  const harmless = HARMLESS_LINES.trim()
    .split('\n')
    .map((line) => line.split(BETWEEN));

  it('stand beside 400 lines with secrets of 150 tools', () => {
    const lines = parseCorpus(SEEN + HELD_OUT + UNSEEN);
    expect(lines.length).toBeGreaterThanOrEqual(400);
    expect(new Set(lines.map(({ tool }) => tool)).size).toBeGreaterThanOrEqual(150);
    expect(harmless.length).toBeGreaterThanOrEqual(200);
  });

  it.each(harmless)('leaves alone %s', (...argv) => {
    expect(redactArguments(argv)).toEqual(argv);
    expect(redactCommand(argv.join(' '))).toBe(argv.join(' '));
  });
});

describe('lines of somebody who had not read the rules', () => {
  const linesOf = (text: string): string[] =>
    text
      .trim()
      .split('\n')
      .map((line) => line.slice(line.indexOf(' :: ') + 4).replaceAll('\\n', '\n'));

  it('have at least 98 % of their secrets hidden', () => {
    const all = linesOf(BLIND_SECRETS).map((line) => {
      const secret = /«([^»]*)»/s.exec(line)?.[1]?.replace('¦', '') ?? '';
      return { secret, shown: redactCommand(line.replaceAll(/[«»¦]/g, '')) };
    });
    expect(all.length).toBeGreaterThanOrEqual(110);
    expect(all.every(({ secret }) => secret.length > 3)).toBe(true);
    const missed = all.filter(({ secret, shown }) => shown.includes(secret));
    expect(missed.length / all.length).toBeLessThanOrEqual(0.02);
  });

  it('keep at least 98 % of their words where there is no secret', () => {
    const words = linesOf(BLIND_HARMLESS).flatMap((line) => {
      const shown = redactCommand(line).split(/\s+/);
      return line.split(/\s+/).map((word) => shown.includes(word));
    });
    expect(words.length).toBeGreaterThan(300);
    expect(words.filter((isKept) => !isKept).length / words.length).toBeLessThanOrEqual(0.02);
  });
});
