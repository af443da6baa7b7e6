/** Secret options of common tools whose option name alone does not reveal a secret. */
export interface Tool {
  /** Options whose next word is a secret; of those with one letter the secret may also be glued on (`-pSECRET`). */
  secret?: readonly string[];
  /** One-letter options that hold a secret only when glued on; without a value they prompt for it. */
  glued?: readonly string[];
  /** Options whose next (or glued) word is `user:secret`. */
  pair?: readonly string[];
  /** Options whose next (or glued) word is `user%secret`. */
  percent?: readonly string[];
  /** Options whose next (or glued) word is `user,secret`. */
  comma?: readonly string[];
  /** Options whose names sound like a secret's and hold none. */
  plain?: readonly string[];
  /** The options above count only after this subcommand. */
  after?: readonly string[];
  /** From this word on every `name=value` is a secret. */
  assignments?: readonly string[];
  /** Bare words whose next word is a secret. */
  words?: readonly string[];
  /** Bare words that are secrets, numbered from 1 after the subcommand; "" stands for the program itself. */
  positions?: Readonly<Record<string, readonly number[]>>;
  /** Bare words are `user/secret@database`. */
  slash?: boolean;
}

const MYSQL: Tool = { glued: ['-p'] };
const LDAP: Tool = { secret: ['-w'] };
const REDIS: Tool = { secret: ['-a', '--pass'], words: ['auth', 'requirepass', 'masterauth'] };
const LOGIN: Tool = {
  secret: ['-p'],
  pair: ['--creds', '--src-creds', '--dest-creds', '--from-creds', '--to-creds'],
  after: ['login', 'copy', 'inspect', 'push', 'pull', 'sync', 'delete', 'list-tags'],
};
const USER_PASSWORD: Tool = { secret: ['-p'] };
const SMB: Tool = { percent: ['-U', '--user'] };
const SNMP: Tool = { secret: ['-A', '-X', '-c'] };
const ORACLE: Tool = { slash: true };
const SETS: Tool = { assignments: ['set', 'config:set', 'secrets', 'env:set', 'config:add', 'import', 'setenv'] };
const CAPITAL_P: Tool = { secret: ['-P'] };

