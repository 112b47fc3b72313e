import { delimited, type Framing, frameTo, identifyText } from '#codec/framing';

export const MAX_FRAME_BYTES = 512;
const LF = 0x0a;

const lines = delimited({
  // a sentence, or the id of a device before it
  starts: [[[0x21, 0x7e]]],
  ends: ['\n'],
  maxBytes: MAX_FRAME_BYTES,
  content: 'line',
  within: [0x09, 0x7e],
});

/** Lines; the last one of a datagram may have no end. */
export const frame: Framing = (bytes, context) =>
  context.transport === 'udp' && !bytes.includes(LF) ? frameTo(bytes, bytes.length) : lines(bytes, context);

const IDS = String.raw`\$(?:PGID|DEVID|PCPTI|PSIWMDID|CONNECT|GPFID|ID),|\$IMEI=|IMEI \d|(?!\d{15}\r?\n)[0-9A-F]{12,20}\r?\n`;
const OTHERS = String.raw`\$(?:TRCCR|GPIOP|GPTXT|PUBX),|QZE,\d{15},`;
const NMEA = String.raw`(?:[\w.-]{1,20}\/)?(?:[\w.-]{3,40}[,/]?)?\$G[PLN](?:RMC|GGA|GLL|RMA|VTG|GSA|GSV),`;

export const identify = identifyText({
  start: (bytes, at) => (bytes[at]! > 0x20 && bytes[at]! < 0x7f ? 'yes' : 'no'),
  opening: [new RegExp(`^(?:${IDS}|${OTHERS}|${NMEA})`), 72],
});
