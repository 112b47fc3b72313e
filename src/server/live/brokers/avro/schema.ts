/** The part of Avro 1.11 that the schemas of streams use. */
export type Schema =
  | 'null'
  | 'boolean'
  | 'long'
  | 'double'
  | 'string'
  | Timestamp
  | readonly Schema[]
  | { readonly type: 'array'; readonly items: Schema }
  | { readonly type: 'map'; readonly values: Schema }
  | RecordSchema;

export interface Timestamp {
  readonly type: 'long';
  readonly logicalType: 'timestamp-millis';
}

export interface RecordSchema {
  readonly type: 'record';
  readonly name: string;
  readonly namespace: string;
  readonly doc: string;
  readonly fields: readonly Field[];
}

interface Field {
  readonly name: string;
  readonly type: Schema;
  readonly doc?: string;
  readonly default?: null | boolean;
}

const namespace = 'fleetgate.stream';
const timestamp: Timestamp = { type: 'long', logicalType: 'timestamp-millis' };
const optional = (name: string, type: Schema, doc?: string): Field => ({
  name,
  type: ['null', type],
  ...(doc === undefined ? {} : { doc }),
  default: null,
});

const cell: RecordSchema = {
  type: 'record',
  name: 'Cell',
  namespace,
  doc: 'A cell of a mobile network',
  fields: [
    { name: 'mcc', type: 'long' },
    { name: 'mnc', type: 'long' },
    { name: 'lac', type: 'long' },
    { name: 'cid', type: 'long' },
    optional('rssi', 'double'),
  ],
};
const accessPoint: RecordSchema = {
  type: 'record',
  name: 'AccessPoint',
  namespace,
  doc: 'An access point of a wireless network',
  fields: [{ name: 'mac', type: 'string' }, optional('rssi', 'double')],
};

/** Positions, and alarms, which are positions. */
export const positionSchema: RecordSchema = {
  type: 'record',
  name: 'Position',
  namespace,
  doc: 'A stored position; what a record lacks is null',
  fields: [
    { name: 'id', type: 'string', doc: 'id of the record, the same whenever it is sent again' },
    { name: 'type', type: 'string', doc: 'fleetgate.position or fleetgate.alarm' },
    { name: 'tenant', type: 'string' },
    { name: 'imei', type: 'string', doc: 'device id' },
    optional('targa', 'string', 'plate of the vehicle'),
    optional('protocol', 'string'),
    optional('deviceTime', timestamp),
    optional('fixTime', timestamp),
    { name: 'serverTime', type: timestamp },
    { name: 'valid', type: 'boolean' },
    { name: 'outdated', type: 'boolean', default: false },
    optional('latitude', 'double'),
    optional('longitude', 'double'),
    optional('altitude', 'double', 'm'),
    optional('speed', 'double', 'km/h'),
    optional('course', 'double', 'degrees'),
    optional('accuracy', 'double', 'm'),
    { name: 'cells', type: { type: 'array', items: cell } },
    { name: 'accessPoints', type: { type: 'array', items: accessPoint } },
    { name: 'attributes', type: { type: 'map', values: ['boolean', 'double', 'string'] } },
  ],
};

/** Events of all other kinds. */
export const eventSchema: RecordSchema = {
  type: 'record',
  name: 'Event',
  namespace,
  doc: 'An event that is not a position',
  fields: [
    { name: 'id', type: 'string', doc: 'the same whenever it is sent again' },
    { name: 'type', type: 'string' },
    { name: 'tenant', type: 'string' },
    optional('imei', 'string', 'device id'),
    { name: 'time', type: timestamp },
    { name: 'data', type: 'string', doc: 'JSON, as in the CloudEvent' },
  ],
};
