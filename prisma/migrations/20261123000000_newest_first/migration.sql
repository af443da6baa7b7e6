-- The newest events and alerts of an account are read in their order, instead of sorting all there are.
CREATE INDEX activity_event_at_idx ON activity_event (at DESC, id);
CREATE INDEX alert_opened_at_idx ON alert (opened_at DESC, id);
