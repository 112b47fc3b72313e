// Reads frames (a JSON array of hex on stdin) with another project's parser, and prints what it made of each:
// `null` where it does not know the message, otherwise positions and its reply. Run with NODE_PATH of that project.
const [project] = process.argv.slice(2);
// what a parser prints is not an answer
console.log = console.warn = console.error = () => {};

const KNOTS = 1.852;
/** Of a GeoJSON point, as the parsers of one family give it. */
const place = ({ coordinates: [longitude, latitude] }) => ({ latitude, longitude });
const defined = (attributes) =>
  Object.fromEntries(
    Object.entries(attributes).filter(([, value]) => Number.isFinite(value) || typeof value === 'string'),
  );

const readers = {
  gt06(bytes) {
    const parser = new (require('gt06'))();
    parser.parse(bytes);
    return {
      reply: parser.expectsResponse ? parser.responseMsg.toString('hex') : undefined,
      positions: parser.msgBuffer
        .filter(({ lat, gpsPositioned }) => lat !== undefined && gpsPositioned)
        .map(({ lat, lon, fixTime, speed, course }) => ({
          latitude: lat,
          longitude: lon,
          time: fixTime,
          speed,
          course,
        })),
    };
  },
  'gt06-parser'(bytes) {
    const parser = new (require('gt06-parser'))();
    parser.parse(bytes);
    return {
      reply: parser.expectsResponse ? parser.responseMsg.toString('hex') : undefined,
      positions: parser.msgBuffer
        .filter(({ payload }) => payload.latitude !== undefined && payload.gpsFixed)
        .map(({ payload: { latitude, longitude, datetime, speed, course, satellites: sat } }) => ({
          latitude,
          longitude,
          time: new Date(datetime).toISOString(),
          speed,
          course,
          attributes: defined({ sat }),
        })),
    };
  },
  'tk10x-parser'(bytes) {
    const found = require('tk10x-parser')(bytes.toString('latin1'));
    if (found.type !== 'DATA') return null;
    return { positions: [{ latitude: found.coord.lat, longitude: found.coord.lon, speed: found.speed * KNOTS }] };
  },
  'tz-parser'(bytes) {
    // it wants the end of the line, which framing has taken
    const found = require('tz-parser').parse(Buffer.concat([bytes, Buffer.from('\r\n')]));
    if (found.loc === undefined || found.loc === null || found.gpsStatus !== true) return { positions: [] };
    return {
      positions: [
        {
          ...place(found.loc),
          speed: found.speed,
          course: found.azimuth,
          attributes: defined({
            hdop: found.hdop,
            battery: found.voltage.battery,
            power: found.voltage.inputCharge,
            temp1: found.temperature,
            odometer: found.odometer * 1000,
            index: found.serialId,
            driverUniqueId: found.rfidNumber ?? undefined,
            adc1: found.voltage.ada,
            adc2: found.voltage.adb,
          }),
        },
      ],
    };
  },
  'cellocator-parser'(bytes) {
    const cellocator = require('cellocator-parser');
    const found = cellocator.parse(bytes);
    if (found.type !== 'data') return null;
    // `gpsTime` takes the month from the clock of the machine
    const { loc, speed, direction: course, altitude, datetime: time, satellites: sat } = found;
    return {
      reply: cellocator.ack(found.unitId, 0, found.serialId).toString('hex'),
      positions: [{ ...place(loc), speed, course, altitude, time, attributes: defined({ sat }) }],
    };
  },
  gps103(bytes) {
    const parser = new (require('gps103'))();
    parser.parse(bytes);
    return {
      reply: parser.expectsResponse ? Buffer.from(parser.responseMsg).toString('hex') : undefined,
      positions: parser.msgBuffer
        .filter(({ hasFix, lat }) => hasFix && Number.isFinite(lat))
        .map(({ lat, lon, speed, gpsTime }) => ({
          latitude: lat,
          longitude: lon,
          speed: speed * KNOTS,
          localTime: gpsTime,
        })),
    };
  },
  'queclink-parser'(bytes) {
    const found = require('queclink-parser').parse(bytes.toString('latin1'));
    if (found.loc === undefined || found.loc === null || found.gpsStatus !== true) return { positions: [] };
    const [longitude, latitude] = found.loc.coordinates;
    return {
      positions: [
        {
          latitude,
          longitude,
          speed: found.speed,
          course: found.azimuth,
          altitude: found.altitude,
          time: found.datetime,
        },
      ],
    };
  },
  'meitrack-parser'(bytes) {
    const found = require('meitrack-parser').parse(bytes);
    if (found.loc === undefined || found.gpsStatus === false) return { positions: [] };
    const [longitude, latitude] = found.loc.coordinates;
    const { speed, azimuth: course, altitude, datetime: time } = found;
    return { positions: [{ latitude, longitude, speed, course, altitude, time }] };
  },
  'complete-teltonika-parser'(bytes) {
    const { ProtocolParser } = require('complete-teltonika-parser');
    const { Content: content, CodecType: kind } = new ProtocolParser(bytes.toString('hex'));
    if (kind !== 'data sending') return null;
    return {
      reply: Buffer.from([0, 0, 0, content.AVL_Datas.length]).toString('hex'),
      positions: content.AVL_Datas.filter(({ GPSelement: gps }) => gps.Satellites > 0).map((record) => ({
        time: record.Timestamp,
        latitude: record.GPSelement.Latitude,
        longitude: record.GPSelement.Longitude,
        altitude: record.GPSelement.Altitude,
        course: record.GPSelement.Angle,
        speed: record.GPSelement.Speed,
      })),
    };
  },
  'teltonika-parser'(bytes) {
    const parser = new (require('teltonika-parser'))(bytes);
    if (parser.isImei) return { reply: '01', positions: [] };
    const { records } = parser.getAvl();
    if (records === undefined) return null;
    return {
      positions: records
        .filter(({ gps }) => gps.satellites > 0)
        .map(({ timestamp, gps }) => ({
          time: timestamp,
          latitude: gps.latitude,
          longitude: gps.longitude,
          altitude: gps.altitude,
          course: gps.angle,
          speed: gps.speed,
        })),
    };
  },
};

let input = '';
process.stdin.on('data', (chunk) => {
  input += chunk;
});
process.stdin.on('end', () => {
  const read = readers[project];
  const answers = JSON.parse(input).map((hex) => {
    try {
      return read(Buffer.from(hex, 'hex'));
    } catch {
      return null;
    }
  });
  process.stdout.write(JSON.stringify(answers));
});
