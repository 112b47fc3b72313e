import { fromLatin1, type Simulator, toHex, Writer } from '#codec';
import { httpRequest, readHttpReply } from '#codec/http';

/** The back end of Sigfox, with the data of an Oyster. */
export const simulator: Simulator = {
  report([fix], device, serial) {
    const { time, latitude, longitude, speed, course } = fix!;
    const data = new Writer()
      .u8(0x10)
      .u32LE(Math.round(latitude * 1e7) >>> 0)
      .u32LE(Math.round(longitude * 1e7) >>> 0);
    data
      .u8(Math.round(course / 2))
      .u8(Math.round(speed))
      .u8(0xbe);
    const body = { device, time: time / 1_000, data: toHex(data.finish()), seqNumber: serial };
    return httpRequest('POST', '/', { 'content-type': 'application/json' }, fromLatin1(JSON.stringify(body)));
  },
  read: readHttpReply,
};
