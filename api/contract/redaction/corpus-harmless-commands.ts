/** Command lines without a secret. The rules were made with this half. */
export const COMMANDS_SEEN = `
/usr/lib/systemd/systemd-executor --deserialize 61 --log-level info --log-target auto
/usr/bin/gnome-keyring-daemon --foreground --components=pkcs11,secrets --control-directory=/run/user/1000/keyring
/usr/libexec/gsd-smartcard
/usr/sbin/krb5kdc -P /run/krb5kdc.pid
oauth2-proxy --provider=oidc --email-domain=* --cookie-secure=true --cookie-samesite=lax --skip-provider-button --upstream=static://202
dex serve /etc/dex/cfg/config.yaml --web-http-addr 0.0.0.0:5556
kube-apiserver --enable-admission-plugins=NodeRestriction,ServiceAccount --service-account-issuer=https://kubernetes.default.svc --token-auth-file=/etc/tokens.csv --authorization-mode=RBAC
postgres -c password_encryption=scram-sha-256 -c max_connections=200 -c shared_buffers=1GB
mysqld --default-authentication-plugin=caching_sha2_password --sql-mode=STRICT_TRANS_TABLES --skip-name-resolve
mysqld --tls-version=TLSv1.3 --require-secure-transport=ON --validate-password.policy=MEDIUM
sshd -D -o PubkeyAuthentication=yes -o PasswordAuthentication=no -o AuthenticationMethods=publickey
ssh -o PreferredAuthentications=publickey -o KbdInteractiveAuthentication=no deploy@web1 -p 2222
ssh -J bastion.example.com -N -L 15432:db.internal:5432 deploy@10.0.3.7
scp -i ~/.ssh/deploy_key -P 2222 dist/app-1.4.2.tar.gz deploy@web1:/srv/releases/
rsync -avz -e "ssh -p 2222" dist/ deploy@web1:/var/www/html
rsync --partial --bwlimit=20m rsync://mirror.example.com/debian/ /srv/mirror/debian
curl -X PUT -H "Content-Type: application/json" -d '{"index":{"number_of_replicas":0}}' localhost:9200/_all/_settings
curl -k --cert /etc/ssl/client.pem --key /etc/ssl/client.key https://h:8443/status
curl -fsSL https://github.com/acme/x/releases/download/v1.2.3/x_1.2.3_linux_amd64.tar.gz -o /tmp/x.tgz
curl --unix-socket /var/run/docker.sock http://localhost/v1.43/containers/41d1dd22efc130113c44478a279830ed0a51e256f63fbb31be81c54cd7d91f6f/json
wget --mirror --convert-links --no-parent https://docs.example.com/
wget -c https://releases.ubuntu.com/24.04.1/ubuntu-24.04.1-live-server-amd64.iso
git push origin HEAD:refs/heads/feature/PROJ-4821-auth
git -c user.name=ci -c user.email=ci@example.com commit -m "Bump token-lib to 2.1.0"
git commit -m "Explain why the password is hashed twice"
git log --oneline --since=2.weeks --author=alice -- src/secrets
git clone --depth 1 --branch v1.2.3 https://gitlab.com/acme/secret-santa.git
docker run -d --name keycloak -p 8080:8080 -e KC_HEALTH_ENABLED=true quay.io/keycloak/keycloak:26.0 start-dev
docker run --rm -it -v "$PWD":/src -w /src -u 1000:1000 node:20 npm test
docker run -e COOKIE_SECURE=true -e SESSION_DRIVER=redis -e HASH_ALGORITHM=argon2id app
docker run --label traefik.http.routers.web.rule=Host(\`example.com\`) --network web app:1.2
docker exec -it 6a948ee94661 /bin/sh
docker inspect --format {{.State.Health.Status}} 87255f0fd683a5a8618e32577d59fa78f4b1abaff2d7e71602dff361bb9b45ef
docker tag f68bed32a3fe registry.example.com/acme/auth:1.4.2
docker compose -p shop -f compose.yaml --profile auth up -d --wait
docker secret create db_password /run/pw.txt
docker service update --secret-rm db_pw_v1 --secret-add db_pw_v2 shop_api
buildah bud --build-arg VERSION=1.2.3 --build-arg COMMIT=10b55dcf7cfe0368d8fbc6c7793c8ecc98b8d3b9 .
crictl inspect 46485cc4cbb1d216c118be2eaa43a45b43a9feed3b416ee84e115c47b3eaa47f
kubectl get pods -A -o wide --sort-by=.metadata.creationTimestamp
kubectl describe secret shop-tls -n shop
kubectl create secret tls shop-tls --cert=/tmp/tls.crt --key=/tmp/tls.key
kubectl create secret generic app --from-file=password=/tmp/pw.txt
kubectl rollout restart deploy/session-store
kubectl exec -n shop cart-qsllm9mqsc-zckcr -c app -- cat /etc/os-release
kubectl label node ip-10-0-1-23 node-role.kubernetes.io/worker=
kubectl annotate deploy web kubernetes.io/change-cause="rotate signing key"
kubectl set image deploy/web web=acme/web:53137a4
kubectl auth can-i get secrets --as=system:serviceaccount:ci:deployer
kubectl -n kube-system get cm extension-apiserver-authentication -o yaml
kubectl port-forward svc/vault 8200:8200 -n vault
kubectl apply --server-side -k overlays/prod/auth
helm upgrade x bitnami/redis --set auth.existingSecretPasswordKey=redis-password --set auth.sentinel=false
kustomize build overlays/prod
argocd app sync auth --revision 021c124ddbd1851bc80d7dd714adfa465122330f
flux reconcile kustomization secrets --with-source
terraform apply -auto-approve -target=module.auth.aws_cognito_user_pool.main
terraform plan -var environment=prod -var instance_type=m6i.large -var key_name=deploy-2026
packer build -only=amazon-ebs.web -var ami_name=web-20261120 web.pkr.hcl
ansible all -m ping -u deploy --private-key ~/.ssh/deploy_key
vagrant up --provider=libvirt
aws s3 sync dist/ s3://acme-web-prod/ --delete --cache-control max-age=31536000
aws kms decrypt --key-id alias/shop --ciphertext-blob fileb://pw.enc
aws ec2 describe-instances --instance-ids i-033adbcc0c398fd9e --query Reservations[].Instances[].State
aws eks get-token --cluster-name prod
aws ecr get-login-password --region eu-central-1
gcloud container clusters get-credentials prod --zone europe-west3-a --project acme-prod
az keyvault secret show --vault-name acme-kv --name db-password
az aks get-credentials -g prod -n aks1 --overwrite-existing
az group list --query "[?tags.env=='prod'].name" -o tsv
vault kv get -field=password secret/shop/db
vault operator raft list-peers
psql -c "CREATE TABLE tokens (id bigint primary key, secret text not null)"
psql -c "SHOW password_encryption"
pg_dump -Fd -j 4 -h db -U backup --no-password -f /backup/shop-20261120 shop
pg_restore --clean --if-exists --no-owner -d shop /backup/shop.dump
mysql -e "SELECT user, host, plugin FROM mysql.user WHERE account_locked='N'"
mysql --login-path=prod -N -B -e "SELECT COUNT(*) FROM password_resets"
mongosh --quiet --eval "db.users.countDocuments({passwordHash: null})"
mongosh --eval "rs.status().members.map(m => m.stateStr)"
redis-cli CONFIG GET maxmemory-policy
redis-cli KEYS token:*
clickhouse-client --query "SELECT count() FROM events WHERE day = today() FORMAT TSV"
sqlite3 /var/lib/app/app.db ".tables"
kafka-topics.sh --bootstrap-server k1:9092 --describe --topic password-resets
kafka-console-consumer.sh --bootstrap-server k1:9092 --topic tokens --from-beginning --property print.key=true
java -Dcom.sun.management.jmxremote.authenticate=false -Dcom.sun.management.jmxremote.password.file=/etc/jmx.password -cp /app/classes:/app/libs/* com.acme.AuthServer
java -Djava.security.auth.login.config=/etc/kafka/jaas.conf -Dzookeeper.sasl.client=true kafka.Kafka
java -Djenkins.install.runSetupWizard=false -jar /usr/share/java/jenkins.war --webroot=/var/cache/jenkins/war --httpPort=8080
/usr/lib/jvm/java-17-openjdk-amd64/bin/java -Des.path.home=/usr/share/elasticsearch -Des.bundled_jdk=true -m org.elasticsearch.server/org.elasticsearch.bootstrap.Elasticsearch
mvn -B -q verify -DskipTests -Dmaven.repo.local=/cache/m2 -Pprod
mvn test -Dtest=TokenServiceTest#refreshesExpiredToken
node --enable-source-maps --require /app/otel.js /app/dist/main.js --auth-mode jwt --log-level=info
node --inspect=0.0.0.0:9229 --max-http-header-size=32768 server.js
npm ci --prefer-offline --no-audit --fund=false
pnpm --filter @acme/token-lib... run build
esbuild src/auth.ts --bundle --minify --target=es2022 --outfile=dist/auth.4f1c2d3e.js
python3 -m pytest tests/test_passwords.py -k "not slow" -x -q
python3 manage.py changepassword bob
python3 train.py --model meta-llama/Llama-3.1-8B-Instruct --pad-token-id 128001 --max-new-tokens 256 --lr 3e-4 --seed 42
python3 -c "import secrets; print(secrets.token_hex(16))"
gunicorn --worker-class gevent --workers 4 --bind 0.0.0.0:8000 --access-logfile - auth.wsgi
celery -A auth worker -Q tokens,passwords -c 4 --max-tasks-per-child=1000
flask --app auth run -p 5000
pip install "cryptography>=43,<44" pyjwt[crypto]==2.9.0
poetry run alembic upgrade head
bundle exec sidekiq -q mailers -q token_cleanup -c 10
php -d memory_limit=512M vendor/bin/phpunit --filter TokenTest
go test ./internal/auth/... -run TestTokenRefresh -count=1 -race
gcc -O2 -Wall -DHAVE_PAM=1 -I/usr/include/security -c pam_token.c -o pam_token.o
make -C auth test VERBOSE=1 TOKEN_BACKEND=memory
qemu-system-x86_64 -enable-kvm -m 4096 -cpu host -drive file=/vm/web.qcow2,if=virtio -netdev user,id=n0 -device virtio-net,netdev=n0,mac=52:54:00:a1:b2:c3 -uuid ae085084-471a-4dab-a72a-e038642e25e2
lxc launch ubuntu:24.04 auth1 -c limits.memory=2GB
systemctl restart systemd-cryptsetup@luks-fd526113-9829-4bb8-ab81-354150bbbb41.service
systemd-cryptenroll --tpm2-device=auto --tpm2-pcrs=0+7 /dev/nvme0n1p3
journalctl _SYSTEMD_UNIT=auth.service -o json --since "2026-11-20 10:15" -n 500
cryptsetup open --type luks2 --key-file /root/luks.key /dev/sdb1 data
mount -t nfs4 -o rw,hard,sec=krb5p nas.example.com:/export/home /home
mount -o subvol=@home,compress=zstd:3,noatime UUID=439f60a2-2c21-4b12-a2b8-5f06d2a4049d /home
blkid -U 7f13f8d7-24b6-4160-a9a4-0b7f5147c99c
mkfs.ext4 -L data -U 5aa14a0c-afec-415d-aade-9ac600b55645 /dev/sdb1
restic restore 9b9df969 --target /restore
borg create --compression zstd,6 /backup/repo::web-2026-11-20 /srv
tar --zstd -cf /backup/etc-$(date +%F).tar.zst /etc
grep -rEn "token|secret|password" /srv/app/src --include=*.ts
sed -i s/password_old/password_new/ schema.sql
cut -d: -f1 /etc/shadow
sort -t: -k2,2n /tmp/token-counts.txt
jq -r '.data.password | length' out.json
yq '.auth.existingSecret' values.yaml
openssl x509 -in /etc/ssl/certs/web.pem -noout -subject -enddate
openssl s_client -connect db:5432 -starttls postgres -servername db.example.com
cosign verify --certificate-identity-regexp=https://github.com/acme/.* ghcr.io/acme/x@sha256:2418ae96fa6c1818d2b1d6d762ae319397ab5f4cf3fe4ea357f40f6ed93b0799
sops -d --extract '["db"]["password"]' secrets.enc.yaml
pass show prod/db
getent passwd 1000
visudo -c -f /etc/sudoers.d/deploy
wrk -t4 -c100 -d30s http://localhost:8080/api/token/health
tcpdump -i any -nn -s0 port 389 -w /tmp/ldap.pcap
iptables -A INPUT -p tcp --dport 8443 -m conntrack --ctstate NEW -j ACCEPT
nft add rule inet filter input tcp dport { 80, 443 } accept
wg show wg0 latest-handshakes
nsupdate -k /etc/bind/ddns.key /tmp/update.txt
tmux attach -t auth-debug
screen -S token-watch -X quit
xargs -P 4 -n 1 gzip -9
parallel -j 8 convert {} {.}.webp ::: a.png b.png
watch -n 5 "kubectl get pods -n auth | grep -v Running"
bash -c "set -euo pipefail; cd /srv/app && ./bin/migrate up"
env LANG=C.UTF-8 TZ=Europe/Berlin AUTH_BACKEND=pam /usr/bin/worker --queue=default
backupctl run -p daily -k 7 -t full
agentctl -a 10.0.0.7 -p tcp -s /run/agent.sock
/opt/acme/bin/sync -k incremental -w /srv/work -a all
app register-node worker-07
cluster-ctl join 10.0.0.1:7000
auth-cli validate ./policies/token.rego
appctl set log-level debug
device-pair --list
unlock-screen --session c2
/Applications/Safari.app/Contents/XPCServices/com.apple.WebKit.Networking.xpc
/System/Library/PrivateFrameworks/AuthKit.framework/Versions/A/Support/akd
/snap/firefox/5187/usr/lib/firefox/firefox -contentproc -childID 12 -isForBrowser -prefsLen 31245 -prefMapSize 251234 -jsInitLen 234660 -parentBuildID 20261101120000 -appDir /snap/firefox/5187/usr/lib/firefox/browser {54935cbb-a220-4da2-a25c-4ddf815f5664} 2211 true tab
/opt/google/chrome/chrome --type=utility --utility-sub-type=network.mojom.NetworkService --lang=en-US --service-sandbox-type=none --variations-seed-version=20261118-030021.123000 --enable-features=WebAuthenticationNewPasskeyUI
/usr/share/code/code --type=zygote --no-zygote-sandbox
/usr/lib/slack/slack --type=renderer --app-path=/usr/lib/slack/resources/app.asar --enable-blink-features=ExperimentalJSProfiler
/nix/store/4xkqz9zmmz3n8kzyb7wr2p5d1cvhs6fa-nginx-1.27.2/bin/nginx -c /etc/nginx.conf
/usr/bin/pipewire-pulse
/usr/local/bin/argocd-server --staticassets /shared/app --dex-server-plaintext --insecure
/csi-node-driver-registrar --csi-address=/csi/csi.sock --kubelet-registration-path=/var/lib/kubelet/plugins/ebs.csi.aws.com/csi.sock
code-server --bind-addr 127.0.0.1:8080 --auth none
ttyd -p 7681 -W bash
n8n start --tunnel=false
rtorrent -p 6881-6889 -s /srv/session
`;
