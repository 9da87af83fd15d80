-- What the audit.sql of the paper ?1 found.
INSERT INTO audit_finding
SELECT ?1, experiment, item, agrees, printed, derived, coalesce(why, ''), NULL FROM own_finding
ORDER BY rowid;
INSERT INTO audit_finding
SELECT ?1, experiment, item, agrees, printed, derived, coalesce(why, ''), machine FROM own_counted
ORDER BY rowid;
INSERT INTO audit_slots SELECT ?1, experiment, rowid, item, slots, error, declared, why
FROM own_slots;
