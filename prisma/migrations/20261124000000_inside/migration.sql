-- Load, pressure, temperatures, containers and units of the latest report. Read whole, for one server, never searched:
-- json keeps the text as it came.
ALTER TABLE server_parts ADD COLUMN inside json;
