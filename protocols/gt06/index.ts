import { streamProtocol } from '#codec';
import * as commanding from './commands.ts';
import * as decoding from './decode.ts';
import * as framing from './frame.ts';
import { initialState } from './packet.ts';
import { simulator } from './simulator.ts';

export default streamProtocol(
  {
    id: 'gt06',
    title: 'Concox GT06 and its clones',
    vendor: 'Concox (Jimi IoT)',
    models: [
      'GT06',
      'GT06E',
      'GT06N',
      'GV20',
      'X3',
      'WeTrack2',
      'AT4',
      'JC400',
      'JM-VL01',
      'JM-VL02',
      'JM-VL03',
      'VL103',
      'VL512',
      'LL303',
      'NT20',
      'XT40',
      'VXT01',
      'S5',
      'S20',
      'SR411',
      'R11',
      'QH302R',
      'G109',
      'LW4G',
      'SL4X',
      'AZ735',
      'WD-209',
      'TRX16I',
      'SEEWORLD',
      'BENWAY',
      'WETRUST',
      'GT06V4',
      'BL10',
      'EV02',
      'GS10G',
    ],
    port: 5023,
    transports: ['tcp', 'udp'],
    correlation: 'ticket',
    options: {
      model: {
        type: 'string',
        title: 'Model, where the bytes alone are ambiguous (NT20, VL103, LW4G, R11 …)',
      },
      timezone: { type: 'string', title: 'Zone of the device’s clock (GMT+8, Europe/Rome); UTC otherwise' },
      loginTimezone: { type: 'boolean', title: 'Believe the zone that the login names', default: false },
      lenientChecksum: { type: 'boolean', title: 'Take frames whose checksum is wrong', default: false },
      alternative: { type: 'boolean', title: 'Engine commands as DYD and HFYD', default: false },
      password: { type: 'string', title: 'Password of the alternative engine commands', default: '123456' },
      language: { type: 'boolean', title: 'Commands end with the language', default: false },
    },
    initialState,
    carriesNothing: [
      { title: 'The announcement of a photo (35), which is then asked for', frame: /^7878..35/ },
      { title: 'The question for the time (8A)', frame: /^78780.8a/ },
    ],
    expectsReply: [
      { title: 'login', frame: /^7878..01/, reply: /^78780501/ },
      { title: 'heartbeat', frame: /^7878..13/, reply: /^7878..13/ },
    ],
    setup: [
      'SMS or configuration tool: SERVER,0,{host},{port},0# (by name: SERVER,1,{host},{port},0#)',
      'Time in UTC: GMT,E,0,0#',
      'Data connection: APN,<name>#; the interval: TIMER,10,60#',
    ],
    notCovered: [
      'Video and voice of the cameras; media files other than pictures',
      'Trouble codes and further parameters of OBD (65, 66), which are read over without an answer',
      'The unit of a fuel sensor on the serial port (94 0D): `fuel` is what the sensor says, which may be a height and no litres',
    ],
  },
  { framing, decoding, commanding, simulator },
);
