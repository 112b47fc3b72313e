import {
  binaryCommand,
  bytesBodyField,
  type CommandDefinition,
  literalBodyField,
  numberBodyField,
  privilegedWords,
  textBodyField,
} from '#codec';
import { custom, engine, toType } from './downlink.ts';
import type { State } from './header.ts';

const CHANNEL = numberBodyField('index', 'Channel, 1 where none is given', 'u8', [1, 255], { value: 1 });
const MAX_U32 = 0xffff_ffff;

/** Of cameras, and parameter F030 of others. */
const TEXT_ORDERS: Readonly<Record<number, CommandDefinition<State>>> = {
  0x8900: binaryCommand('Text', toType(0x8900), [literalBodyField('f0'), textBodyField('data', 'Text')]),
  0x8103: binaryCommand('Text', toType(0x8103), [
    literalBodyField('01' + '0000f030'),
    textBodyField('data', 'Text', { length: 'u8' }),
  ]),
};

/** 0310 is a vendor's: u8 count, u8 parameter, u8 length, value. Arming takes the name of a user: "user". */
export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  engineStop: { title: 'Cut the engine', params: {}, repeatable: false, encode: engine('stop') },
  engineResume: { title: 'Let the engine run', params: {}, repeatable: false, encode: engine('resume') },
  rebootDevice: {
    // JT/T 808, table 17: command word 4 resets the terminal.
    ...binaryCommand('Restart the device', toType(0x8105), [literalBodyField('04')], 'once'),
    endsSession: true,
  },
  positionPeriodic: binaryCommand('Report every so many seconds', toType(0x0310), [
    literalBodyField('010604'),
    numberBodyField('frequency', 'Seconds', 'u32', [1, MAX_U32]),
  ]),
  positionSingle: binaryCommand('Report once', toType(0x8201), []),
  alarmArm: binaryCommand('Arm', toType(0x0310), [literalBodyField('0124050175736572')]),
  alarmDisarm: binaryCommand('Disarm', toType(0x0310), [literalBodyField('0124050075736572')]),
  // JT/T 808, table 88: one photo at once, 640 × 480, middling quality.
  requestPhoto: binaryCommand('Take a photo', toType(0x8801), [
    CHANNEL,
    literalBodyField('0001' + '0000' + '00' + '02' + '05' + '7f3c3c7f'),
  ]),
  // JT/T 1078, table 17.
  videoStart: binaryCommand('Stream live video to a JT/T 1078 server', toType(0x9101), [
    textBodyField('host', 'Address of the server; option streamHost where none is given', {
      option: 'streamHost',
      length: 'u8',
    }),
    numberBodyField('port', 'TCP port; option streamPort where none is given', 'u16', [1, 65_535], {
      option: 'streamPort',
      value: 1078,
    }),
    literalBodyField('0000'),
    CHANNEL,
    literalBodyField('0100'),
  ]),
  videoStop: binaryCommand('End live video', toType(0x9102), [CHANNEL, literalBodyField('000000')]),
  getDeviceStatus: binaryCommand('Ask for all parameters', toType(0x8104), []),
  // JT/T 808, table 12: one parameter.
  setParameter: binaryCommand('Set a parameter', toType(0x8103), [
    literalBodyField('01'),
    numberBodyField('id', 'Parameter id', 'u32', [0, MAX_U32]),
    bytesBodyField('data', 'Value in hexadecimal', 255, 'u8'),
  ]),
  custom: {
    title: 'Text as the model takes it, or whole frames in hexadecimal',
    params: { data: { type: 'string', title: 'Text', required: true } },
    repeatable: true,
    encode: custom(TEXT_ORDERS),
  },
};

/** Engine cut, outputs, restart, servers and firmware, as frames in hex and in the words of several vendors. */
export const privileged: readonly RegExp[] = [
  ...privilegedWords('\\x83\\x00.{11,24}'),
  // Terminal parameters of APN and servers (0010 to 001F) among others, control, upgrade, vehicle control, engine.
  /(?:7e|e7)(?:8105|8108|8400|8500|8804|9101|9201|a006)/i,
  /(?:7e|e7)8103(?:..)*?0000001[0-9a-f]/i,
  /(?:7e|e7)0310.{20,40}0123/i,
  /#0;[01]/,
];

/** Terminal control: power off, reset, factory settings; restart of a vendor. */
export const sessionEnding: readonly RegExp[] = [
  /(?:7e|e7)0310.{20,40}0123/i,
  /(?:7e|e7)8105.{20,30}0[345](?:..){1,2}(?:7e|e7)$/i,
];
