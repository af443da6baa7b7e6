-- Since when the response time of a check is past a line of its rule. NULL: it is not.
ALTER TABLE check_state ADD COLUMN slow_since timestamptz;
