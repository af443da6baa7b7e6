/** Events and messages without a secret. The rules were made with this half. */
export const TEXTS_SEEN = `
Back-off restarting failed container app in pod app-52n5jw25hr-ht8zp_shop(df9ecf4c-79e5-4d77-a01c-fc88c196632b)
Successfully assigned shop/cart-fvrzqqcjgv-mdcs2 to ip-10-0-1-23.eu-central-1.compute.internal
Pulling image "ghcr.io/acme/cart@sha256:b9e1e9b068c94af0129d20f775a395e4e0ab28cd2026f45eea0821b72bf58d93"
Successfully pulled image "registry.k8s.io/pause:3.9" in 312ms (312ms including waiting). Image size: 321520 bytes.
Started container istio-proxy
Liveness probe failed: HTTP probe failed with statuscode: 503
Readiness probe failed: dial tcp 10.42.3.17:5432: connect: connection refused
MountVolume.SetUp failed for volume "kube-api-access-x7kq2" : object "shop"/"kube-root-ca.crt" not registered
0/5 nodes are available: 2 Insufficient memory, 3 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }. preemption: 0/5 nodes are available
Error: couldn't find key API_TOKEN in Secret shop/cart-secrets
Failed to pull image "quay.io/acme/auth-server:v2.3.1": rpc error: code = NotFound desc = failed to resolve reference "quay.io/acme/auth-server:v2.3.1": not found
FailedToRetrieveImagePullSecret: Unable to retrieve some image pull secrets (regcred); attempting to pull the image may not succeed.
Saw completed job: rotate-secrets-28912345, condition: Complete
Job has reached the specified backoff limit
New size: 4; reason: cpu resource utilization (percentage of request) above target
failed to get cpu utilization: unable to get metrics for resource cpu: no metrics returned from resource metrics API
Node gke-prod-default-pool-3f2b1c4d-x7kq status is now: NodeNotReady
Issuing certificate as Secret does not exist
The certificate request has failed to complete and will be retried: Failed to wait for order resource "shop-tls-1-3921847562" to become ready
could not get secret data from provider: AccessDeniedException: User is not authorized to perform secretsmanager:GetSecretValue
error refreshing token: the service account token has expired
waiting for a volume to be created, either by external provisioner "ebs.csi.aws.com" or manually created by system administrator
Pod sandbox changed, it will be killed and re-created.
Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "cd8f4c9a9fddf19b0235fcf4a6caa333847123e1541ae74c77b90a79269c7145": plugin type="calico" failed (add): error getting ClusterInformation
Container image "nginx:1.27.2-alpine" already present on machine
Stopping container cookie-consent
Updated LoadBalancer with new hosts
Ensured load balancer for service auth/keycloak
Helm upgrade succeeded for release auth/keycloak.v12 with chart keycloak@21.4.1
Revision applied: main@sha1:2b5039bb5b5869a6cb0e247c536387c918943c86
Started OpenBSD Secure Shell server.
systemd[1]: Reached target Forward Password Requests to Wall Directory Watch.
sshd[2211]: Accepted publickey for deploy from 10.0.3.7 port 51822 ssh2: ED25519 SHA256:pT9wLx4QvZ2mB9nKpR3uHfG5aEuT8okX9tQmPz4LrVb
sshd[2213]: Connection closed by authenticating user root 203.0.113.7 port 40114 [preauth]
sudo: pam_unix(sudo:session): session opened for user root(uid=0) by deploy(uid=1000)
sudo:   deploy : TTY=pts/0 ; PWD=/srv/app ; USER=root ; COMMAND=/usr/bin/systemctl restart nginx
kernel: Out of memory: Killed process 21934 (java) total-vm:8123456kB, anon-rss:4012345kB, file-rss:0kB, shmem-rss:0kB, UID:1000 pgtables:9120kB oom_score_adj:0
kernel: audit: type=1400 audit(1763634821.123:45): apparmor="DENIED" operation="open" profile="snap.firefox" name="/etc/shadow" pid=2211 comm="firefox"
kernel: device-mapper: crypt: xts(aes) using implementation "xts-aes-aesni"
NetworkManager[799]: <info>  [1763634821.1234] device (wlan0): state change: need-auth -> prepare (reason 'none', sys-iface-state: 'managed')
polkitd[733]: Registered Authentication Agent for unix-process:2231:48210 (system bus name :1.82 [/usr/bin/pkttyagent], object path /org/freedesktop/PolicyKit1/AuthenticationAgent, locale en_US.UTF-8)
postfix/qmgr[1102]: 4XkT9q2Zz1z3m: from=<alerts@example.com>, size=1823, nrcpt=1 (queue active)
dovecot: imap-login: Login: user=<bob>, method=PLAIN, rip=10.0.0.7, lip=10.0.0.2, mpid=2231, TLS, session=<8mXkT9q2Zz0KAAAH>
postgres: LOG:  checkpoint complete: wrote 1234 buffers (7.5%); 0 WAL file(s) added, 0 removed, 3 recycled; write=12.034 s
FATAL:  no pg_hba.conf entry for host "10.0.0.7", user "app", database "shop", no encryption
ERROR: syntax error at end of input. Perhaps you forgot the token ";"
WARNING: password file "/home/app/.pgpass" has group or world access; permissions should be u=rw (0600) or less
mysqld: [Warning] CA certificate ca.pem is self signed.
mysqld: Access denied for user 'root'@'10.0.0.7' (using password: YES)
redis: WARNING: no config file specified, using the default config
mongod: {"t":{"$date":"2026-11-20T10:15:00.123Z"},"s":"I","c":"ACCESS","id":20250,"ctx":"conn42","msg":"Authentication succeeded","attr":{"mechanism":"SCRAM-SHA-256","user":"app","db":"admin"}}
kafka: [GroupCoordinator 1]: Preparing to rebalance group orders in state PreparingRebalance with old generation 42
etcd: {"level":"info","ts":"2026-11-20T10:15:00.123Z","caller":"mvcc/index.go:214","msg":"compact tree index","revision":482913}
rabbitmq: client unexpectedly closed TCP connection, user 'guest' authenticated and granted access to vhost '/'
elasticsearch: [o.e.x.s.a.AuthenticationService] Authentication of [elastic] was terminated by realm [reserved] - failed to authenticate user [elastic]
vault: expiration: revoked lease: lease_id=auth/kubernetes/login/ha9ed28b7e6aca4c10300fef48fb19a4d87d70e6e
vault: core: security barrier not initialized
consul: agent: Coordinate update blocked by ACLs: accessorID="anonymous token"
nginx: 10.2.3.4 - bob [20/Nov/2026:10:15:00 +0000] "POST /api/auth/login HTTP/1.1" 401 182 "-" "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"
haproxy: Server auth/auth2 is DOWN, reason: Layer4 connection problem, info: "Connection refused", check duration: 0ms
GET /v1/users/507f1f77bcf86cd799439011/orders?limit=20&cursor=482913 200 12.4ms
GET /api/tokens/count HTTP/1.1 200
request completed method=GET path=/api/v1/secrets status=403 duration=12ms request_id=b0beb355-f246-4d88-a16e-307a4a79a17e
level=warn msg="token cache miss" key=user:4821 ttl=300s
00-c8f77fcf27a984e420d9470a7e6ecf91-3bc8a594c0be6dfa-01
{"level":"info","msg":"login","user":"bob","auth":"ldap","session_ttl":3600}
{"event":"token_refresh","status":"ok","expires_in":3600}
{"password_policy":"strong","min_length":12,"auth_type":"oidc"}
auth: ldap
password_encryption: scram-sha-256
password must be at least 12 characters long
password was changed by the administrator
the API key is missing
secret is not set
token bucket is empty, request delayed
unexpected token < in JSON at position 0
Invalid token: expected 'a' but found end of input
used 1532 input tokens and 482 output tokens
password authentication is disabled, use publickey
Permission denied (publickey,password,keyboard-interactive).
using password from environment
reading password from file /run/secrets/db
using token from /var/run/secrets/kubernetes.io/serviceaccount/token
credentials loaded from ~/.aws/credentials
found credentials in shared credentials file: ~/.aws/credentials
key rotation finished: 14 keys rotated, 0 failed
partition key is customer_id
verification code sent to b***@example.com
error code: 0x80070005
pass 3 of 5 finished
482 passed, 3 failed, 12 skipped
session 4821 closed after 300s
OOMKilled
Completed
topology.kubernetes.io/zone=eu-central-1a
app.kubernetes.io/managed-by: Helm
pod-template-hash: 6b7f9c5d8d
controller-revision-hash=7f9c5d8d6b
batch.kubernetes.io/controller-uid=185b752c-c5d4-4a6b-a420-9c0a30ff8d9b
arn:aws:secretsmanager:eu-central-1:123456789012:secret:shop/db-AbCdEf
Intel(R) Xeon(R) Platinum 8488C
Linux 6.8.0-48-generic x86_64
Debian GNU/Linux 12 (bookworm) 6.1.0-27-amd64
containerd://1.7.22
v1.31.2+k3s1
Samsung SSD 980 PRO 1TB S5GXNF0R482913X
WDC WD40EFRX-68N32N0 WD-WCC7K4821937
/dev/mapper/vg0-root ext4 rw,relatime,errors=remount-ro
/dev/disk/by-id/nvme-Samsung_SSD_980_PRO_1TB_S5GXNF0R482913X
/var/lib/kubelet/pods/6272c067-38af-46c7-ac8a-ef3401c19923/volumes/kubernetes.io~projected/kube-api-access-x7kq2
overlay /var/lib/docker/overlay2/8b8517efccbd8dc4613a3d9ea1326c50e04c5577e74d03c56647fd76b6829ae9/merged
/tmp/systemd-private-0f9e1a666c0adeec590adedc19c8a5e9-chrony.service-k3XwqT
added 482 packages, and audited 483 packages in 12s
Resolved https://packages.example.com/lodash/-/lodash-4.17.21.tgz
integrity sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg==
go: downloading golang.org/x/crypto v0.28.0
#12 sha256:a3ed657f83d6a4bc6c3589c0969676c1e20aa3418e029f7403392f0ce0bb2ae0 12.34MB / 56.78MB 3.2s
remote: Counting objects: 100% (48/48), done.
Run actions/checkout@v4
##[group]Run echo "key=\${{ hashFiles('**/package-lock.json') }}" >> $GITHUB_OUTPUT
Login Succeeded
aws_instance.web: Refreshing state... [id=i-00914e6e24eca3152]
Plan: 3 to add, 1 to change, 0 to destroy.
TASK [auth : ensure token directory exists] ****
ok: [web1] => (item=password-reset)
changed: [db2.example.com]
Caused by: org.postgresql.util.PSQLException: FATAL: password authentication failed for user "app"
panic: runtime error: invalid memory address or nil pointer dereference [signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x47c1f2]
TypeError: Cannot read properties of undefined (reading 'password')
error TS2345: Argument of type 'string | undefined' is not assignable to parameter of type 'TokenKind'.
segfault at 7f1c2c0a1b68 ip 000055d0c2a4b1c3 sp 00007ffd1c2a4b10 error 4 in app[55d0c2a00000+1f000]
x509: certificate has expired or is not yet valid: current time 2026-11-20T10:15:00Z is after 2026-11-19T23:59:59Z
SSL certificate problem: self-signed certificate in certificate chain
cipher TLS_AES_256_GCM_SHA384, key exchange X25519MLKEM768
Negotiated ECDHE-RSA-AES128-GCM-SHA256
backup finished: snapshot f8bd16c3 saved, 4821 files, 12.345 GiB in 2:31
rsync: [sender] change_dir "/srv/secrets" failed: Permission denied (13)
zfs: pool 'tank' scrub repaired 0B in 02:14:31 with 0 errors
fail2ban.actions: NOTICE [sshd] Ban 203.0.113.7
Let's Encrypt order https://acme-v02.api.letsencrypt.org/acme/order/482193712/328719482193
snap "core22" has "auto-refresh" change in progress
dpkg: installed libsecret-1-0:amd64 0.21.4-1build3
feature flags: new-token-ui=on, password-less=off
login page served in 12 ms
deploy of auth-service@2.14.3 by bob finished
device token-ring0 has link
webhook "validate.kyverno.svc-fail" denied the request
`;

