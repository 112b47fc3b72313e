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
      'Messages other than position reports (1, 2, 3, 9, 18, 19): base stations, aids to navigation, names and voyages',
      'Commands: receivers only send',
    ],
  },
  { framing, decoding: { decode }, commanding: { commands: {} }, simulator },
);
