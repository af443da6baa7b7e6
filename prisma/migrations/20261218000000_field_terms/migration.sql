-- The tables get the terms of the field. An API of the version before writes through the views of the old names during a
-- rolling restart; a later release drops them.
ALTER TABLE instance_run RENAME TO api_uptime;
ALTER TABLE api_uptime RENAME CONSTRAINT instance_run_pkey TO api_uptime_pkey;
CREATE VIEW instance_run AS SELECT * FROM api_uptime;

ALTER TABLE agent_bye RENAME TO agent_sign_off;
ALTER TABLE agent_sign_off RENAME CONSTRAINT agent_bye_pkey TO agent_sign_off_pkey;
ALTER TABLE agent_sign_off RENAME CONSTRAINT agent_bye_server_key_fkey TO agent_sign_off_server_key_fkey;
CREATE VIEW agent_bye AS SELECT * FROM agent_sign_off;

ALTER TABLE report_loss RENAME TO dropped_report;
ALTER TABLE dropped_report RENAME CONSTRAINT report_loss_pkey TO dropped_report_pkey;
CREATE VIEW report_loss AS SELECT * FROM dropped_report;
