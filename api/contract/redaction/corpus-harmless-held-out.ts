/** Command lines without a secret, looked at when the rules were done. */
export const COMMANDS_HELD_OUT = `
/usr/bin/ssh-agent -D -a /run/user/1000/openssh_agent
/usr/libexec/sssd/sssd_pam --logger=files
/usr/sbin/slapd -h ldap:/// ldapi:/// -g openldap -u openldap -F /etc/ldap/slapd.d
/usr/bin/keycloak start --hostname-strict=false --http-enabled=true --proxy-headers xforwarded --db=postgres
kube-apiserver --anonymous-auth=false --oidc-username-claim=email --oidc-groups-claim=groups --requestheader-allowed-names=front-proxy-client
kubelet --authentication-token-webhook --authorization-mode=Webhook --rotate-server-certificates --seccomp-default
redis-server *:6379 --appendonly yes --protected-mode no --maxmemory-policy allkeys-lru
mongod --auth --bind_ip_all --setParameter authenticationMechanisms=SCRAM-SHA-256
sshd: deploy [priv]
ssh-keygen -t ed25519 -C deploy@build1 -f /tmp/id_ed25519
rsync -aHAX --numeric-ids --delete --exclude=.git --info=progress2 /srv/data/ backup@nas:/volume1/data/
curl -sSL https://get.k3s.io
curl -w "%{time_total}\\n" -o /dev/null -s https://example.com/login?next=/account
curl -I https://example.com/token-ring.html
curl -H "Authorization: Bearer $TOKEN" https://api.example.com/v1/me
curl -u "$USER:$PASSWORD" https://h/
curl -s https://raw.githubusercontent.com/acme/x/637b2bb4b2862921786946cc8a17892fb9f9ce31/install.sh
curl https://api.github.com/repos/acme/x/commits/05fc5d4746a5de646b6c1f42efb8e2cdf9b329c4
git rebase --onto main 23a1388 fix/password-form
git cherry-pick dbacc299db8f6485be3e7ba7c365c53da324ffce
git show 33f4464c:src/auth/token.ts
git config --global credential.helper store
git -c credential.helper= -c core.quotepath=false -c log.showSignature=false fetch origin --recurse-submodules=no
git commit -am "auth: use token from header"
git worktree add ../hotfix-4821 hotfix/4821
docker run -e AUTH_TYPE=ldap -e PASSWORD_FILE=/run/secrets/pw -e TOKEN_TTL=3600 app
docker logs --tail 100 -f shop-auth-1
docker push registry.example.com/acme/auth:d878567
docker buildx build --platform linux/amd64,linux/arm64 --secret id=npm,env=NPM_TOKEN -t acme/x:1.2 .
docker swarm join-token worker
podman run --secret db-pw,type=env,target=DB_PASSWORD app
podman generate systemd --new --name web
ctr -n k8s.io images ls -q
nerdctl run -d -p 80:80 nginx@sha256:a5d5d67a991728f7958c6f035acd6e504a9cf9bdcf665d9453e1fdc2b91ed4d6
kubectl create token deployer --duration=1h -n ci
kubectl create serviceaccount token-reader
kubectl logs -n auth keycloak-0 -c keycloak --since=10m
kubectl patch sa default -p '{"imagePullSecrets":[{"name":"regcred"}]}'
kubectl wait --for=condition=Ready pod -l app.kubernetes.io/name=auth --timeout=120s
kubectl config use-context arn:aws:eks:eu-central-1:123456789012:cluster/prod
helm upgrade --install auth ./charts/auth --set auth.enabled=true --set auth.existingSecret=auth-creds --set ingress.tls[0].secretName=auth-tls
helm install vault hashicorp/vault --set server.dev.enabled=true --version 0.28.1
helm template . --set global.imagePullSecrets[0].name=regcred
helm secrets upgrade app . -f secrets.prod.yaml
istioctl proxy-config secret auth-hdvnz6dx26-sxnps.shop
velero backup create nightly-20261120 --include-resources secrets
k6 run --vus 50 --duration 5m token-refresh.js
terraform import aws_iam_access_key.ci AKIA4XKT9Q2ZZ1Z3
terraform state show 'module.secrets.random_password.db'
terraform workspace select prod-eu
tofu init -backend-config=bucket=acme-tf -backend-config=key=prod/auth.tfstate
ansible-playbook -i inventory/prod site.yml --limit auth --tags token-rotation -e version=1.4.2
ansible-vault view group_vars/prod/vault.yml
ansible-galaxy collection install community.hashi_vault:6.2.0
aws secretsmanager get-secret-value --secret-id shop/db --query SecretString --output text
aws sts assume-role --role-arn arn:aws:iam::123456789012:role/deploy --role-session-name ci-4821
aws ssm get-parameter --name /shop/prod/db_password --with-decryption
aws iam list-access-keys --user-name ci
aws dynamodb get-item --table-name sessions --key file://key.json
gcloud auth print-access-token
gcloud secrets versions access latest --secret=db-password
gcloud compute ssh web-1 --zone=europe-west3-a --tunnel-through-iap
az account get-access-token --resource https://management.azure.com/
vault read database/creds/app-readonly
vault token lookup
vault policy write token-admin /etc/vault/policies/token.hcl
consul members -wan
nomad job run -var version=1.4.2 auth.nomad.hcl
psql -h db.internal -p 5432 -U app -d shop -c "SELECT id, token_count FROM sessions WHERE user_id = 4821"
psql -c "ALTER ROLE app VALID UNTIL '2027-01-01'"
psql -c "SELECT count(*) FROM users WHERE password IS NULL"
psql -d postgres -tAc "SELECT 1 FROM pg_roles WHERE rolname='app'"
psql "host=db user=app dbname=shop sslmode=verify-full sslrootcert=/etc/ca.pem"
pgbench -c 10 -j 2 -T 60 -P 5 shop
pgbackrest --stanza=main --type=diff --log-level-console=info backup
mysql -h db -P 3306 -u app -p shop -e "SHOW VARIABLES LIKE 'validate_password%'"
mysqldump --single-transaction --routines --set-gtid-purged=OFF shop orders
redis-cli -h cache -p 6379 --bigkeys
redis-cli SET session:4821 1 EX 3600
influx query 'from(bucket:"k8s") |> range(start:-1h)'
cqlsh -e "DESCRIBE KEYSPACE shop" db1 9042
java -Xms2g -Xmx2g -XX:MaxMetaspaceSize=512m -XX:+HeapDumpOnOutOfMemoryError -Dfile.encoding=UTF-8 -Duser.timezone=UTC -jar /srv/auth-service-2.14.3.jar
java -Dspring.profiles.active=prod -Dserver.ssl.key-store-type=PKCS12 -Dserver.ssl.key-alias=web -Dspring.security.oauth2.client.registration.github.scope=read:user -jar app.jar
java -javaagent:/opt/otel/opentelemetry-javaagent.jar -Dotel.service.name=token-service -jar app.jar
java -Dlog4j2.formatMsgNoLookups=true -Dsun.net.inetaddr.ttl=60 -Djdk.tls.client.protocols=TLSv1.2 -jar a.jar
gradle :auth:test --tests com.acme.auth.PasswordEncoderTest --no-daemon
sbt "testOnly com.acme.TokenSpec"
npm run test:auth -- --coverage --testPathPattern=token
npm publish --access public --tag next --otp-prompt
npx prisma migrate deploy --schema prisma/schema.prisma
npx playwright test --grep @auth --workers=4
yarn workspace @acme/auth-ui build --mode production
vite build --mode staging --outDir dist/auth
eslint --cache --cache-key auth src/**/*.ts
python3 -m uvicorn auth.main:app --host 0.0.0.0 --port 8000 --proxy-headers
python3 -m venv /opt/venv3.12
pip install --require-hashes --hash=sha256:59b24c6275b24588bfe3146c96a87ccae505faa9dbc83062cb161c4ad42eb8cd requests==2.32.3
conda run -n py312 jupyter nbconvert --to html token-analysis.ipynb
ruby bin/rails db:migrate VERSION=20261120101500
bundle exec rspec spec/models/api_key_spec.rb:42
php artisan queue:work redis --queue=password-resets --tries=3
composer require league/oauth2-server:^9.0 --no-interaction
cargo test --package token-bucket -- --nocapture
rustc --crate-name auth --edition=2021 src/lib.rs --crate-type lib -C opt-level=3 -C metadata=4cecca144bbc6aec -C extra-filename=-40f269d00142fa10 --out-dir /target/release/deps
go build -ldflags "-s -w -X main.version=1.4.2 -X main.commit=f0c9e620efff937788a164a354ded23a65635187" -o bin/authd ./cmd/authd
go install github.com/acme/x/cmd/x@v1.2.3
cmake --build build --target token_test -j 8
bazel test //auth/... --test_output=errors --config=ci
ffmpeg -ss 00:01:30 -i /media/in.mkv -c:v libx265 -preset slow -crf 22 -pix_fmt yuv420p10le -c:a libopus -b:a 128k out.mkv
virsh dumpxml web1 --security-info
systemctl --user start gpg-agent.socket
systemd-run --scope --unit=run-4821 -p MemoryMax=512M /usr/bin/worker
mount.cifs //nas/share /mnt -o credentials=/etc/cifs/nas.cred,uid=1000,vers=3.1.1
lvcreate -L 100G -n pg_data vg0
zfs send -R tank/data@auto-2026-11-20_10-15
restic -r s3:s3.eu-central-1.amazonaws.com/acme-backup snapshots --tag nightly
find /srv -type f -name "*password*" -size +1M -mtime -7 -exec ls -l {} +
rg -n --hidden "API_KEY=" .
awk -F: '$3 >= 1000 {print $1}' /etc/passwd
base64 -d /tmp/cert.b64
openssl rand -hex 32
openssl dgst -sha256 -verify pub.pem -signature file.sig file.tar
gpg --keyserver hkps://keys.openpgp.org --recv-keys 9AA3D95B3BC440FA88EA12EAA44561619AA3D95B
gpg --verify SHA256SUMS.gpg SHA256SUMS
sha256sum -c checksums.txt
echo "3cd412ea87ccc699f190862e3062ceeb7118cae277b7b6e2780eb42b7ef92ca5  app.tar.gz"
age -d -i /root/key.txt -o out.tar in.tar.age
passwd -l bob
chage -l bob
htpasswd -v /etc/nginx/.htpasswd bob
su - postgres -c "psql -l"
useradd -m -s /bin/bash -G docker,sudo deploy
certbot certonly --webroot -w /var/www/html -d auth.example.com --deploy-hook "systemctl reload nginx"
nginx -t -c /etc/nginx/nginx.conf
ab -n 1000 -c 10 http://localhost:8080/login
nmap -sV -p 22,80,443,5432 10.0.0.0/24
ip link set dev wg0 up mtu 1420
nmcli connection up id "Office VPN"
dig +short TXT _acme-challenge.example.com @1.1.1.1
timeout -k 5 60 ./run-tests.sh auth
nice -n 19 ionice -c 3 updatedb
sh -c "while true; do date; sleep 60; done"
bash -lc "source ~/.nvm/nvm.sh && nvm use 20 && npm start"
sh -c 'export PATH=/opt/bin:$PATH; export NODE_ENV=production TOKEN_FILE=/run/t; exec node server.js'
sh -c "echo Starting auth service on port 8080"
sh -c 'test -n "$API_KEY" || echo "API_KEY is not set"'
mytool -p 8080 -k /etc/tls.key -s main
scanner -p 1-1024 -t 4 -w wordlist.txt
./loader -t orders_2026 -s public -p batch-size=500
xtool -p web01 -t x86_64 -k utf8mb4
app login --help
license-check --format json /opt/acme
/opt/Synology/SynoPhotos/bin/synofoto-task-center --task 4821
/usr/libexec/trustd --agent
/home/bob/.vscode-server/bin/b600e835bce237d64e9c45443ff70d23a06d4bdd/node /home/bob/.vscode-server/bin/a538649e351f445d198c1533548c04c4ae412fe8/out/server-main.js --connection-token-file=/tmp/t --start-server
/usr/bin/Xorg :0 -seat seat0 -auth /var/run/lightdm/root/:0 -nolisten tcp vt7 -novtswitch
/usr/bin/gitlab-runner run --config /etc/gitlab-runner/config.toml --service gitlab-runner --user gitlab-runner
/home/runner/actions-runner/bin/Runner.Listener run --startuptype service
gitea web --config /etc/gitea/app.ini
minio server --console-address :9001 http://minio-{0...3}.minio/data
jupyterhub-singleuser --ip=0.0.0.0 --ServerApp.allow_remote_access=True --IdentityProvider.cookie_name=jhub
/manager --leader-elect --metrics-bind-address=:8443 --webhook-port=9443 --secret-namespace=auth
/usr/bin/cilium-operator-generic --config-dir=/tmp/cilium/config-map --debug=false
/metrics-server --cert-dir=/tmp --kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname
/secrets-store-csi-driver --endpoint=unix:///csi/csi.sock --nodeid=ip-10-0-1-23 --provider-volume=/var/run/secrets-store-csi-providers
cloudflared tunnel --config /etc/cloudflared/config.yml run
tailscaled --state=/var/lib/tailscale/tailscaled.state --socket=/run/tailscale/tailscaled.sock --port=41641
/usr/bin/home-assistant -c /config --log-rotate-days 7
mosquitto -c /mosquitto/config/mosquitto.conf
mosquitto_sub -h mqtt -p 1883 -t 'home/+/temperature' -v
snmpd -Lsd -Lf /dev/null -u Debian-snmp -g Debian-snmp -p /run/snmpd.pid
mpd --no-daemon /etc/mpd.conf
ollama runner --model /root/.ollama/models/blobs/sha256-373710be712498a4209313df77cdda6dc0a8e0cb1ed1fab1ca75cfd57d941263 --ctx-size 8192 --batch-size 512 --n-gpu-layers 33
vllm serve Qwen/Qwen2.5-7B-Instruct-AWQ --max-model-len 8192 --enable-auto-tool-choice --tool-call-parser hermes
`;
