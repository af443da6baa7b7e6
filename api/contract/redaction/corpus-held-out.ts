/** The part of the corpus written after the rules: they had not seen it. The format is that of `SEEN`. */
export const HELD_OUT = `
impala-shell https://impala.apache.org/docs/build/html/topics/impala_shell_options.html
impala-shell|-i|db|--ldap|-u|bob|--ldap_password_cmd|«printf q1W2e3R4»
beeline https://cwiki.apache.org/confluence/display/hive/hiveserver2+clients
beeline|-u|jdbc:hive2://h:10000|-n|bob|-p|«q1W2e3R4t5»
sqoop https://sqoop.apache.org/docs/1.4.7/SqoopUserGuide.html
sqoop|import|--connect|jdbc:mysql://h/x|--username|bob|--password|«q1W2e3R4t5»
cypher-shell https://neo4j.com/docs/operations-manual/current/cypher-shell/
cypher-shell|-u|neo4j|-p|«q1W2e3R4t5»|RETURN 1
neo4j-admin https://neo4j.com/docs/operations-manual/current/configuration/set-initial-password/
neo4j-admin|dbms|set-initial-password|«q1W2e3R4t5»
arangosh https://docs.arangodb.com/stable/components/tools/arangodb-shell/
arangosh|--server.username|root|--server.password|«q1W2e3R4t5»
couchbase-cli https://docs.couchbase.com/server/current/cli/cbcli/couchbase-cli.html
couchbase-cli|server-list|-c|h:8091|-u|admin|-p|«q1W2e3R4t5»
cbq https://docs.couchbase.com/server/current/tools/cbq-shell.html
cbq|-e|http://h:8091|-u|admin|-p|«q1W2e3R4t5»
db2 https://www.ibm.com/docs/en/db2/11.5?topic=commands-connect
db2|connect|to|shop|user|bob|using|«q1W2e3R4t5»
isql-fb https://firebirdsql.org/file/documentation/html/en/firebirddocs/isql/firebird-isql.html
isql-fb|-user|SYSDBA|-password|«q1W2e3R4t5»|h:/x.fdb
gbak https://firebirdsql.org/file/documentation/html/en/firebirddocs/gbak/firebird-gbak.html
gbak|-b|-user|SYSDBA|-password|«q1W2e3R4t5»|a.fdb|a.fbk
vsql https://docs.vertica.com/latest/en/connecting-to/using-vsql/command-line-options/
vsql|-h|db|-U|bob|-w|«q1W2e3R4t5»
snowsql https://docs.snowflake.com/en/user-guide/snowsql-start
env|SNOWSQL_PWD=«q1W2e3R4t5»|snowsql|-a|x
hdbsql https://help.sap.com/docs/SAP_HANA_PLATFORM
hdbsql|-u|SYSTEM|-p|«q1W2e3R4t5»|-n|h:30015
usql https://github.com/xo/usql
usql|pg://bob:«q1W2e3R4t5»@h/x
pgcli https://www.pgcli.com/commands
pgcli|postgres://bob:«q1W2e3R4t5»@h/x
pgbench https://www.postgresql.org/docs/current/pgbench.html
sh|-c|PGPASSWORD='«q1W2e3R4t5»' pgbench -h db shop
pg_basebackup https://www.postgresql.org/docs/current/app-pgbasebackup.html
pg_basebackup|-d|host=db user=repl password=«q1W2e3R4t5»|-D|/x
patronictl https://patroni.readthedocs.io/en/latest/patronictl.html
env|PATRONI_SUPERUSER_PASSWORD=«q1W2e3R4t5»|patronictl|list
pt-table-checksum https://docs.percona.com/percona-toolkit/pt-table-checksum.html
pt-table-checksum|h=db,u=root,p=«q1W2e3R4t5»
xtrabackup https://docs.percona.com/percona-xtrabackup/8.0/
xtrabackup|--backup|--user=root|--password=«q1W2e3R4t5»
mydumper https://mydumper.github.io/mydumper/
mydumper|-u|root|-p|«q1W2e3R4t5»|-B|shop
influxd-ctl https://docs.influxdata.com/enterprise_influxdb/v1/tools/influxd-ctl/
influxd-ctl|-auth-type|basic|-user|bob|-pwd|«q1W2e3R4t5»|show
kcat https://github.com/edenhill/kcat
kcat|-b|h|-X|sasl.username=bob|-X|sasl.password=«q1W2e3R4t5»|-L
kafka-configs https://kafka.apache.org/documentation/#security_sasl_scram
kafka-configs.sh|--alter|--add-config|SCRAM-SHA-512=[password=«q1W2e3R4t5»]|--entity-name|bob
nats https://docs.nats.io/using-nats/nats-tools/nats_cli
nats|--server|nats://h:4222|--user|bob|--password|«q1W2e3R4t5»|sub|x
amqp-publish https://manpages.debian.org/bookworm/amqp-tools/amqp-publish.1.en.html
amqp-publish|--username=bob|--password=«q1W2e3R4t5»|-b|x
rabbitmqadmin https://www.rabbitmq.com/docs/management-cli
rabbitmqadmin|-u|bob|-p|«q1W2e3R4t5»|list|queues
mosquitto_passwd https://mosquitto.org/man/mosquitto_passwd-1.html
mosquitto_passwd|-b|/etc/mosquitto/pw|bob|«q1W2e3R4t5»
nodetool https://cassandra.apache.org/doc/latest/cassandra/troubleshooting/use_nodetool.html
nodetool|-u|bob|-pw|«q1W2e3R4t5»|status
jmxterm https://docs.cyclopsgroup.org/jmxterm
java|-jar|jmxterm.jar|-l|h:9999|-u|bob|-p|«q1W2e3R4t5»
jenkins-cli https://www.jenkins.io/doc/book/managing/cli/
java|-jar|jenkins-cli.jar|-s|http://h/|-auth|bob:«q1W2e3R4t5»|who-am-i
java|-jar|agent.jar|-url|http://h/|-secret|«0f1e2d3c4b5a69788796a5b4c3d2e1f0»|-name|a1
sonar-scanner https://docs.sonarsource.com/sonarqube-server/latest/
sonar-scanner|-Dsonar.token=«sqp_0f1e2d3c4b5a»|-Dsonar.projectKey=shop
sonar-scanner|-Dsonar.login=«0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c»
mvn https://maven.apache.org/guides/mini/guide-encryption.html
mvn|deploy|-Dgpg.passphrase=«q1W2e3R4t5»
mvn|--encrypt-password|«q1W2e3R4t5»
gradle https://docs.gradle.org/current/userguide/signing_plugin.html
gradle|publish|-Psigning.password=«q1W2e3R4t5»|-PossrhPassword=«q1W2e3R4t6»
jf https://docs.jfrog-applications.jfrog.io/jfrog-applications/jfrog-cli
jf|rt|ping|--url=https://h|--access-token=«q1W2e3R4t5»
cosign https://docs.sigstore.dev/cosign/
env|COSIGN_PASSWORD=«q1W2e3R4t5»|cosign|sign|img
crane https://github.com/google/go-containerregistry/blob/main/cmd/crane/doc/crane_auth_login.md
crane|auth|login|h|-u|bob|-p|«q1W2e3R4t5»
buildah https://github.com/containers/buildah/blob/main/docs/buildah-login.1.md
buildah|login|-u|bob|-p|«q1W2e3R4t5»|h
nerdctl https://github.com/containerd/nerdctl/blob/main/docs/command-reference.md
nerdctl|login|-u|bob|-p|«q1W2e3R4t5»|h
ctr https://github.com/containerd/containerd/blob/main/docs/cri/registry.md
ctr|images|pull|--user|bob:«q1W2e3R4t5»|h/x:1
crictl https://github.com/kubernetes-sigs/cri-tools/blob/master/docs/crictl.md
crictl|pull|--creds|bob:«q1W2e3R4t5»|h/x:1
flux https://fluxcd.io/flux/cmd/flux_create_secret_git/
flux|create|secret|git|x|--url=https://h/x|--username=bob|--password=«q1W2e3R4t5»
kubeseal https://github.com/bitnami-labs/sealed-secrets
kubectl|create|secret|generic|x|--dry-run=client|--from-literal=foo=«q1W2e3R4t5»
rancher https://ranchermanager.docs.rancher.com/reference-guides/cli-with-rancher/rancher-cli
rancher|login|https://h|--token|«token-abcde:q1W2e3R4t5q1W2e3R4t5»
microk8s https://microk8s.io/docs/clustering
microk8s|join|10.0.0.1:25000/«92b2db237428470dc4fcfc4ebbd9dc81»
docker-swarm https://docs.docker.com/reference/cli/docker/swarm/join/
docker|swarm|join|--token|«SWMTKN-1-3pu6hszjas19xyp7»|h:2377
doctl https://docs.digitalocean.com/reference/doctl/reference/
doctl|--access-token|«dop_v1_0f1e2d3c4b5a69788796a5b4c3d2e1f0»|compute|droplet|list
linode-cli https://www.linode.com/docs/products/tools/cli/
linode-cli|linodes|create|--root_pass|«q1W2e3R4t5»|--type|g6
hcloud https://github.com/hetznercloud/cli
env|HCLOUD_TOKEN=«q1W2e3R4t5»|hcloud|server|list
openstack https://docs.openstack.org/python-openstackclient/latest/cli/man/openstack.html
openstack|--os-username|bob|--os-password|«q1W2e3R4t5»|server|list
govc https://github.com/vmware/govmomi/blob/main/govc/README.md
env|GOVC_URL=https://bob:«q1W2e3R4t5»@vc/sdk|govc|ls
gcloud https://cloud.google.com/sdk/gcloud/reference/sql/users/set-password
gcloud|sql|users|set-password|bob|--instance=x|--password=«q1W2e3R4t5»
eksctl https://eksctl.io/usage/gitops-v2/
env|GITHUB_TOKEN=«ghp_abcdefGHIJKL1234567890»|eksctl|enable|flux
pulumi https://www.pulumi.com/docs/cli/commands/pulumi_config_set/
pulumi|config|set|--secret|dbPassword|«q1W2e3R4t5»
flyctl https://fly.io/docs/flyctl/secrets-set/
flyctl|secrets|set|ANYTHING=«q1W2e3R4t5»
vercel https://vercel.com/docs/cli/global-options
vercel|--token|«q1W2e3R4t5»|deploy
netlify https://cli.netlify.com/commands/env/
netlify|deploy|--auth|«q1W2e3R4t5»|--prod
railway https://docs.railway.com/reference/cli-api
railway|variables|--set|ANY_TOKEN=«q1W2e3R4t5»
wrangler https://developers.cloudflare.com/workers/wrangler/
env|CLOUDFLARE_API_TOKEN=«q1W2e3R4t5»|wrangler|deploy
stripe https://docs.stripe.com/cli
stripe|listen|--api-key|«sk_test_abcdefGHIJKL1234567890»
snyk https://docs.snyk.io/snyk-cli/commands/auth
snyk|auth|«0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0»
codecov https://docs.codecov.com/docs/the-codecov-cli
codecov|-t|«0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0»
newrelic https://github.com/newrelic/newrelic-cli
newrelic|profile|add|--apiKey|«NRAK-ABCDEF1234567890»|--region|eu
datadog-ci https://github.com/DataDog/datadog-ci
env|DD_API_KEY=«0f1e2d3c4b5a69788796a5b4c3d2e1f0»|datadog-ci|junit|upload
promtool https://prometheus.io/docs/prometheus/latest/command-line/promtool/
promtool|query|instant|http://bob:«q1W2e3R4t5»@h:9090|up
grafana-cli https://grafana.com/docs/grafana/latest/cli/
grafana-cli|admin|reset-admin-password|«q1W2e3R4t5»
elasticsearch-users https://www.elastic.co/guide/en/elasticsearch/reference/current/users-command.html
elasticsearch-users|useradd|bob|-p|«q1W2e3R4t5»|-r|admin
elasticdump https://github.com/elasticsearch-dump/elasticsearch-dump
elasticdump|--input=http://bob:«q1W2e3R4t5»@h:9200/x|--output=x.json
metricbeat https://www.elastic.co/guide/en/beats/metricbeat/current/command-line-options.html
metricbeat|-E|output.elasticsearch.password=«q1W2e3R4t5»|-e
telegram-cli https://core.telegram.org/bots/api
sh|-c|wget -qO- "https://api.telegram.org/bot«123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw»/getMe"
apprise https://github.com/caronc/apprise/wiki/CLI_Usage
apprise|-b|hi|mailto://bob:«q1W2e3R4t5»@gmail.com
sendemail https://github.com/mogaal/sendemail
sendemail|-f|a@b.c|-xu|bob|-xp|«q1W2e3R4t5»
msmtp https://marlam.de/msmtp/msmtp.html
msmtp|--passwordeval=«echo q1W2e3R4»|a@b.c
mutt http://www.mutt.org/doc/manual/
mutt|-e|set smtp_pass=«q1W2e3R4t5»|a@b.c
s-nail https://www.sdaoden.eu/code-nail.html
s-nail|-S|mta=smtp://bob:«q1W2e3R4t5»@h|a@b.c
imapsync https://imapsync.lamiral.info/
imapsync|--user1|bob|--password1|«q1W2e3R4t5»|--user2|bob|--password2|«q1W2e3R4t6»
ncftpput https://www.ncftp.com/ncftp/doc/ncftpput.html
ncftpput|-u|bob|-p|«q1W2e3R4t5»|h|/x|a
cadaver https://notroj.github.io/cadaver/
davfs2|http://h/|-o|username=bob,password=«q1W2e3R4t5»
aria2c https://aria2.github.io/manual/en/html/aria2c.html
aria2c|--http-user=bob|--http-passwd=«q1W2e3R4t5»|https://h/x
aria2c|--rpc-secret=«q1W2e3R4t5»|--enable-rpc
yt-dlp https://github.com/yt-dlp/yt-dlp
yt-dlp|-u|bob|-p|«q1W2e3R4t5»|https://h/x
svn https://svnbook.red-bean.com/en/1.8/svn.ref.svn.html
svn|co|--username|bob|--password|«q1W2e3R4t5»|https://h/x
hg https://www.mercurial-scm.org/doc/hg.1.html
hg|clone|https://bob:«q1W2e3R4t5»@h/x
p4 https://www.perforce.com/manuals/cmdref/Content/CmdRef/global.options.html
p4|-p|h:1666|-u|bob|-P|«q1W2e3R4t5»|sync
bw https://bitwarden.com/help/cli/
bw|unlock|«q1W2e3R4t5»|--raw
op https://developer.1password.com/docs/cli/reference/
op|item|create|--category=login|password=«q1W2e3R4t5»
keepassxc-cli https://keepassxc.org/docs/
sh|-c|echo «q1W2e3R4t5» | sudo -S systemctl restart x
cryptsetup https://man7.org/linux/man-pages/man8/cryptsetup.8.html
sh|-c|echo -n «q1W2e3R4t5» | cryptsetup luksOpen /dev/sda1 x -
kinit https://web.mit.edu/kerberos/krb5-latest/doc/user/user_commands/kinit.html
sh|-c|echo «q1W2e3R4t5» | kinit bob@X
ipa-client-install https://freeipa.readthedocs.io/en/latest/
ipa-client-install|-p|admin|-w|«q1W2e3R4t5»|--unattended
net https://www.samba.org/samba/docs/current/man-html/net.8.html
net|ads|join|-U|admin%«q1W2e3R4t5»
rpcclient https://www.samba.org/samba/docs/current/man-html/rpcclient.1.html
rpcclient|-U|bob%«q1W2e3R4t5»|h
rdesktop https://linux.die.net/man/1/rdesktop
rdesktop|-u|bob|-p|«q1W2e3R4t5»|h
x11vnc https://github.com/LibVNC/x11vnc
x11vnc|-passwd|«q1W2e3R4t5»|-display|:0
virt-viewer https://libvirt.org/manpages/virsh.html
qemu-system-x86_64|-object|secret,id=s0,data=«q1W2e3R4t5»|-m|1G
radtest https://wiki.freeradius.org/guide/Radtest
radtest|bob|«q1W2e3R4t5»|h|0|«testing123x»
snmpget http://www.net-snmp.org/docs/man/snmpget.html
snmpget|-v|2c|-c|«q1W2e3R4t5»|h|sysUpTime.0
racadm https://www.dell.com/support/manuals/en-us/idrac9-lifecycle-controller-v5.x-series/
racadm|-r|h|-u|root|-p|«q1W2e3R4t5»|getsysinfo
redfishtool https://github.com/DMTF/Redfishtool
redfishtool|-r|h|-u|root|-p|«q1W2e3R4t5»|Systems
ansible-vault https://docs.ansible.com/ansible/latest/cli/ansible-vault.html
ansible-vault|encrypt_string|«q1W2e3R4t5»|--name|x
salt https://docs.saltproject.io/en/latest/ref/cli/salt.html
salt|--username=bob|--password=«q1W2e3R4t5»|*|test.ping
knife https://docs.chef.io/workstation/knife_bootstrap/
knife|bootstrap|h|-U|bob|-P|«q1W2e3R4t5»
pip https://pip.pypa.io/en/stable/topics/authentication/
pip|install|--index-url|https://bob:«q1W2e3R4t5»@h/simple|x
poetry https://python-poetry.org/docs/repositories/
poetry|config|pypi-token.pypi|«pypi-AgEIcHlwaS5vcmcCJDAx»
composer https://getcomposer.org/doc/articles/authentication-for-private-packages.md
composer|config|github-oauth.github.com|«ghp_abcdefGHIJKL1234567890»
nuget https://learn.microsoft.com/en-us/nuget/reference/cli-reference/cli-ref-setapikey
nuget|setapikey|«0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0»|-Source|x
jupyter https://jupyter-server.readthedocs.io/en/latest/operators/security.html
jupyter|lab|--NotebookApp.token=«q1W2e3R4t5»|--port=8888
airflow https://airflow.apache.org/docs/apache-airflow/stable/cli-and-env-variables-ref.html
airflow|users|create|--username|bob|--password|«q1W2e3R4t5»
spark-submit https://spark.apache.org/docs/latest/configuration.html
spark-submit|--conf|spark.hadoop.fs.s3a.secret.key=«q1W2e3R4t5»|a.py
wp https://developer.wordpress.org/cli/commands/user/create/
wp|user|create|bob|a@b.c|--user_pass=«q1W2e3R4t5»
drush https://www.drush.org/latest/commands/user_password/
drush|site:install|--account-pass=«q1W2e3R4t5»|--db-url=mysql://bob:«q1W2e3R4t6»@h/x
qpdf https://qpdf.readthedocs.io/en/stable/cli.html
qpdf|--password=«q1W2e3R4t5»|--decrypt|a.pdf|b.pdf
pdftk https://www.pdflabs.com/docs/pdftk-man-page/
pdftk|a.pdf|output|b.pdf|user_pw|«q1W2e3R4t5»
jarsigner https://docs.oracle.com/en/java/javase/21/docs/specs/man/jarsigner.html
jarsigner|-keystore|k.jks|-storepass|«q1W2e3R4t5»|a.jar|k
pkcs11-tool https://github.com/OpenSC/OpenSC/wiki
pkcs11-tool|--login|--pin|«648219»|-O
openvpn https://openvpn.net/community-resources/reference-manual-for-openvpn-2-6/
sh|-c|printf '%s' '«q1W2e3R4t5»' | sudo -S openvpn --config x
`;
