-- The alerts of a range are those that were firing in it: all that had not ended when it began. None ends before it opens.
CREATE INDEX alert_ended_at_idx ON alert (COALESCE(resolved_at, 'infinity'));
