-- The migration before moved all of a guest's own entries to the organisation that the guest is in. What the guest did
-- before joining is no business of that organisation, so it goes back to the guest's own.
UPDATE audit_log l SET organisation_id = l.person_id
FROM membership m
WHERE m.account_id = l.person_id AND l.organisation_id = m.organisation_id AND m.organisation_id <> m.account_id
    AND l.at < m.created_at
    AND l.action IN ('signed_in', 'sign_in_failed', 'signed_out', 'session_revoked', 'token_created', 'token_revoked',
        'pod_logs_read', 'password_changed', 'second_factor_on', 'second_factor_off', 'deletion_planned',
        'deletion_withdrawn', 'recovered_on_server');
