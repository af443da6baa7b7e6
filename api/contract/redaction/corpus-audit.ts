/**
 * Lines of an audit whose author had not read the rules: 120 with a secret, 125 without. The first run is in docs/security.md.
 * "# cmd" begins the lines of a kind: command lines, settings of the environment, log lines, connection strings, addresses,
 * configuration files, languages of queries and scripts. «» marks the secret, and \n is a line end.
 */

/** Beginnings of issued tokens, apart from the rest so that no scanner takes them for real. */
const [GH, SK, WH, S] = ['ghp', 'sk-proj', 'whsec', 's'];

/** Each line has a secret. */
export const AUDIT_SECRETS = String.raw`
# cmd
ldapadd -x -D cn=admin,dc=corp -w «Gr4n!teMoose» -f add.ldif
smbclient //nas/share -U backup%«Tulip!Forge77»
kinit-wrapper --keytab-password=«Obelisk99x» user@CORP
mosquitto_pub -h mqtt.local -u sensor -P «rainy-Days42» -t t -m 1
restic -r s3:repo backup /home --password-command "echo «W1nterl0g»"
borg init --encryption=repokey BORG_PASSPHRASE=«moon7Rover» /srv/b
wget --http-user=ci --http-password=«Quokka_31» https://files.local/a.tgz
sqlplus system/«Kestrel2024»@//db1:1521/ORCL
isql -U sa -P "«Pangolin#8»" -S dbserver
bcp db.dbo.t out t.dat -S srv -U loader -P«ZebraFish55»
rsync --password-file=<(echo «Lant3rnFish») rsync://u@h/m .
snmpwalk -v3 -l authPriv -u mon -a SHA -A «AuthHorse12» -x AES -X PrivCow34 10.0.0.9
snmpwalk -v3 -l authPriv -u mon -a SHA -A authhorse -x AES -X «PrivCow34» 10.0.0.9
ipmitool -I lanplus -H bmc1 -U ADMIN -P «Sup3rMicro!» chassis status
expect -c 'spawn ssh h; send "«Mango77Tree»\r"'
7z x -p«Harpoon123» backup.7z
unzip -P «Cobalt_Blue9» data.zip
gpg --batch --passphrase «Violet-Otter-3» -d f.gpg
htpasswd -bc /etc/h alice «Nectar!9ne»
vault login «${S}.9fJx2KqLm3PzRtV7wYbN5cDe»
nsenter --net -- wpa_passphrase HomeNet «tr0ub4dor3x»
keytool -list -keystore k.jks -storepass «chang3itNow»
rclone sync a b --sftp-pass «Xk2_obscured-9Lq»
az login --service-principal -u app -p «3Kf~Q8xyzLmNoPq.RsTuVw» --tenant t
chpasswd <<< "deploy:«Falcon*Nest1»"
# env
PGPASSWORD=«lilac99Bear»
export SMTP_PASS='«Quiet&River8»'
DJANGO_SECRET_KEY=«dj4ng0-insecure-k3y!»
STRIPE_WEBHOOK_SIGNING=«${WH}_8Fj2kLmNpQr5tVwXyZ»
RAILS_MASTER_KEY=«0f3c9a7be1d245689acbdef012345678»
-e MARIADB_ROOT_PASSWORD=«Pl4tinum»
Environment="API_TOKEN=«brick-road-77»"
set OPENAI_KEY «${SK}-abcDEF123456ghiJKL789»
KEYCLOAK_ADMIN_PASSWORD: «hunter4you»
LDAP_BIND_CREDENTIALS=«cn-pass-Fjord9»
REDIS_AUTH=«tundra55Wolf»
ENCRYPTION_SALT=«pepperAndSalt77»
JWT_SIGNING_KEY="«correct-horse-9»"
GRAFANA_ADMIN_PW=«marmalade8»
NPM_AUTH=«bnBtOnNlY3JldDEyMzQ1»
# log
2026-01-05 auth failed for bob with password «Sunset!Pier4»
WARN temp credential issued: user=ops pass=«Ripple-88»
DEBUG headers={Authorization=Basic «YWRtaW46c3VwZXI5OQ==», Accept=*/*}
login(user="eve", pwd="«Basalt_4ever»") -> 401
Set-Cookie: PHPSESSID=«h3k9v2m1q8r7t6y5»; path=/
your one-time code is «493817»
new passphrase set to "«velvet anchor 12»" by root
invalid API key '«pk_93jdkL2mxQ»' supplied
[oauth] refresh_token => «1//0gK8fjZlQ-abcdEFGH»
X-Auth-Token: «gAAAAABl9x2QmZk»
connect using secret "«Gopher$Hill»"
default password is still «toor123»
Wi-Fi PSK: «mountainLake9»
pin=«8841» accepted for card
sudo: password for ops entered: «Juniper_Mist»
webhook secret rotated from oldOne77 to «newOne88»
{"event":"signin","password":"«Mistral%Wind»"}
bearer «eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.s5dF3kLmQz» rejected
community string '«pr1v4te-net»' does not match
activation key: «7QX2-9KLM-4TRW-ZP8V»
# conn
postgresql://svc:«Marble*Arch»@db/app
Server=sql1;Database=x;User Id=sa;Password=«Thistle,Down7»;
amqp://rabbit:«c4rrot$»@mq:5672/v
mongodb+srv://root:«Ivory%21Tower»@cluster0.x.net/?w=1
DefaultEndpointsProtocol=https;AccountName=a;AccountKey=«Zm9vYmFyYmF6cXV4Zm9vYmFy==»;
Endpoint=sb://n.servicebus.windows.net/;SharedAccessKeyName=R;SharedAccessKey=«qWe9RtY8uIo7=»
jdbc:oracle:thin:app/«Walnut88»@//h:1521/s
jdbc:mysql://h/db?user=a&password=«Pine%Cone3»
redis://:«Nimbus2030»@cache:6379/0
ldaps://cn=svc:«Basil-Leaf1»@dc1/
host=db user=app password='«Ember Glow 5»' sslmode=require
Driver={ODBC Driver 18};Server=h;Uid=u;Pwd={«Amber;Fox9»};
smb://dom;user:«Granola77»@nas/share
snowflake://loader:«Drizzle_6»@acct/db?warehouse=w
sftp://u:«Copper!Kettle»@h:22/in
# url
https://discord.com/api/webhooks/112233445566/«aB3dE5fG7hJ9kL1mN3pQ5rS7tU»
https://chat.example.com/hooks/«x7k2m9q4w1e8r5t3»
https://cal.example.com/private-«9f8e7d6c5b4a»/basic.ics
https://app.example.com/reset-password/«Qm9vS2VlcGVy77»
https://s3.example.com/b/o?X-Amz-Signature=«ab12cd34ef56ab78»&X-Amz-Expires=60
https://acc.blob.core.windows.net/c?sv=2022&sig=«Zk9%2FqLm2xY%3D»
https://hc-ping.com/ping/«secret-lemur-42»
https://api.example.com/v1/x?apikey=«peach-cobbler»
wss://stream.example.com/feed?access_token=«tK9mW2xQ»
https://files.example.com/share/s/«8dKq2LmXw9Rt»
https://outlook.office.com/webhook/a1b2@c3/IncomingWebhook/«9e8d7c6b5a»/z
http://cam.local/cgi?usr=admin&pwd=«Lens0Cap»
https://x.example/magic-link?code=«V9kX2mQz»
https://git:«${GH}_a1B2c3D4e5F6g7H8i9J0k1L2m3N4»@github.com/o/r
https://ntfy.sh/backup-alerts-«Kx82mQpz»
# yaml
password: «Turquoise!Bay»
  smtp_auth_password: '«blue-Heron-8»'
{"clientSecret": "«Ochre~Dune5»"}
"privateKey": "«MIIEvQIBADANBgkqhkiG9w0BAQ»"
basic_auth: {username: p, password: «Plum_Jam3»}
bearer_token: «Saffron.Rice.12»
- name: DB_PASS\n  value: «Otter&Creek9»
<add key="ApiSecret" value="«Cedar@Hall1»" />
auth:\n    pass: "«Nutmeg!2»"
requirepass «Bramble_Path7»
\\"token\\": \\"«Willow-Bend-6»\\"
secret_access_key = «wJalrXUtnFEMIK7MDENGbPxRfiCY»
identified: { by: pass, passphrase: "«Onyx Rabbit»" }
psk="«Pepper_Mill4»"
radius_secret «Shale&Stone2»
# sql
ALTER USER app WITH PASSWORD '«Birch_Wood1»'
CREATE LOGIN x WITH PASSWORD = N'«Elm!Street9»'
SET PASSWORD FOR 'r'@'%' = PASSWORD('«Fig&Date3»')
INSERT INTO users(name,password) VALUES('a','«Hazel-Nut5»')
UPDATE accounts SET api_token='«Iris_Garden2»' WHERE id=1
SELECT pgp_sym_decrypt(c, '«Kiwi~Grove8»') FROM t
CREATE USER MAPPING FOR x SERVER y OPTIONS (user 'u', password '«Lemon-Zest4»')
db.createUser({user:"u",pwd:"«Maple.Leaf7»",roles:[]})
db.auth("admin", "«Olive_Branch1»")
AUTH default «Poppy!Field6»
CONFIG SET requirepass «Quince-Tart3»
ACL SETUSER bob on >«Rose_Thorn9» ~* +@all
ConvertTo-SecureString "«Sage&Mint2»" -AsPlainText -Force
New-Object PSCredential("u", (Read "«Thyme~Wild5»"))
$cred.Password = '«Umber!Clay8»'
`;

