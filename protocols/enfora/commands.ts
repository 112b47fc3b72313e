import {
  type CommandDefinition,
  CUSTOM_TEXT,
  commandBytes,
  NOT_REPEATABLE,
  privilegedWords,
  Writer,
  wrapWith,
} from '#codec';
import { HEAD_BYTES } from './frame.ts';

/** read or write by an AT command */
const AT_COMMAND = 4;

/** Length, number of the message, type, a reserved byte. */
const command = wrapWith<undefined>((text) => {
  const bytes = commandBytes(text);
  const head = new Writer().u16(HEAD_BYTES + bytes.length).u16(0);
  return head.u8(AT_COMMAND).u8(0).raw(bytes).finish();
});

export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  engineStop: command('Stop the engine: third line of outputs on', 'AT$IOGP3=1', NOT_REPEATABLE),
  engineResume: command('Let the engine run: third line of outputs off', 'AT$IOGP3=0'),
  custom: command('An AT command', '{data}', CUSTOM_TEXT),
};

/** Outputs; servers and APN; events, which may do either; settings of the factory, firmware. */
export const privileged: readonly RegExp[] = [
  ...privilegedWords(),
  /\$(?:IOGP|IODBGP|FRIEND|UDPAPI|TCPAPI|PADDST|TCPSRC|EVTIM|EVENT|STOATEV|NETIP|HOSTIF|MDMID|WAKEUP|FOTA|OFF|MSGLOGCL)|\+(?:CGDCONT|CFUN)|AT(?:&[FW]|D)/i,
];
export const sessionEnding: readonly RegExp[] = [/AT\$RESET|AT&F|\+CFUN/i];
