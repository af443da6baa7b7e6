-- A filter that few or no entries match read the whole ledger of an organisation: 0.7 to 1.7 s of a million entries.
CREATE INDEX change_kind_idx ON change (organisation_id, kind, at DESC, id DESC);
CREATE INDEX change_source_idx ON change (organisation_id, source, kind, at DESC, id DESC);
CREATE INDEX change_name_idx ON change (organisation_id, name, at DESC, id DESC);
CREATE INDEX change_namespace_idx ON change (organisation_id, namespace, at DESC, id DESC);