const TOOLS: ReadonlyMap<string, Tool> = new Map(
  Object.entries({
    ...named('mysql mysqldump mysqladmin mysqlimport mysqlpump mysqlcheck mysqlslap mysqlshow mysqlsh mytop', MYSQL),
    ...named('mariadb mariadb-dump mariadb-admin mysqlbinlog mycli xtrabackup mariabackup', MYSQL),
    ...named('ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldapcompare ldapmodrdn', LDAP),
    ldappasswd: { secret: ['-w', '-s', '-a'] },
    ...named('redis-cli keydb-cli valkey-cli redis-benchmark', REDIS),
    ...named('docker podman nerdctl buildah skopeo crane oras helm az oc argocd regctl cosign', LOGIN),
    ...named(
      'mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop mongofiles',
      USER_PASSWORD,
    ),
    ...named(
      'cqlsh beeline cypher-shell pscp rdesktop esxcli ilorest racadm sshpass wlst influxd sqlpackage',
      USER_PASSWORD,
    ),
    ...named(
      'mydumper myloader impala-shell twine ncftp ncftpput ncftpget vmrun elasticsearch-users useradd usermod',
      USER_PASSWORD,
    ),
    ...named('cadaver yt-dlp youtube-dl gallery-dl asadm aql hdbsql crackmapexec netexec', USER_PASSWORD),
    ...named('smbclient rpcclient winexe smbget net wbinfo smbcacls smbtree nmblookup pdbedit', SMB),
    wbinfo: { percent: ['-a', '-U'] },
    curl: {
      pair: ['-u', '--user', '-U', '--proxy-user', '-E', '--cert', '--preproxy'],
      secret: ['-b', '--cookie', '--oauth2-bearer', '--pass', '--proxy-pass', '--tlspassword', '--proxy-tlspassword'],
    },
    wget: { secret: ['--password', '--http-passwd', '--ftp-password'] },
    ...named('http https xh', { pair: ['-a', '--auth'] }),
    ab: { pair: ['-A', '-P'], secret: ['-C'] },
    siege: { secret: ['-H'] },
    ...named('etcdctl influx elasticdump curlie hey wrk vegeta apprise ngrok promtool', {
      pair: ['--user', '-u', '--auth', '-a', '--basic-auth'],
      words: ['authtoken', 'add-authtoken'],
    }),
    hey: { pair: ['-a'] },
    pulumi: { plain: ['--secret'], positions: { set: [2] } },
    etcd: { plain: ['--initial-cluster-token'] },
    influx: { secret: ['-t', '-p'], pair: ['-u'] },
    ...named(
      'snmpget snmpwalk snmpbulkwalk snmpset snmptrap snmpbulkget snmpgetnext snmptable snmpstatus snmpdf',
      SNMP,
    ),
    openssl: {
      secret: ['-k', '-K', '-passin', '-passout', '-pass', '-hmac', '-macopt', '-psk', '-srppass'],
      plain: ['-key', '-keyout', '-keyform', '-keysig', '-keyopt', '-keyexport'],
    },
    ...named('sqlcmd bcp tsql osql mosquitto_pub mosquitto_sub mosquitto_rr ipmitool unzip zip clickhouse', CAPITAL_P),
    ...named('ipmipower ipmi-sensors bmc-info knife', { secret: ['-p', '-P'] }),
    ...named('7z 7za 7zr 7zz rar unrar', { glued: ['-p', '-hp'] }),
    'ssh-keygen': { secret: ['-N', '-P'] },
    ...named('vault bao', {
      words: ['login', 'unwrap', 'unseal', 'lookup', 'revoke', 'renew'],
      assignments: ['put', 'write', 'patch', 'login'],
    }),
    consul: { secret: ['-token', '-encrypt', '-http-token'] },
    nomad: { secret: ['-token', '-encrypt'] },
    serf: { secret: ['-encrypt'] },
    aws: {
      words: ['aws_secret_access_key', 'aws_session_token', 'aws_access_key_id'],
      secret: ['--secret-string', '--master-user-password', '--value'],
      plain: ['--secret-id', '--key', '--token-type'],
    },
    gcloud: { plain: ['--secret'] },
    nmcli: { words: ['password', 'wifi-sec.psk', '802-11-wireless-security.psk', 'psk', 'wep-key0'] },
    iwctl: { secret: ['--passphrase'] },
    iwconfig: { words: ['key', 'enc'] },
    wpa_passphrase: { positions: { '': [2] } },
    iw: { words: ['key'] },
    htpasswd: { positions: { '': [3] }, plain: ['-c', '-C'] },
    mosquitto_passwd: { positions: { '': [3] } },
    'ansible-vault': { positions: { encrypt_string: [1] } },
    rabbitmqctl: {
      positions: { add_user: [2], change_password: [2], authenticate_user: [2] },
      secret: ['--erlang-cookie'],
    },
    rabbitmqadmin: { secret: ['-p'] },
    ...named('erl elixir iex beam.smp', { secret: ['-setcookie', '--cookie'] }),
    mc: { positions: { set: [3, 4], add: [3, 4] } },
    b2: { positions: { 'authorize-account': [2], authorize: [2] } },
    bw: { positions: { login: [2], unlock: [1] } },
    security: { secret: ['-w', '-p', '-P', '-k'] },
    op: { assignments: ['create', 'edit'] },
    radtest: { positions: { '': [2, 5] } },
    radclient: { positions: { '': [3] } },
    snyk: { positions: { auth: [1] } },
    cargo: { positions: { login: [1] } },
    nuget: { words: ['setapikey'], secret: ['-k', '-Password', '-ApiKey'] },
    dotnet: { secret: ['-k', '--api-key', '-p:Password'], after: ['push', 'setapikey'] },
    gem: { secret: ['--otp'] },
    ...named('npm pnpm yarn', {
      words: ['_auth', '_authtoken', '_password', 'npmauthtoken', 'npmauthident'],
    }),
    composer: { words: ['--auth'] },
    poetry: { secret: ['-p'] },
    codecov: { secret: ['-t'] },
    ...named('heroku fly flyctl doppler railway vercel netlify dokku eb wrangler render infisical chamber', SETS),
    gh: { secret: ['-b', '--body'], after: ['secret'] },
    glab: { secret: ['-v', '--value'], after: ['variable', 'login'] },
    ...named('sqlplus exp imp expdp impdp sqlldr rman sql tkprof', ORACLE),
    db2: { words: ['using'] },
    isql: { positions: { '': [3] }, secret: ['-P', '-p', '-pass', '-password'] },
    ...named('fbsql gbak gfix gstat nbackup', { secret: ['-p', '-pas', '-pass'] }),
    lftp: { comma: ['-u', '--user'] },
    swaks: { secret: ['-ap', '--auth-password'] },
    sendemail: { secret: ['-xp'] },
    mailx: { secret: ['-p'] },
    nodetool: { secret: ['-pw'] },
    ...named('plink psftp', { secret: ['-pw'] }),
    ...named('x11vnc vncviewer x0vncserver', { secret: ['-passwd', '-password'] }),
    ...named('xfreerdp wlfreerdp xfreerdp3 sdl-freerdp', { secret: ['/p:', '/gp:', '/pth:', '/pcb:'] }),
    ...named('ipa-client-install ipa-replica-install', { secret: ['-w'] }),
    smbpasswd: { secret: ['-w'] },
    pdftk: { words: ['user_pw', 'owner_pw', 'input_pw'] },
    qpdf: { secret: ['--password'] },
    pdftotext: { secret: ['-upw', '-opw'] },
    ...named('pdfinfo pdfimages pdftoppm pdftocairo', { secret: ['-upw', '-opw'] }),
    ...named('virsh', { words: ['--password'] }),
    jfrog: { secret: ['--password', '--access-token'] },
    jf: { secret: ['--password', '--access-token'] },
    ...named('keytool jarsigner apksigner', {
      secret: ['-storepass', '-keypass', '-srcstorepass', '-deststorepass', '-new', '--ks-pass', '--key-pass'],
    }),
    osslsigncode: { secret: ['-pass'] },
    signtool: { secret: ['/p'] },
    certutil: { secret: ['-p'] },
    pk12util: { secret: ['-W', '-K'] },
    'pkcs11-tool': { secret: ['-p', '--pin', '--so-pin', '--new-pin'] },
    softhsm2: { secret: ['--pin', '--so-pin'] },
    'softhsm2-util': { secret: ['--pin', '--so-pin'] },
    ykman: { secret: ['-P', '-p', '-m', '-n'] },
    tpm2_create: { secret: ['-p', '-P'] },
    hydra: { secret: ['-p'] },
    medusa: { secret: ['-p'] },
    nikto: { pair: ['-id'] },
    sqlmap: { pair: ['--auth-cred'], secret: ['--cookie'] },
    gsql: { secret: ['-W'] },
    vsql: { secret: ['-w'] },
    nzsql: { secret: ['-pw', '-W'] },
  } satisfies Record<string, Tool>),
);

