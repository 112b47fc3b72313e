import { ANY_TEXT, type CommandDefinition, integerBlank, ONCE, sealedBy, textBlank, withSum } from '#codec';

const command = sealedBy<undefined>((text, { deviceId }) =>
  withSum(`$$:${deviceId.length + text.length + 2},${deviceId},${text}`),
);

/** Source: protocol document, commands of the server; 900 switches outputs. */
export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  engineStop: command('Cut fuel or power (output 1 on)', '900,1,1', ONCE),
  engineResume: command('Restore fuel or power (output 1 off)', '900,1,0', ONCE),
  outputControl: command('Switch an output', '900,{index},{data}', {
    ...ONCE,
    blanks: { index: integerBlank('Output', 1, 9), data: textBlank('1: on, 0: off', 16) },
  }),
  custom: command('Text behind the id', '{data}', ANY_TEXT),
};

export const dangerous: readonly RegExp[] = [/^\s{0,4}900,/, /^\$\$:\d{1,4},\d{0,20},900,/];
