import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import { decode, type T55State } from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol<T55State>(
  {
    id: 't55',
    title: 'NMEA 0183 over TCP and UDP',
    vendor: 'Several',
    models: ['T55', 'GM', 'Cradlepoint routers', 'Sierra Wireless modems', 'receivers of u-blox', 'WMCS', 'QZE'],
    port: 5005,
    transports: ['tcp', 'udp'],
    correlation: 'none',
    // a line may begin with the id of the device: bytes before it would belong to it
    resync: 'none',
    options: { ack: { type: 'boolean', title: 'RMC sentences over TCP are acknowledged by `OK1`', default: false } },
    initialState: (deviceId) => ({ named: deviceId !== undefined }),
    reportedAs: { operator: 'string' },
    setup: [
      'By the pages of the router or modem: NMEA sentences RMC and GGA with the id of the system to {host}, port {port}',
    ],
    notCovered: [
      'Checksums, which some of these devices send wrong',
      'Lines and voltages of GPIOP, bits of an alarm of WMCS',
      'Devices that never name themselves, and are known by their address only',
    ],
  },
  { framing, decoding: { decode }, commanding, simulator },
);
