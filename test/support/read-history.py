"""Reads a folder of history files with one library: `<pyarrow|duckdb> <folder>`; prints each position as a JSON line."""
import json
import sys

library, folder = sys.argv[1:]
COLUMNS = 'device_id, time, id, id_device, latitude, longitude, speed, valid, ignition, attributes'.split(', ')

if library == 'pyarrow':
    import pyarrow.dataset as ds

    table = ds.dataset(folder, format='parquet', partitioning='hive').to_table(columns=COLUMNS)
    rows = table.sort_by([('device_id', 'ascending'), ('time', 'ascending')]).to_pylist()
else:
    import duckdb

    found = duckdb.sql(
        'select device_id, epoch_ms(time), id, id_device, latitude, longitude, speed, valid, ignition, attributes'
        f" from read_parquet('{folder}/*/*/*.parquet') order by device_id, time"
    )
    rows = [dict(zip(COLUMNS, row)) for row in found.fetchall()]

for row in rows:
    time = row['time'] if isinstance(row['time'], int) else round(row['time'].timestamp() * 1000)
    device = row.pop('id_device')
    whole = row['id'] if device is None else row['id'] + device + time.to_bytes(6, 'big', signed=True)
    print(json.dumps({**row, 'time': time, 'id': whole.hex()}))
