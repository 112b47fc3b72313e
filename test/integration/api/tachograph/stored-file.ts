/** A stored download of the vehicle unit of a vehicle: id, name and plate. */
export const INSERT_UNIT_FILE = `
  insert into ddd_file (id, tenant_id, sha256, name, size, kind, generations, plate, verdict, signatures, findings,
    uploaded_by, downloaded_at, days)
  select $1, tenant_id, '\\x00', $2, 1, 'vehicle-unit', '{1}', targa, 'valid', '[]', '[]', 'x', '2026-05-01', 0
  from vehicle where targa = $3`;
