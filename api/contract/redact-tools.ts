/** What the usual tools call their secrets, where the option's name alone does not tell. */
export interface Tool {
  /** Options whose next word is a secret; of those with one letter the secret may also be glued on (`-pSECRET`). */
  secret?: readonly string[];
  /** One-letter options that hold a secret only when glued on: alone they ask for it. */
  glued?: readonly string[];
  /** Options whose next (or glued) word is `user:secret`. */
  pair?: readonly string[];
  /** Options whose next (or glued) word is `user%secret`. */
  percent?: readonly string[];
  /** The options above count only after this subcommand. */
  after?: readonly string[];
  /** From this word on every `name=value` is a secret. */
  assignments?: readonly string[];
  /** Bare words whose next word is a secret. */
  words?: readonly string[];
}

const MYSQL: Tool = { glued: ['-p'] };
const LDAP: Tool = { secret: ['-w'] };
const REDIS: Tool = { secret: ['-a', '--pass'], words: ['auth', 'requirepass', 'masterauth'] };
const LOGIN: Tool = {
  secret: ['-p'],
  pair: ['--creds', '--src-creds', '--dest-creds'],
  after: ['login', 'copy', 'inspect'],
};
const MONGO: Tool = { secret: ['-p'] };
const SMB: Tool = { percent: ['-U', '--user'] };
const CURL: Tool = {
  pair: ['-u', '--user', '-U', '--proxy-user', '-E', '--cert'],
  secret: ['-b', '--cookie', '--oauth2-bearer', '--pass', '--proxy-pass', '--tlspassword'],
};
const SNMP: Tool = { secret: ['-A', '-X', '-c'] };

const TOOLS: Readonly<Record<string, Tool>> = {
  ...named(
    ['mysql', 'mysqldump', 'mysqladmin', 'mysqlimport', 'mysqlpump', 'mysqlcheck', 'mysqlslap', 'mysqlshow'],
    MYSQL,
  ),
  ...named(['mariadb', 'mariadb-dump', 'mariadb-admin', 'mysqlbinlog', 'mycli', 'xtrabackup', 'mariabackup'], MYSQL),
  ...named(['ldapsearch', 'ldapadd', 'ldapmodify', 'ldapdelete', 'ldapwhoami', 'ldapcompare', 'ldapmodrdn'], LDAP),
  ldappasswd: { secret: ['-w', '-s', '-a'] },
  ...named(['redis-cli', 'keydb-cli', 'valkey-cli', 'redis-benchmark'], REDIS),
  ...named(['docker', 'podman', 'nerdctl', 'buildah', 'skopeo', 'crane', 'oras', 'helm', 'az', 'oc', 'argocd'], LOGIN),
  ...named(
    ['mongo', 'mongosh', 'mongodump', 'mongorestore', 'mongoexport', 'mongoimport', 'mongostat', 'mongotop'],
    MONGO,
  ),
  ...named(['smbclient', 'rpcclient', 'winexe', 'smbget'], SMB),
  curl: CURL,
  ...named(['http', 'https', 'xh'], { pair: ['-a', '--auth'] }),
  ...named(['snmpget', 'snmpwalk', 'snmpbulkwalk', 'snmpset', 'snmptrap'], SNMP),
  sshpass: { secret: ['-p'] },
  openssl: { secret: ['-k', '-K', '-passin', '-passout', '-pass'] },
  ...named(['sqlcmd', 'bcp', 'isql'], { secret: ['-P'] }),
  ...named(['mosquitto_pub', 'mosquitto_sub', 'ipmitool', 'unzip', 'zip', 'clickhouse'], { secret: ['-P'] }),
  ...named(['7z', '7za', '7zr'], { glued: ['-p'] }),
  'ssh-keygen': { secret: ['-N', '-P'] },
  ...named(['useradd', 'usermod'], { secret: ['-p'] }),
  vault: { words: ['login', 'unwrap', 'unseal'], assignments: ['put', 'write', 'patch'] },
  consul: { secret: ['-token'] },
  aws: { words: ['aws_secret_access_key', 'aws_session_token', 'aws_access_key_id'] },
  nmcli: { words: ['password', 'wifi-sec.psk', '802-11-wireless-security.psk', 'psk'] },
  rdesktop: { secret: ['-p'] },
};

function named(names: readonly string[], tool: Tool): Record<string, Tool> {
  return Object.fromEntries(names.map((name) => [name, tool]));
}

/** Programs that only start another one: the tool is what follows. */
const STARTERS = new Set(
  'sudo doas env nohup nice ionice timeout time setsid stdbuf chroot xargs exec watch strace'.split(' '),
);

export const isStarter = (program: string): boolean => STARTERS.has(baseName(program));

/** Their options that take the next word (sudo -u USER). */
export const isStarterOption = (word: string): boolean => /^-[uUgGhprtC]$/.test(word);

export function toolOf(program: string): Tool | null {
  const name = baseName(program);
  return Object.hasOwn(TOOLS, name) ? (TOOLS[name] ?? null) : null;
}

const baseName = (program: string): string => program.slice(program.lastIndexOf('/') + 1).replace(/\.exe$/i, '');
