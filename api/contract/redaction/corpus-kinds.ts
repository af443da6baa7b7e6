/**
 * Secrets of ten kinds, written before the rules by principle. Each line: kind, "::", and "t ::" for a text instead of a
 * command line. « » mark the secret; ¦ cuts it in two, so that no scanner takes it for a real one. The rules were made with
 * this half.
 */
export const KINDS_SEEN = `
path :: curl -X POST https://maker.ifttt.com/trigger/disk_full/with/key/«dK3p-9xQvT7¦LmZ2rWcYb5e»
path :: curl https://hooks.zapier.com/hooks/catch/1849302/«b3kz9qx»/
path :: curl -d @/tmp/m.json https://chat.example.com/hooks/«x7kq9mznp3ykr¦cwb5tdj1ufhoe»
path :: ./deploy --callback https://ci.example.com/generic-webhook/token/«Zx81kLmQ0p»/run
path :: firefox https://app.example.com/reset-password/«MzQ1NjctYTJi¦M2M0ZDVlNmY3»
path :: curl -s https://www.maxmind-mirror.example/download/key/«pT9wLx¦4QvZ2m»/city.mmdb
path :: ffmpeg -i in.mp4 -f flv rtmp://live.example.tv/app/«live_49302211_Qm8ZtXkP¦4rLvWb7NcYsDd2HfGj5aEu»
path :: vlc http://tv.example.net:8080/live/bob/«Kr3uzb¦erg-99»/1023.ts
path :: apt-get -o Acquire::URL=https://packagecloud.io/priv/«6f2c8ab41d7e90b3¦5c4d8812aa07f3e9»/acme/deb/ update
path :: t :: Probe failed: GET http://10.42.0.17:8080/hooks/«sT3xQ8¦vZ1mNk»/ping: dial tcp: connection refused
path :: t :: GET /auth/confirm/«Y29uZmlybS¦1ib2ItMTIz» 500 12ms
short :: backupctl -H nas1 -u svc -p «Frosch!¦koenig7»
short :: mytool -p «hunter2»
short :: xload -u root -x «pA55w.rd!» -h db3
short :: pushmetrics -t «q8ZtXkP4r¦LvWb7NcYs» -e prod
short :: ./register -c «482-913-QXT» -n edge4
short :: acme-cli -s «kX9tQmP¦z4LrVb7» list
short :: scanbot -p«Wint3r!24» -o out
short :: vpnc-lite -g hq -G «Grupp3nPW» -u bob
short :: monitor-agent -key «9aa3d95b3bc440fa¦88ea12eaa4456161» -server m1
short :: wsclient -T «tok.8f3a9¦1cd77e0b2» wss://h/stream
short :: ./client -pw «apfel-Mus8» -host 10.0.0.3
short :: rconcli -H mc1 -P 25575 -p «Cr33per!»
short :: tool.exe /u:bob /p:«Gl4ube¦nsfrage» /s
positional :: /usr/local/bin/set-admin-password admin «Pf1ffi¦g&Klein»
positional :: appctl login bob «Kirsch9baum»
positional :: python3 send.py ops@example.com «tQ9mPz4LrV¦b2NcWsYd7X» hello
positional :: ./mk_user.sh alice «Alp3nglow!» wheel
positional :: keyctl add user mykey «S8hrGeheim!» @u
positional :: activate-license «AB12-CD34¦-EF56-GH78»
positional :: decrypt.sh backup.enc «Rum-pel¦99stilz»
positional :: luksAddKey.sh /dev/sdb1 «Tre5or!»
positional :: smtp-test mail.example.com 587 alerts@example.com «hQ7-wL¦x4-QvZ2»
positional :: docker exec app ./manage.py createsuperuser2 admin admin@example.com «Adm1n#2024»
positional :: ssh web1 passwd-set deploy «Kn0bl4uch»
word :: sh -c "export SMTP_PW='«Hafer!f¦locken 9»'; ./mail"
word :: csh -c "setenv DB_PASSWORD «Bier!g¦arten2»; ./run"
word :: docker build --build-arg NPM_AUTH=«tQ9mPz4L¦rVb2NcWs» .
word :: helm upgrade x ./c --set-string global.smtp.pass=«t!ntenfisch»
word :: terraform apply -var 'admin_password=«Terra2!form»'
word :: ansible-playbook s.yml -e '{"vault_pw": "«Gew8lbe»"}'
word :: app --dbPassword «alpha beta» --listen 80
word :: app --auth-token-value «alpha9»
word :: app --hmac-key «0011aa¦bbccdd»
word :: app --access.key «0011aa¦bbccdd» --region eu
word :: powershell -Command "$pw = ConvertTo-SecureString '«P@rkplatz7»' -AsPlainText -Force"
word :: pwsh -c "$env:API_TOKEN='«uHfG5aEuT8»'; ./run.ps1"
word :: systemd-run --setenv=REDIS_PASS=«Radi3schen» worker
word :: sh -c "read -r x; TOKEN=\\"«uHfG5a¦EuT8ok»\\" curl h"
word :: nats-server --user bob --pass «Nattern0» -p 4222
word :: curl -H 'PRIVATE-TOKEN: «uHfGaEu¦TokX9mmq»' https://gitlab
word :: curl -H "X-Auth-Key: «6f2c8ab4¦1d7e90b3»" -H "X-Auth-Email: a@b.c" https://api
word :: curl -d "grant_type=password&username=bob&password=«K4tze»" https://idp/token
word :: curl -d '{"auth":{"key":"x1","secret":"«K4tzenklo»"}}' https://h
word :: curl -b "JSESSIONID=«6F2C8AB4¦1D7E90B3»" https://h
word :: wget --post-data "user=bob&pass=«K4tze»" https://h/login
word :: git config --global credential.https://h.password «K4tzenklo»
word :: git -c http.https://h/.extraheader="AUTHORIZATION: bearer «uHfG5aE¦uT8okX9»" fetch
word :: openssl enc -aes-256-cbc -in a -out b -pass pass:«K4tzenklo»
word :: redis-cli ACL SETUSER bob on ">«Radi3schen»" "~*" +@all
word :: mc admin user add myminio bob «M1nnesang»
word :: t :: {"level":"debug","msg":"config","db":{"user":"app","password":"«Kaltw4sser»"}}
word :: t :: env: DB_HOST=db DB_PASS=«kalt» DB_NAME=shop
word :: t :: request headers: X-Api-Key: «6f2c8ab41d¦7e90b35c4d», Accept: text/html
word :: t :: config loaded: {host: 'db', apiKey: '«uHfG5aEuT8»', debug: true}
word :: t :: ConnectionProperties(user=app, password=«Kaltw4sser», ssl=true)
word :: t :: User[name=bob, token='«uHfG5aEuT8»', roles=[admin]]
conn :: app --dsn "Server=db;Database=shop;Uid=app;Pwd=«W8sser!»;"
conn :: dotnet x.dll --db "Data Source=db;User ID=sa;Password=«W8sser¦, kalt»;Encrypt=true"
conn :: java -jar a.jar jdbc:oracle:thin:scott/«t1ger»@db:1521:ORCL
conn :: java -jar a.jar --url=jdbc:oracle:thin:app/«t1ger_7»@//db:1521/ORCL
conn :: java -jar a.jar "jdbc:sqlserver://db:1433;databaseName=shop;user=sa;password=«T1ger!»;encrypt=true"
conn :: java -jar a.jar "jdbc:postgresql://db/shop?user=app&password=«T1ger»&ssl=true"
conn :: java -jar a.jar "jdbc:mysql://app:«T1ger»@db/shop"
conn :: worker amqps://svc:«R3gen%21»@mq.example.com/vh
conn :: worker mongodb+srv://app:«R3gen»@c0.abcde.mongodb.net/?retryWrites=true
conn :: worker postgresql://app:«p@ss»@db:5432/shop
conn :: worker nats://«uHfG5a¦EuT8ok»@nats:4222
conn :: worker "app:«R3gen»@tcp(db:3306)/shop?parseTime=true"
conn :: worker "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=«q8ZtXkP4rLvWb7NcYsDd2H¦fGj5aEuT8okX9tQmPz4Lo=»"
conn :: worker "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=«q8ZtXkP4rLvWb7NcYsDd2HfGj¦5aEuT8okX9tQmPz4Lo/aa+bb==»;EndpointSuffix=core.windows.net"
conn :: worker "InstrumentationKey=«4b1f0c9e-77d2-4e0a¦-9f3b-0d2c6a81e5f7»;IngestionEndpoint=https://x/"
conn :: worker cassandra://u:«R3gen»@c1,c2,c3/ks
conn :: worker "Driver={ODBC Driver 18};Server=db;UID=sa;PWD={«R3;gen»}"
conn :: sh -c "echo 'db:5432:shop:app:«R3gen!24»' >> ~/.pgpass"
conn :: s3fs b /mnt -o passwd=«AK9:uHfG¦5aEuT8ok»
conn :: mount -t cifs //n/s /m -o user=bob%«R3gen»
conn :: t :: dial failed: postgres://app:«R3gen»@db:5432/shop?sslmode=disable: connection refused
conn :: t :: could not connect to "host=db user=app password=«R3gen» dbname=shop": timeout
conn :: t :: Access denied using app/«R3gen7»@//ora1:1521/XE
conn :: t :: java.sql.SQLException: jdbc:mysql://db/shop?user=app&password=«R3gen» refused
literal :: psql -c "SELECT crypt('«L1mette»', gen_salt('bf'))"
literal :: psql -c "CREATE USER MAPPING FOR a SERVER s OPTIONS (user 'b', password '«L1mette»')"
literal :: mysql -e "SET PASSWORD FOR 'bob'@'%' = '«L1mette»'"
literal :: mysql -e "SET PASSWORD FOR bob = PASSWORD('«limette»')"
literal :: mysql -e "CREATE USER bob IDENTIFIED WITH caching_sha2_password BY '«L1mette»'"
literal :: clickhouse-client -q "CREATE USER bob IDENTIFIED WITH sha256_password BY '«L1mette»'"
literal :: cqlsh -e "CREATE ROLE bob WITH PASSWORD = '«L1mette»' AND LOGIN = true"
literal :: mongosh --eval "db.auth('bob', '«L1mette»')"
literal :: mongosh --eval 'db.changeUserPassword("bob", "«L1mette»")'
literal :: python3 -c "import requests; requests.get('http://h', auth=('bob', '«L1mette»'))"
literal :: python3 -c "c.login('bob', '«L1mette»')"
literal :: ruby -e "ENV['SECRET_KEY']='«L1mette»'"
literal :: php -r "define('DB_PASSWORD', '«L1mette»');"
literal :: php -r '$c = ["password" => "«L1mette»"];'
literal :: perl -e '$ENV{TOKEN}="«L1mette»"; do "x.pl"'
literal :: snowsql -q "COPY INTO t FROM 's3://b' CREDENTIALS=(AWS_KEY_ID='a' AWS_SECRET_KEY='«L1mette»')"
literal :: influx -execute "CREATE USER bob WITH PASSWORD '«L1mette»' WITH ALL PRIVILEGES"
literal :: t :: statement: ALTER ROLE app PASSWORD '«L1mette»'
literal :: t :: Query: CREATE USER 'bob'@'%' IDENTIFIED BY '«L1mette»'
literal :: t :: ERROR 1064 near 'SET PASSWORD = '«L1mette»''
literal :: t :: executing redis command AUTH default «L1mette»
prose :: t :: The initial admin password is «Ahorn7blatt»
prose :: t :: [Note] A temporary password is generated for root@localhost: «k3.Xw!¦aPqz;R»
prose :: t :: password for user elastic changed to «Ahorn7blatt»
prose :: t :: login with user bob and password «Ahorn7blatt» failed
prose :: t :: invalid token «uHfG5a¦EuT8ok» supplied
prose :: t :: Incorrect API key provided: «uHfG5a¦EuT8ok». Check your settings.
prose :: t :: api key «uHfG5a¦EuT8ok» is not valid
prose :: t :: Use verification code «482913» to sign in
prose :: t :: Your one-time code is «482913»
prose :: t :: To access the notebook open http://h:8888/lab?token=«6f2c8ab41d¦7e90b35c4d»
prose :: t :: tried credentials bob:«Ahorn7blatt» against 10.0.0.3
prose :: t :: New password: «ahornblatt»
prose :: t :: Password «Ahorn7blatt» does not match policy
prose :: t :: Admin user created (login: admin, password: «ahorn»)
prose :: t :: default credentials are admin/«Ahorn7blatt»
prose :: t :: Unseal Key 1: «q8ZtXkP4rLvWb7NcYsDd2H¦fGj5aEuT8okX9tQmPz4Lo=»
prose :: t :: Jenkins initial setup is required. Please use the following password to proceed: «6f2c8ab41d7e90b3¦5c4d8812aa07f3e9»
prose :: t :: the password «Ahorn7blatt» was sent to bob@example.com
prose :: t :: recovery codes: «8fk2-q9zm»
prose :: t :: wifi passphrase set to "«ahorn blatt»"
prose :: t :: root password has been reset to '«ahornblatt»'
prose :: git commit -m "use password «Ahorn7blatt» for staging"
prose :: logger -t deploy "new token: «uHfG5a¦EuT8ok»"
prose :: notify-send "Backup" "passphrase is «Ahorn7blatt»"
`;

