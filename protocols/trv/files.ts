import { CodecError, type FileChunk, fileChunk, fromHex, type Message, toLatin1 } from '#codec';
import { utcToDigits } from '#codec/text';

/** Type, time or IMEI, number of pieces, number of this one, its length in bytes or in hex digits. */
export const FILE_HEAD = /^IW(AP42|AP07|null),([^,#]{1,20}),(\d{1,4}),(\d{1,4}),(\d{1,4}),/;
export const MAX_FILE_HEAD_BYTES = 48;

/** A picture or a voice message that is coming, piece by piece. */
export interface WatchState {
  readonly file?: {
    readonly key: string;
    readonly name: string;
    readonly media: FileChunk['media'];
    readonly pieceBytes: number;
  };
}

const TIME = /^\d{14}$/;
const HEX = /^(?:[0-9A-Fa-f]{2})+$/;
const AMR = '#!AMR';
const JPEG = '\xff\xd8';

export interface FilePiece {
  readonly type: string;
  readonly key: string;
  readonly total: number;
  readonly number: number;
  readonly bytes: Uint8Array;
}

/** A message with a piece of a file. PT880 writes its bytes as hex digits. */
export function filePiece(frame: Uint8Array): FilePiece | undefined {
  const m = FILE_HEAD.exec(toLatin1(frame, 0, Math.min(frame.length, MAX_FILE_HEAD_BYTES)));
  if (m === null) return undefined;
  const content = frame.subarray(m[0].length, Math.max(frame.length - 1, m[0].length));
  const text = toLatin1(content);
  const bytes = HEX.test(text) ? fromHex(text) : content.slice();
  return { type: m[1]!, key: m[2]!, total: Number(m[3]), number: Number(m[4]), bytes };
}

/** The documents acknowledge a picture by BP42; a watch that leaves the type out waits for BP07, as for voice. */
export const acknowledgeFile = ({ type, key, total, number }: FilePiece): string =>
  `IW${type === 'AP42' ? 'BP42' : 'BP07'},${key},${total},${number},1#`;

/** What a file is says its beginning; its type where that is another or has not been seen. */
function begin({ type, key, bytes }: FilePiece, now: number): NonNullable<WatchState['file']> {
  const text = toLatin1(bytes, 0, Math.min(bytes.length, AMR.length));
  const isVoice = text === AMR || (type === 'AP07' && !text.startsWith(JPEG));
  const name = `${TIME.test(key) ? key : utcToDigits(now)}.${isVoice ? 'amr' : 'jpg'}`;
  return { key, name, media: isVoice ? 'audio' : 'image', pieceBytes: bytes.length };
}

/** All pieces but the last are of one size. */
export function readFile(
  piece: FilePiece,
  { file }: WatchState,
  now: number,
): { readonly messages: readonly Message[]; readonly state: WatchState } {
  const { key, total, number, bytes } = piece;
  if (number === 0 || number > total || bytes.length === 0)
    throw new CodecError('bad-value', 'a piece of a file without its place');
  const known = number > 1 && file?.key === key ? file : undefined;
  if (known === undefined && number === total && number > 1)
    throw new CodecError('bad-value', 'the last piece of a file whose others did not come');
  // kept behind the last piece too, which comes again where its acknowledgement was lost
  const coming = known ?? begin(piece, now);
  const { name, media, pieceBytes } = coming;
  const messages = fileChunk({ name, media, offset: (number - 1) * pieceBytes, bytes }, number === total);
  return { messages, state: { file: coming } };
}
