-- The person who made a token, an invitation or a status page. No foreign key: a deleted account stays told apart from an
-- unknown one. Null with by_plimsoll false: unknown.
ALTER TABLE enrolment_token ADD COLUMN created_by uuid, ADD COLUMN by_plimsoll boolean NOT NULL DEFAULT false;
ALTER TABLE cluster_token
    ADD COLUMN created_by uuid,
    ADD COLUMN by_plimsoll boolean NOT NULL DEFAULT false,
    -- The end of a token that another one replaces. Null: it has none.
    ADD COLUMN ends_at timestamptz;
ALTER TABLE invitation ADD COLUMN created_by uuid;
ALTER TABLE status_page ADD COLUMN created_by uuid;

-- The audit log names the creator of some earlier rows.
UPDATE enrolment_token t SET created_by = l.person_id FROM audit_log l
WHERE l.action = 'enrolment_token_created' AND l.detail ->> 'id' = t.id::text AND l.organisation_id = t.organisation_id;
UPDATE cluster_token t SET created_by = l.person_id FROM audit_log l
WHERE l.action = 'cluster_token_created' AND l.detail ->> 'id' = t.id::text AND l.organisation_id = t.organisation_id;
UPDATE invitation t SET created_by = l.person_id FROM audit_log l
WHERE l.action = 'member_invited' AND l.detail ->> 'id' = t.id::text AND l.organisation_id = t.organisation_id;
UPDATE status_page t SET created_by = l.person_id FROM audit_log l
WHERE l.action = 'status_page_created' AND l.detail ->> 'id' = t.id::text AND l.organisation_id = t.organisation_id;