/** No line has one. */
export const AUDIT_HARMLESS = String.raw`
# cmd
ldapsearch -x -b dc=corp,dc=local -s sub "(uid=bob)" mail
rsync -avz --delete --password-file=/etc/rsync.pw src/ host::mod
mosquitto_sub -h mqtt.local -p 8883 -t sensors/+/temp -q 1
restic -r /srv/repo --password-file /root/.restic backup /home
wget --user-agent=Mozilla --tries=3 https://files.local/a.tgz
sqlplus -s /nolog @daily.sql
bcp db.dbo.t out t.dat -S srv -T -c
snmpwalk -v2c -On 10.0.0.9 1.3.6.1.2.1.1
ipmitool -I lanplus -H bmc1 -f /etc/ipmi.pw chassis status
7z a -mx=9 -p backup.7z /data
unzip -o data.zip -d /srv/www
gpg --batch --passphrase-file /run/gpg.txt -d f.gpg
vault login -method=oidc role=reader
keytool -list -keystore k.jks -alias server
az login --identity
cp -p -r /etc/passwd /tmp/passwd.bak
ssh -p 2222 -i ~/.ssh/id_ed25519 deploy@host uptime
docker run -p 8080:80 --name web nginx:1.27-alpine
passwd --status alice
mkdir -p /srv/token-service/keys
tokenizer --vocab 32000 --input corpus.txt
python -m keyring.backends --list
nmap -p 22,80,443 -sV 10.0.0.0/24
systemctl restart secret-service.service
git log --author=alice --pretty=format:%H -n 5
# env
SSH_AUTH_SOCK=/run/user/1000/ssh-agent.sock
PASSWORD_MIN_LENGTH=12
TOKEN_TTL=3600
AUTH_METHOD=ldap
SECRET_NAME=shop-db
API_KEY_FILE=/run/secrets/api_key
KEYBOARD_LAYOUT=de
PASS_THROUGH=true
AWS_REGION=eu-central-1
JWT_ALGORITHM=RS256
ENABLE_PASSWORD_RESET=false
SESSION_TIMEOUT=30m
PATH=/usr/local/sbin:/usr/local/bin
KEY_ROTATION_DAYS=90
OAUTH_PROVIDER=keycloak
# log
2026-01-05 password changed for user bob
WARN token expired 35 seconds ago
failed password for invalid user admin from 10.1.2.3 port 22 ssh2
rotating secrets in namespace payments took 12 s
the key difference between both runs is latency
user eve logged in with publickey
session opened for user root by (uid=0)
commit 9fceb02d0ae598e95dc970b74767f19372d61af8 deployed
image sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945 pulled
trace_id=4bf92f3577b34da6a3ce929d0e0e4736 span_id=00f067aa0ba902b7
request 6ba7b810-9dad-11d1-80b4-00c04fd430c8 finished in 12ms
kernel: EXT4-fs (sda1): mounted filesystem with ordered data mode
pin 13 set to high
authentication method: certificate
secret "db-creds" not found
password is required
login page loaded in 120 ms
OOM killed process 1234 (java) total-vm:8388608kB
certificate CN=example.com expires 2026-05-01
bearer authentication is enabled
cookie consent accepted
token bucket refilled at 10/s
passphrase must have at least 12 characters
credentials loaded from /etc/app/creds.toml
API key limit of 5 per user reached
# conn
postgresql://db.internal:5432/app?sslmode=require
Server=sql1;Database=x;Integrated Security=true;
amqp://mq:5672/v
mongodb://cluster0.x.net:27017/?replicaSet=rs0
jdbc:oracle:thin:@//h:1521/s
jdbc:mysql://h:3306/db?useSSL=true&serverTimezone=UTC
redis://cache:6379/0
host=db user=app dbname=x sslmode=verify-full
ldap://dc1.corp.local:389/dc=corp
sftp://u@h:22/in
Driver={ODBC Driver 18 for SQL Server};Server=h;Trusted_Connection=yes;
unix:///var/run/postgresql/.s.PGSQL.5432
kafka-1:9092,kafka-2:9092,kafka-3:9092
https://user@bitbucket.org/team/repo.git
file:///etc/ssl/certs/ca-certificates.crt
# url
https://example.com/docs/reset-password
https://example.com/hooks/
https://github.com/org/repo/commit/9fceb02d0ae598e95dc970b74767f19372d61af8
https://example.com/share/how-to-bake-bread
https://api.example.com/v1/tokens?limit=20
https://example.com/invite
https://cdn.example.com/assets/main.4f53cda1.js
https://example.com/users/6ba7b810-9dad-11d1-80b4-00c04fd430c8
https://example.com/search?q=password+manager
https://registry.example.com/v2/library/nginx/manifests/latest
https://example.com/blog/2026/01/secret-of-good-coffee
https://example.com/oauth/authorize?response_type=code&scope=openid
wss://stream.example.com/feed?channel=news
https://maps.example.com/@52.5200,13.4050,12z
https://example.com/webhooks/status
# yaml
passwordPolicy: strict
tokenReviewer: {enabled: true}
secretKeyRef: {name: db, key: password}
imagePullSecrets: [{name: regcred}]
existingSecret: shop-db
auth: {type: none}
"tokenizer": "standard"
keys: [id, name, email]
"primaryKey": "user_id"
password: null
token_endpoint: https://idp.example.com/token
sshKeyType: ed25519
pass: true
sessionAffinity: ClientIP
partition_key: order_date
# sql
SELECT count(*) FROM password_resets WHERE used = false
ALTER TABLE tokens ADD COLUMN expires_at timestamptz
CREATE ROLE reporting NOLOGIN
UPDATE users SET name='Alice Cooper' WHERE id=7
INSERT INTO cities(name,country) VALUES('Oslo','Norway')
PRIMARY KEY (tenant_id, order_id)
GRANT SELECT ON secrets TO auditor
db.orders.find({status:"shipped",total:{$gt:100}})
HGETALL session:1234
ACL WHOAMI
CONFIG GET maxmemory
Get-ChildItem -Path C:\Logs -Filter *.log
$name = 'report-2026.csv'
FOREIGN KEY (token_id) REFERENCES tokens(id)
EXPLAIN ANALYZE SELECT * FROM keys WHERE key = 'color'
`;