/** The half that was looked at when the rules were done. */
export const KINDS_HELD_OUT = `
path :: curl -fsS https://hc-ping.com/«4b1f0c9e-77d2-4e0a¦-9f3b-0d2c6a81e5f7»
path :: wget -qO /dev/null https://uptime.betterstack.com/api/v1/heartbeat/«Vq8zLmT2xWcK¦r5yNb7PdGh4s»
path :: geth --rpc https://mainnet.infura.io/v3/«9aa3d95b3bc440fa¦88ea12eaa4456161»
path :: node watch.js --node https://eth-mainnet.g.alchemy.com/v2/«kX9tQmPz4LrVb7Nc¦WsYd2HfGj5aEuT8o»
path :: python3 notify.py https://acme.webhook.office.com/webhookb2/«7d0f3c12-9b7e-4a57-8f43-f1c2b4d98e01@0c6a81e5-77d2-4e0a-9f3b-¦4b1f0c9e0d2c/IncomingWebhook/a3d95b3bc440fa88ea12eaa44561619a»
path :: curl https://api.example.com/invite/«f81d4fae7d¦ec11d0a765»/accept
path :: /usr/bin/wget https://updates.example.com/licensed/«K7QF-92MZ¦-XP4T-WB8L»/geoip.tar.gz
path :: ffmpeg -re -i a.mp4 -f flv rtmps://a.rtmp.youtube.com/live2/«9k3x-72mz-qp¦4t-wb8l-5ydc»
path :: mount -t nfs filer:/export/«uX7tQ9mPz4¦LrVb2NcWsYd» /mnt
path :: curl https://push.example.org/send/«APA91bHun4MxP5ego¦KMwt2KZFBaFUH1RYqx»
path :: curl -O https://dl.cloudsmith.io/«Qm8ZtXkP¦4rLvWb7N»/acme/tools/deb/pool/a.deb
path :: t :: Failed to pull artifact https://store.example.com/dl/«tQ9mPz4LrV¦b2NcWsYd7X»/app.tgz: 404 Not Found
path :: t :: POST /api/bot«6103948271:AAGf8xkPq2Zr¦Vb7NcWsYd4HmTjLuEoXaIt9»/sendMessage 401 Unauthorized
path :: t :: webhook delivery to https://hooks.example.com/services/T04QK/B05ZX/«mPz4LrVb2NcW¦sYd7XtQ9uHfG» failed with status 410
path :: t :: GET /share/s/«hT7wLx4Q¦vZ2mB9nK» HTTP/1.1 200
short :: /opt/acme/bin/agentctl -k «Zt9qXw¦3LpM5v» status
short :: legacy-sync -U admin -W «Blumen¦topf_12»
short :: ./fetch.pl -l bob -p «sonne24» -s mail.example.com
short :: nodewatch -a «T0pfsecret9» -i 30
short :: importer -f data.csv -u loader -w «load3r#now»
short :: otherdb -u app -p«gr8Pass_9» -d shop
short :: tunnel -r gw.example.com -s «bright-¦Otter-41» -l 8080
short :: sudo -u ops /opt/x/bin/sync -u ops -p «N8acht¦&Nebel»
short :: java -jar loader.jar -u app -p «tIger_lily5» -f x.csv
short :: python3 upload.py -u bob -p «gans3bl¦uemchen» -d /srv/out
short :: oldbackup -user bob -pass «Regen8ogen» -dir /srv
positional :: ./change_password.sh bob «neuesPW2024»
positional :: agent enroll https://fleet.example.com «dGhpc2lzYX¦Rva2VuMTIz»
positional :: node-agent join 10.0.0.1:7000 «9c1f2ab4¦d7e03b58»
positional :: /opt/collector/register «q8ZtXkP4rLvW¦b7NcYsDd2HfG»
positional :: unlock-vault «mond-Sc¦hein-77»
positional :: ftpput host user «Fl8sch¦en!post» /tmp/a
positional :: /usr/bin/node cli.js authenticate «sT3xQ8vZ1¦mNkLp0Ry5»
positional :: bash /root/restore.sh db1 root «Z!egel¦_stein4»
positional :: wifi-connect HomeNet «blauwa¦l_1987»
positional :: kubectl exec -n shop db-0 -- /scripts/init-user.sh app «uHfG5aEu¦T8okX9tQ»
positional :: /opt/bin/pair-device «837264» living-room
positional :: ./auth.sh «eGhwT7wLx4Q¦vZ2mB9nKpR3»
positional :: curl-wrapper GET /v1/x «Zm9vOmJhcj¦EyMzQ1Njc4»
positional :: connect-db.sh prod-db app_rw «m!tter¦nacht3»
word :: export GH_DEPLOY_TOKEN=«kX9tQmP¦z4LrVb7» && ./deploy.sh
word :: env DJANGO_SECRET=«w0rl&peace» python manage.py check
word :: fish -c "set -x NPM_TOKEN «sT3xQ8¦vZ1mNk»; npm publish"
word :: docker run -e "MYSQL_ROOT_PASSWORD=«zwei W¦oerter»" mysql
word :: docker service create --secret-value «Kr8ftig» app
word :: java -Dapp.auth.secret=«m0nd» -jar a.jar
word :: java -Dhttp.proxyPassword=«pr0xy.Me» -jar a.jar
word :: app --master-pass «alpha» --listen 80
word :: app --admin_pwd=«alpha» --listen 80
word :: app --smtp_password:«Sturm2»
word :: curl -H "X-Vault-Token: «uHfG-aE¦uT-okX9»" https://v
word :: curl --data-urlencode "client_secret=«uHfG!5a»" https://idp/token
word :: curl -F token=«abcde12345» -F file=@x https://h/up
word :: redis-cli CONFIG SET masterauth «Radi3schen»
word :: kafka-console-producer --producer-property 'sasl.jaas.config=PlainLoginModule required username="u" password="«Kafk4esk»";'
word :: vault write auth/userpass/users/bob password=«Tres0r»
word :: t :: time=12:00 level=warn msg="login failed" user=bob password=«Kaltw4sser»
word :: t :: {"headers":{"authorization":"Bearer «uHfG5aEuT¦8okX9tQmPz»","accept":"*/*"}}
word :: t :: Set-Cookie: sessionid=«q8ZtXkP4¦rLvWb7Nc»; Path=/; HttpOnly
word :: t :: params: {:user=>"bob", :password=>"«Kaltw4sser»"}
word :: t :: smtp.auth.password -> «Kaltw4sser»
word :: t :: <property name="password" value="«Kaltw4sser»"/>
word :: t :: <dbPassword>«Kaltw4sser»</dbPassword>
word :: t :: password=«kaltes» was rejected by 10.0.0.3
word :: t :: spec.template.env[2].value for API_TOKEN: «uHfG5a¦EuT8ok»
conn :: app --dsn "host=db port=5432 user=app password=«W8sser» dbname=shop"
conn :: worker redis://:«R3gen»@cache:6379/2
conn :: worker mysql2://app:«R3/gen»@db/shop
conn :: worker sqlalchemy+pymssql://sa:«R3gen»@db
conn :: worker app/«R3genbogen»@db.example.com:1521/XEPDB1
conn :: worker smtp://alerts%40example.com:«R3gen»@mail:587
conn :: worker ldap://cn=admin,dc=x:«R3gen»@ldap:389
conn :: worker app:«R3gen»@db.example.com:3306/shop
conn :: worker "https://acme.blob.core.windows.net/c?sv=2022&sig=«q8ZtXkP4rL%¦2FvWb7Nc%3D»&se=2027"
conn :: worker "HostName=x.azure-devices.net;DeviceId=d1;SharedAccessKey=«q8ZtXkP4rLvWb7Nc¦YsDd2HfGj5aEuT8o»"
conn :: worker https://«6f2c8ab41d7e90b3¦5c4d8812aa07f3e9»@o12345.ingest.sentry.io/67890
conn :: worker influxdb://bob:«R3gen»@i:8086/m
conn :: worker snowflake://app:«R3gen»@acct/db/schema
conn :: worker sftp://bob:«R3gen@24»@h/srv
conn :: worker rediss://default:«uHfG5a¦EuT8ok»@c.upstash.io:6379
conn :: worker tcp://h:9000?username=default&password=«R3gen»&database=x
conn :: sh -c "echo 'machine h login bob password «regen»' > ~/.netrc"
conn :: rclone lsf ":sftp,host=h,user=bob,pass=«R3gen»:/x"
conn :: t :: amqp connect error: amqp://guest:«gu3st»@mq:5672/ refused
conn :: t :: SqlException for Server=db;User Id=app;Password=«R3gen»;Timeout=30 : login failed
conn :: t :: Cannot reach redis://:«R3genwurm»@cache:6379
literal :: psql -c "ALTER USER app WITH ENCRYPTED PASSWORD '«L1mette»'"
literal :: psql -c "CREATE ROLE r LOGIN PASSWORD '«limette»' VALID UNTIL 'infinity'"
literal :: psql -c "SELECT pgp_sym_encrypt('x', '«L1mette»')"
literal :: psql -c "CREATE SUBSCRIPTION s CONNECTION 'host=h user=r password=«L1mette»' PUBLICATION p"
literal :: mysql -e "GRANT ALL ON x.* TO bob@h IDENTIFIED BY '«limette»'"
literal :: mysql -e "CHANGE MASTER TO MASTER_HOST='h', MASTER_USER='r', MASTER_PASSWORD='«L1mette»'"
literal :: mysql -e "SELECT AES_DECRYPT(x, '«L1mette»') FROM t"
literal :: sqlcmd -Q "CREATE LOGIN bob WITH PASSWORD = N'«L1mette»', CHECK_POLICY=OFF"
literal :: sqlcmd -Q "ALTER LOGIN sa WITH PASSWORD='«L1mette»'"
literal :: sqlcmd -Q "CREATE MASTER KEY ENCRYPTION BY PASSWORD = '«L1mette»'"
literal :: sqlplus -s / as sysdba "ALTER USER bob IDENTIFIED BY «L1mette» ACCOUNT UNLOCK"
literal :: mongosh --eval 'db.createUser({user:"bob",pwd:"«L1mette»",roles:[]})'
literal :: python3 -c "import os; os.environ['API_TOKEN']='«L1mette»'"
literal :: node -e "process.¦env.DB_PASSWORD='«L1mette»';require('./x')"
literal :: node -e "createHmac('sha256', '«L1mette»')"
literal :: psql -c "COPY t FROM 's3://b' CREDENTIALS 'aws_access_key_id=a;aws_secret_access_key=«L1mette»'"
literal :: t :: executing redis command CONFIG SET requirepass «L1mette»
literal :: t :: LDIF change: userPassword: «L1mette»
prose :: t :: Your temporary password is: «Ahorn7blatt».
prose :: t :: logged in using token «uHfG5aEuT8»
prose :: t :: PIN «4829» accepted for door 3
prose :: t :: Join the cluster with token «lm3zx3.k3cp¦bhkg05ef7ciw»
prose :: t :: Generated secret «uHfG5aE¦uT8okX9» for client web
prose :: t :: credentials: bob / «Ahorn7blatt»
prose :: t :: passphrase «Ahorn7blatt» does not unlock the key
prose :: t :: user=bob pw «Ahorn7blatt» refused
prose :: t :: setting the secret key to «uHfG5aE¦uT8okX9»
prose :: t :: Initial Root Token: «s.q8ZtXkP4rLv¦Wb7NcYsDd2HfG»
prose :: t :: session key «6f2c8ab41d7e90b3¦5c4d8812aa07f3e9» expired
prose :: t :: community string «Ahorn7pub» rejected by 10.0.0.1
prose :: t :: bearer token «uHfG5aEu¦T8okX9tQ» rejected
prose :: t :: authentication with key «uHfG5aEu¦T8okX9tQ» failed
prose :: echo the password is «Ahorn7blatt»
prose :: wall admin password changed to «Ahorn7blatt»
`;
