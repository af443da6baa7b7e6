-- What a list is ranked by, an element an entry: a page over a whole fleet is chosen by these numbers and only its own
-- entries are taken out of the JSON. Processes: CPU, then memory. Connections: importance.
ALTER TABLE server_list
    ADD COLUMN first_rank double precision[] NOT NULL DEFAULT '{}',
    ADD COLUMN second_rank double precision[] NOT NULL DEFAULT '{}';
