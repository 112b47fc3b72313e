"""Stores the positions of a folder of history files in tables of ClickHouse (chdb) and prints what they take, as JSON.

Arguments: the folder, the day to read (YYYY-MM-DD), devices separated by commas.
"""

import json
import statistics
import sys
import tempfile
import time

try:
    import chdb.session
except ImportError:
    sys.exit('chdb is not installed')

folder, day, devices = sys.argv[1:]
files = f"file('{folder}/tenant=*/day=*/*.parquet', Parquet)"
columns = (
    'device_id, time, id, id_device, latitude, longitude, speed, course, altitude, accuracy, valid, outdated, ignition, '
    'clock_suspect, device_time, fix_time, server_time, protocol, network, attributes'
)
fixes = 'time, latitude, longitude, speed, ignition, course, altitude'


def timed(sql):
    began = time.monotonic()
    session.query(sql)
    return (time.monotonic() - began) * 1000


def day_ms(source):
    where = f"time >= '{day} 00:00:00' and time < toDateTime64('{day} 00:00:00', 6) + interval 1 day"
    took = [timed(f'select {fixes} from {source} where device_id = {d} and {where} order by time') for d in devices.split(',')]
    return statistics.median(took)


with tempfile.TemporaryDirectory() as work:
    session = chdb.session.Session(work)
    session.query('create database peer engine=Atomic')
    result = {}
    for codec in ('LZ4', 'ZSTD(5)'):
        table = f'peer.{codec[:3].lower()}'
        options = f"settings allow_nullable_key = 1, default_compression_codec = '{codec}'"
        session.query(
            f'create table {table} engine = MergeTree order by (device_id, time) {options} '
            f'as select {columns} from {files} where false'
        )
        seconds = timed(f'insert into {table} select {columns} from {files}') / 1000
        seconds += timed(f'optimize table {table} final') / 1000
        size = session.query(
            f"select sum(bytes_on_disk) / sum(rows), sum(rows) from system.parts where active and table = '{table[5:]}'"
        )
        bytes_each, rows = (float(value) for value in size.bytes().decode().strip().split(','))
        result[codec] = {'bytes': bytes_each, 'perSecond': rows / seconds, 'dayMs': day_ms(table)}
    session.close()
print(json.dumps(result))
