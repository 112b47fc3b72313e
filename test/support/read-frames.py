"""Reads a folder of frame files with one library: `<pyarrow|duckdb> <folder>`; prints each frame as a JSON line."""
import json
import sys

library, folder = sys.argv[1:]
COLUMNS = 'device_id, arrived_at, kind, conn, protocol, bytes'.split(', ')

if library == 'pyarrow':
    import pyarrow.dataset as ds

    table = ds.dataset(folder, format='parquet', partitioning='hive').to_table(columns=COLUMNS)
    rows = table.sort_by([('device_id', 'ascending'), ('arrived_at', 'ascending')]).to_pylist()
else:
    import duckdb

    found = duckdb.sql(
        f"select device_id, epoch_ms(arrived_at), kind, conn, protocol, bytes from read_parquet('{folder}/*/*/*.parquet')"
        ' order by device_id, arrived_at'
    )
    rows = [dict(zip(COLUMNS, row)) for row in found.fetchall()]

for row in rows:
    at = row.pop('arrived_at')
    at = at if isinstance(at, int) else round(at.timestamp() * 1000)
    print(json.dumps({**row, 'at': at, 'bytes': row['bytes'].hex()}))
