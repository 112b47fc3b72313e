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
  ruptela(bytes) {
    // written for Node 8, which read numbers of eight bytes so
    const { readUIntBE } = Buffer.prototype;
    Buffer.prototype.readUIntBE = function read(at, length) {
      return length > 6 ? Number(this.readBigUInt64BE(at)) : readUIntBE.call(this, at, length);
    };
    const { error, data, ack } = require('ruptela')(bytes);
    if (error !== undefined) return null;
    return {
      reply: ack.toString('hex'),
      positions: data.payload.records
        .filter(({ satellites, latitude }) => satellites > 0 && Math.abs(latitude) <= 90e7)
        .map((record) => ({
          time: new Date(record.timestamp * 1000).toISOString(),
          latitude: record.latitude / 1e7,
          longitude: record.longitude / 1e7,
          altitude: record.altitude / 10,
          course: record.angle / 100,
          speed: record.speed,
          attributes: defined({ sat: record.satellites, event: record.event_id }),
        })),
    };
  },
  h02(bytes) {
    const found = require('h02').parse(bytes.toString('latin1'));
    if (found === null || found instanceof Error || found.gps.fix !== 'active') return { positions: [] };
    const { latitude, longitude, bearing: course } = found.geo;
    // its speed in km/h is computed from the course
    const speed = found.speed.knots * KNOTS;
    return { positions: [{ latitude, longitude, course, speed, time: `${found.gps.date}T${found.gps.time}Z` }] };
  },
  ggencoder(bytes) {
    const { AisDecode } = require('ggencoder');
    const sentences = bytes.toString('latin1').match(/!AI[^\\\r\n]*/g) ?? [];
    const found = sentences.map((sentence) => new AisDecode(sentence, {}));
    if (!found.every(({ valid }) => valid)) return null;
    return {
      positions: found
        .filter(({ lat, lon }) => Number.isFinite(lat) && Math.abs(lat) <= 90 && Math.abs(lon) <= 180)
        .map(({ lat: latitude, lon: longitude, sog, cog, hdg: heading }) => ({
          latitude,
          longitude,
          ...defined({ speed: sog < 102.3 ? sog * KNOTS : Number.NaN, course: cog < 360 ? cog : Number.NaN }),
          attributes: defined({ heading: heading < 511 ? heading : Number.NaN }),
        })),
    };
  },
  gps: (bytes) => nmea(bytes, (sentence) => require('gps').GPS.Parse(sentence)),
  'nmea-simple'(bytes) {
    return nmea(bytes, (sentence) => {
      const found = require('nmea-simple').parseNmeaSentence(sentence);
      return {
        ...found,
        type: found.sentenceId,
        lat: found.latitude,
        lon: found.longitude,
        speed: found.speedKnots * KNOTS,
        track: found.trackTrue,
        status: found.status === 'valid' ? 'active' : 'void',
        time: found.datetime,
        alt: found.altitudeMeters,
        quality: found.fixType === 'none' ? null : found.fixType,
        satellites: found.satellitesInView,
        hdop: found.horizontalDilution,
      };
    });
  },
};

/** RMC and GGA, under the names that one of the parsers gives. */
function nmea(bytes, parse) {
  const found = parse(/\$.*/.exec(bytes.toString('latin1'))[0].trim());
  const { lat: latitude, lon: longitude } = found;
  const isFix = found.type === 'RMC' ? found.status === 'active' : found.type === 'GGA' && found.quality !== null;
  if (!isFix || !Number.isFinite(latitude)) return { positions: [] };
  if (found.type === 'GGA') {
    const { alt: altitude, satellites: sat, hdop } = found;
    return { positions: [{ latitude, longitude, ...defined({ altitude }), attributes: defined({ sat, hdop }) }] };
  }
  const { speed, track: course, time } = found;
  return { positions: [{ latitude, longitude, ...defined({ speed, course }), time: time.toISOString() }] };
}

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
