"""Copies a part of a day from PostgreSQL to a Parquet file with DuckDB's own extension and prints how fast, as JSON.

Arguments: the database's URL, the day (YYYY-MM-DD), the number of devices of a part. `rows`: positions as readers of the
database see them, in the order of our files. `narrow`: narrow rows as they are stored, whose texts are not made.
"""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

try:
    import duckdb
    import duckdb_extension_postgres_scanner as extension
except ImportError:
    sys.exit('duckdb or duckdb-extension-postgres-scanner is not installed')

url, day, devices = sys.argv[1], sys.argv[2], int(sys.argv[3])
library = next(Path(extension.__path__[0]).rglob('*.duckdb_extension'))
options = 'format parquet, compression zstd, compression_level 5, row_group_size 61440, parquet_version v2'
until = f"time < timestamptz '{day} 00:00:00Z' + interval '1 day'"
part = f"device_id < {devices} and time >= timestamptz '{day} 00:00:00Z' and {until}"
narrow = f"pg.fleetgate.position_narrow_{day.replace('-', '')}"

with tempfile.TemporaryDirectory() as work:
    db = duckdb.connect(config={'threads': 2, 'memory_limit': '2GB', 'temp_directory': work})
    db.execute(f"load '{library}'")
    db.execute(f"attach '{url}' as pg (type postgres, read_only)")

    def copied(source):
        path = os.path.join(work, 'part.parquet')
        began = time.monotonic()
        (rows,) = db.execute(f"copy ({source} order by device_id, time, id) to '{path}' ({options})").fetchone()
        return {'perSecond': rows / (time.monotonic() - began), 'bytes': os.path.getsize(path) / rows, 'rows': rows}

    query = f'select * from fleetgate.position_all where {part}'.replace("'", "''")
    result = {
        'rows': copied(f"select * from postgres_query('pg', '{query}')"),
        'narrow': copied(f'select * from {narrow} where device_id < {devices}'),
    }
print(json.dumps(result))
