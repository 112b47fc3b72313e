import { CodecError, decimalOf } from '#codec';
import { readDate, readText } from '../blocks.ts';
import { STATUS_WORDS } from '../elements.ts';
import type { Packet } from '../packet.ts';

/** Terminal information (94): a byte says what follows. */
export function readInformation(packet: Packet): void {
  const sub = packet.reader.u8();
  const read = INFORMATION[sub];
  if (read === undefined)
    throw new CodecError('unknown-type', `information ${sub} is not known`, packet.reader.offset - 1);
  read(packet);
}

/** 94 in the short form: external supply. */
export function readSupply({ reader, draft }: Packet): void {
  draft.attributes['power'] = reader.i16() / 100;
}

const INFORMATION: Readonly<Record<number, (packet: Packet) => void>> = {
  0x00: ({ reader, draft }) => {
    draft.attributes['adc1'] = reader.u16() / 100;
  },
  0x04: readStatusWords,
  0x05: (packet) => {
    const { reader, draft } = packet;
    if (reader.remaining >= 7) draft.deviceTime = readDate(packet);
    const inputs = reader.u8();
    draft.attributes['door'] = (inputs & 0x01) !== 0;
    draft.attributes['io1'] = (inputs & 0x04) !== 0;
  },
  0x0a: ({ reader, draft }) => {
    reader.skip(16);
    draft.attributes['iccid'] = reader.hex(10).replace(/f$/, '');
  },
  0x0b: ({ reader, draft }) => {
    if (reader.remaining === 2) draft.attributes['power'] = reader.u16() / 100;
    else draft.attributes['networkTechnology'] = reader.u8() > 0 ? '4G' : '2G';
  },
  0x0d: readFuelSensor,
  0x1b: ({ reader, draft }) => {
    if (isLetter(reader.peekU8())) draft.attributes['serial'] = readText(reader, reader.remaining);
    else {
      reader.skip(2);
      draft.attributes['driverUniqueId'] = reader.hex(4);
    }
  },
  0x1e: ({ reader, draft }) => {
    draft.attributes['temp1'] = reader.i32() / 10;
    draft.attributes['humidity'] = reader.i32() / 10;
  },
};

const isLetter = (byte: number): boolean => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);

const HEX = /^[0-9a-fA-F]{1,8}$/;

/** `ALM1=45;ALM2=D5;…;MODE=MODE,1,180;` */
function readStatusWords({ reader, draft }: Packet): void {
  for (const pair of readText(reader, reader.remaining).split(';')) {
    const equals = pair.indexOf('=');
    const key = STATUS_WORDS[pair.slice(0, equals)];
    const value = pair.slice(equals + 1);
    if (key !== undefined && HEX.test(value)) draft.attributes[key] = Number.parseInt(value, 16);
  }
}

const EXCLAMATION_MARK = 0x21;

/** `!AIOIL,addr,out,TEMP,version,difference,FUEL,…`, with the date before it or not */
function readFuelSensor({ reader, draft }: Packet): void {
  if (reader.peekU8() !== EXCLAMATION_MARK) reader.skip(6);
  const at = reader.offset;
  const fields = readText(reader, reader.remaining).split(',');
  const temperature = decimalOf(fields[3] ?? '');
  const fuel = decimalOf(fields[6] ?? '');
  if (fields[0] !== '!AIOIL' || temperature === undefined || fuel === undefined)
    throw new CodecError('bad-text', 'not the text of a fuel sensor', at);
  draft.attributes['temp1'] = temperature;
  draft.attributes['fuel'] = fuel;
}
