import { streamProtocol } from '#codec';
import { decode, NO_PARTS } from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'ais',
    title: 'AIS (receivers of ships)',
    vendor: 'ITU, IALA, NMEA',
    models: ['AIS receivers with NMEA 0183 output', 'AIS-catcher', 'rtl-ais'],
    port: 5130,
    transports: ['tcp', 'udp'],
    correlation: 'none',
    initialState: () => NO_PARTS,
    options: { lenientChecksum: { type: 'boolean', title: 'Take sentences whose checksum is wrong', default: false } },
    setup: ['Receiver: NMEA output to {host}, port {port}, TCP or UDP; the device id here is the MMSI of the ship'],
    notCovered: [
      'Messages without a place or a name of a station (6 to 8, 10, 12 to 17, 20, 22, 23, 25, 26)',
      'Commands: receivers only send',
    ],
  },
  { framing, decoding: { decode }, commanding: { commands: {} }, simulator },
);
