-- How many servers a stored sum is over: a chart marks the sums that lack one. Null: stored before this column.
ALTER TABLE fleet_rollup ADD COLUMN servers integer;
