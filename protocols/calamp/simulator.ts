import { asCommand, readAll, type SimulatedFix, type Simulator, toHex, Writer } from '#codec';

const ACKNOWLEDGED = 1;
const RESPONSE = 2;

function header(deviceId: string, service: number, type: number, serial: number): Writer {
  const digits = deviceId.length % 2 === 0 ? deviceId : `${deviceId}f`;
  return new Writer()
    .u8(0x83)
    .u8(digits.length / 2)
    .hex(digits)
    .u8(1)
    .u8(2)
    .u8(service)
    .u8(type)
    .u16(serial);
}

function report(fix: SimulatedFix, deviceId: string, serial: number): Uint8Array {
  return header(deviceId, ACKNOWLEDGED, 2, serial)
    .u32(fix.time / 1000)
    .u32(fix.time / 1000)
    .u32(Math.round(fix.latitude * 10_000_000))
    .u32(Math.round(fix.longitude * 10_000_000))
    .u32(52_000)
    .u32(Math.round((fix.speed * 100_000) / 3600))
    .u16(Math.round(fix.course))
    .u8(9)
    .u8(0)
    .u16(410)
    .u16(0xffb0) // -80 dBm
    .u8(0x0f)
    .u8(9)
    .u8(fix.ignition ? 1 : 0)
    .u8(0)
    .u8(1)
    .u8(11)
    .u8(1)
    .u8(0)
    .u32(13_100)
    .finish();
}

/** An LMU that reports events and wants them acknowledged. */
export const simulator: Simulator = {
  report: (fixes, deviceId, serial) => report(fixes[0]!, deviceId, serial & 0xffff),
  heartbeat: (deviceId, serial) => header(deviceId, ACKNOWLEDGED, 0, serial & 0xffff).finish(),
  read(buffer) {
    if (buffer.length < 4) return undefined;
    if (buffer[0] === RESPONSE && buffer[1] === 1) {
      if (buffer.length < 10) return undefined;
      return { bytes: 10, message: buffer[4] === 2 ? { type: 'acknowledged', reports: 1 } : { type: 'other' } };
    }
    return readAll(asCommand(toHex))(buffer);
  },
  answer(frame, outcome, deviceId) {
    const sequence = (frame[2]! << 8) | frame[3]!;
    // Acknowledged type, result (2: not supported), spare, application version.
    const acknowledgement = header(deviceId, RESPONSE, 1, sequence).u8(frame[1]!);
    return acknowledgement
      .u8(outcome === 'done' ? 0 : 2)
      .u8(0)
      .u24(0)
      .finish();
  },
};
