import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'eelink',
    title: 'Eelink (Keelin)',
    vendor: 'Shenzhen Eelink',
    models: ['TK115', 'TK116', 'TK119', 'TK319', 'TK419', 'GPT06', 'GPT09', 'GOT08', 'GOT10', 'BTT01'],
    port: 5064,
    transports: ['tcp', 'udp'],
    correlation: 'ticket',
    options: { lenientChecksum: { type: 'boolean', title: 'Take datagrams whose checksum is wrong', default: false } },
    initialState: (deviceId) => ({ deviceId, isDatagram: false }),
    expectsReply: [
      { title: 'login', frame: /^676701/, reply: /^676701/ },
      { title: 'heartbeat', frame: /^676703/, reply: /^676703/ },
      { title: 'alarm', frame: /^676714/, reply: /^676714/ },
    ],
    setup: [
      'SMS: SERVER,0,{host},{port},0# (by name: SERVER,1,{host},{port},0#)',
      'APN: APN,<name>#; the interval: TIMER,60#',
    ],
    notCovered: [
      'Pictures, notices and transparent data (08, 1E, 1F, 81): acknowledged as the protocol says',
      'Cells and access points of versions 2 and 3 of a position are read, but the login names version 1, as always',
      'Neighbouring LTE cells, which have no cell id; model and version of a beacon; limits of a sensor',
      'Values of a vehicle (17 to 19): only place and time; walking time, distance and energy of a pedometer (1A)',
    ],
  },
  { framing, decoding, commanding, simulator },
);