/** The half that was looked at when the rules were done. */
export const TEXTS_HELD_OUT = `
Created container: cart
Readiness probe failed: Get "http://10.42.3.17:8080/healthz/ready": context deadline exceeded
MountVolume.MountDevice failed for volume "pvc-13e5c80a-2cb7-4945-a513-d80f7944f1fd" : rpc error: code = Internal desc = Could not attach volume
AttachVolume.Attach succeeded for volume "pvc-beb44137-0ff9-472d-ae54-2ced70a0bf8c"
Unable to attach or mount volumes: unmounted volumes=[tls-secret], unattached volumes=[tls-secret kube-api-access-m2v8q]: timed out waiting for the condition
Error: secret "stripe-api-key" not found
Error: configmap "auth-config" not found
Scaled up replica set token-service-6b7f9c5d8d to 3 from 2
Deleted pod: session-store-wlszjwws8c-tfgrd
Created pod: password-reset-28912340-x8v2k
Evicted pod due to node memory pressure: The node was low on resource: memory. Threshold quantity: 100Mi, available: 92Ki.
Certificate is up to date and has not expired
Stored new private key in temporary Secret resource "shop-tls-x9k2m"
Created new CertificateRequest resource "shop-tls-1"
secret "db-creds" in namespace "shop" synced from store "vault-backend"
SecretSynced: Secret was synced
Successfully reconciled git repository main@sha1:c8dac31a87f82dbabfaa39a3cbebd557bf231b4d
stored artifact for commit 'Merge pull request #482 from acme/rotate-tokens'
no changes since last reconcilation: observed revision '6.5.4@sha256:668e602ae82c'
systemd[1]: Started Session 4821 of User deploy.
systemd[1]: session-4821.scope: Deactivated successfully.
Dispatch Password Requests to Console Directory Watch was skipped because of a failed condition check
sshd[2212]: Failed password for invalid user admin from 203.0.113.7 port 40112 ssh2
sshd[2214]: pam_unix(sshd:auth): authentication failure; logname= uid=0 euid=0 tty=ssh ruser= rhost=203.0.113.7  user=root
kernel: EXT4-fs (nvme0n1p2): mounted filesystem daa7e410-dcf1-4156-a3ab-3a94f42aad2b r/w with ordered data mode. Quota mode: none.
kernel: usb 1-2: New USB device found, idVendor=046d, idProduct=c52b, bcdDevice=12.11
kernel: nvme nvme0: I/O 482 QID 3 timeout, completion polled
chronyd[812]: Selected source 162.159.200.123 (time.cloudflare.com)
dbus-daemon[711]: [system] Activating via systemd: service name='org.freedesktop.hostname1' unit='dbus-org.freedesktop.hostname1.service'
wpa_supplicant[822]: wlan0: WPA: Key negotiation completed with a0:b1:c2:d3:e4:f5 [PTK=CCMP GTK=CCMP]
CRON[2291]: (root) CMD (   cd / && run-parts --report /etc/cron.hourly)
anacron[2301]: Job \`cron.daily' started
postfix/smtpd[2311]: connect from mail-ed1-f41.google.com[209.85.208.41]
named[901]: client @0x7f1c2c0a1b68 10.0.0.7#51822 (example.com): query: example.com IN A +E(0)K (10.0.0.2)
FATAL:  password authentication failed for user "app"
ERROR:  duplicate key value violates unique constraint "sessions_token_key"
DETAIL:  Key (token_id)=(4821) already exists.
mysqld: Plugin 'mysql_native_password' is deprecated and will be removed in a future release. Please use caching_sha2_password instead
redis: NOAUTH Authentication required.
redis: WRONGPASS invalid username-password pair or user is disabled.
vault: core: post-unseal setup complete
nginx: 10.2.3.4 - - "GET /static/js/main.4f1c2d3e.chunk.js HTTP/2.0" 200 48213
nginx: [emerg] cannot load certificate "/etc/nginx/ssl/shop.crt": BIO_new_file() failed
traefik: level=error msg="Error while building TLSChallenge" providerName=letsencrypt.acme
level=info ts=2026-11-20T10:15:00Z caller=main.go:1423 msg="Completed loading of configuration file" filename=/etc/prometheus/prometheus.yml
trace_id=9589a1dd2370d853c48cf2c3e9a43d3e span_id=d820ae0f22570a19 sampled=true
authentication: basic
authorization: rbac
the token has expired
token is invalid or expired
password is required
password is too short
your password will expire in 14 days
api key is not authorized for this resource
secret with name db-creds exists already
token for user bob was revoked
token request from 10.0.0.7 refused
SyntaxError: Unexpected token 'export'
invalid token at line 3 column 14
prompt has 4821 tokens, limit is 8192 tokens
no password supplied
credentials are valid until 2026-12-31
no credentials found for registry.example.com
primary key id is 4821
cache key user:4821:profile expired
pin version 1.2.3 of package lodash
exit code 137
status code is 401
PASS src/auth/password.test.ts (3.21 s)
FAIL tests/test_token.py::test_refresh - AssertionError: assert 401 == 200
bypassing cookie banner for bot traffic
cookie policy is strict
session opened for user bob
bearer authentication is not enabled
Unschedulable
node.kubernetes.io/unreachable:NoExecute
checksum/config: c5aefcb1a0e717b26c9d3d4839455cbd9bddd705da896319750f34301e351f7b
checksum/secret: fe5c7783c5ec0143c4d33289801ba4c5d312988ec49e7d8486a18d0557facef4
kubectl.kubernetes.io/restartedAt: 2026-11-20T10:15:00Z
docker.io/library/postgres@sha256:2a2bbdacdbfc08240bd7b3147363234b4e25b6850abe1f363657b26668109d05
registry.gitlab.com/acme/shop/api:8121548be80ce48569c0cca7273604a9aa76e902
123456789012.dkr.ecr.eu-central-1.amazonaws.com/shop/api:2026.11.20-f43e484
arn:aws:iam::123456789012:role/eks-node-NodeInstanceRole-1QZ8XKT
projects/acme/secrets/db-password/versions/latest
i-0e7408d3943119ff3 is now in state running
vol-0983cc1ee90e3562d attached to i-07723f593d5301a44 as /dev/sdf
Ubuntu 24.04.1 LTS
SMART Usage Attribute: 194 Temperature_Celsius changed from 117 to 116
/dev/disk/by-uuid/80ef6e6b-3e64-478a-a583-7bc042ff6755
/run/containerd/io.containerd.grpc.v1.cri/sandboxes/95245adbc9680701fe3defce4d7f933405cbd2870023962d230f56f033c54d5d/shm
/sys/fs/cgroup/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podce6e21fb_bbbb_4e2b_aa5a_8a102b49b24e.slice
npm warn deprecated inflight@1.0.6: This module is not supported, and leaks memory.
Downloading https://files.pythonhosted.org/packages/7c/29/ee7f6f96ac6a86131c31dc7199495f0b5a7c6749b4b7e0fb4c98979595e6/requests-2.32.3-py3-none-any.whl (64 kB)
Collecting requests==2.32.3
github.com/acme/x v0.0.0-20261120101500-313c90fc5274 h1:pT9wLx4QvZ2mB9nKpR3uHfG5aEuT8okX9tQmPz4LrVb=
Compiling tokenizers v0.20.3
#12 [build 4/7] RUN npm ci --ignore-scripts
---> 2515d9435df1
HEAD is now at afaf1b5 Rotate signing keys
Merge branch 'feature/PROJ-4821-token-refresh' into main
* [new branch]      fix/password-form -> origin/fix/password-form
Checking out f2dc70d93606f6bd456429b3578791a784a86be7 as the commit to build
Run docker/login-action@v3
Cache restored from key: Linux-node-a85f2d467494a9d0220c19d15fcb564d2085ae0bf1a998191dea0613a1123439
Uploading artifact coverage-report.zip (4821937 bytes)
Terraform will perform the following actions: aws_secretsmanager_secret.db will be created
PLAY RECAP web1 : ok=12 changed=3 unreachable=0 failed=0 skipped=2
java.lang.IllegalStateException: Token must not be null at com.acme.auth.TokenStore.load(TokenStore.java:482)
at org.springframework.security.authentication.UsernamePasswordAuthenticationFilter.doFilter(UsernamePasswordAuthenticationFilter.java:95)
com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException$Builder
Traceback (most recent call last): File "/srv/app/auth/tokens.py", line 82, in refresh
KeyError: 'access_token'
goroutine 4821 [running]: main.(*Server).authenticate(0xc0001a2000, {0x7f1c2c0a1b68, 0xc0002b4000})
TLS handshake error from 10.0.0.7:51822: remote error: tls: unknown certificate authority
Serial Number: 04:9a:a3:d9:5b:3b:c4:40:fa:88:ea:12
SHA256 Fingerprint=9A:A3:D9:5B:3B:C4:40:FA:88:EA:12:EA:A4:45:61:61:9A:A3:D9:5B:3B:C4:40:FA:88:EA:12:EA:A4:45:61:61
md/raid1:md0: Disk failure on sdb1, disabling device.
UPS ups@localhost on battery
dnsmasq-dhcp[811]: DHCPACK(eth0) 10.0.0.82 a0:b1:c2:d3:e4:f5 living-room-tv
firewalld: WARNING: AllowZoneDrifting is enabled.
certbot: Certificate not yet due for renewal
apt: Unpacking libpam-modules:amd64 (1.5.3-5ubuntu5.1) over (1.5.3-5ubuntu5)
yum: Updated: passwd-0.80-16.el9.x86_64
Reloading config: auth_mode=oidc, session_store=redis, cookie_samesite=lax
user alice added to group secret-readers
Kerberos principal HTTP/web1.example.com@EXAMPLE.COM has no key
failed calling webhook "vpod.kb.io": Post "https://webhook-service.system.svc:443/validate-v1-pod?timeout=10s": context deadline exceeded
`;