function named(names: string, tool: Tool): Record<string, Tool> {
  return Object.fromEntries(names.split(' ').map((name) => [name, tool]));
}

/** Programs that only start another one: the tool is what follows. */
const STARTERS = new Set(
  `sudo doas env nohup nice ionice timeout time setsid stdbuf chroot xargs exec watch strace ltrace unshare nsenter
   systemd-run runuser su chrt taskset flock parallel ssh sh bash zsh dash ash ksh fish busybox tini dumb-init gosu
   su-exec setpriv cgexec firejail proot script unbuffer daemonize start-stop-daemon command builtin eval`.split(/\s+/),
);

export const isStarter = (program: string): boolean => STARTERS.has(baseName(program));

/** Their options that take the next word (sudo -u USER). */
export const isStarterOption = (word: string): boolean => /^-[uUgGhprtCnIPLdD]$/.test(word);

/** Options whose next word is a name, which may be that of a tool: `--name mysql`, `-u redis`. */
const NAMING = new Set(
  `-u -U --user --username --name -n --namespace --host -h --hostname --login -l --label --db --database -d -D -f --file
   -i -o --output --network --service --project -r --role --profile --app -t --tag --image --unit -S -s -g -m -N`.split(
    /\s+/,
  ),
);
export const isNaming = (option: string): boolean => NAMING.has(option);

/** Their `-p` after `-u` is no password. */
const EVERYDAY = new Set(
  `cp mkdir install ps rsync tar docker podman nerdctl ssh scp sftp journalctl systemctl nmap lsof nc git tmux date sort
   useradd groupadd touch ls mv id top htop pgrep pkill kubectl crontab umask python python3 perl node make psql pg_dump
   pg_restore pgbench createdb dropdb vacuumdb patch iptables ip6tables nft perf strace gdb netstat ss kill renice vim less`.split(
    /\s+/,
  ),
);
export const isEveryday = (program: string): boolean => EVERYDAY.has(program);

/** A program that names containers' or files' owners by `user:group`. */
const GROUPS = new Set(
  `docker podman nerdctl kubectl chown chgrp install buildah crictl runc setpriv systemd-run runuser su sudo rsync
   docker-compose chroot gosu su-exec start-stop-daemon compose`.split(/\s+/),
);
export const namesGroups = (program: string): boolean => GROUPS.has(program);

export const toolNamed = (name: string): Tool | null => TOOLS.get(name) ?? null;

export const baseName = (program: string): string =>
  program.slice(program.lastIndexOf('/') + 1).replace(/\.(?:exe|cmd|bat)$/i, '');
