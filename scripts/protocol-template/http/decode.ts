import { CodecError, type DecodeContext, type Decoded, Draft, type HttpReply, type HttpRequest } from '#codec';
import { parseQuery, type Query } from '#codec/http';
import { parseDecimal } from '#codec/text';

const REPLIES: readonly HttpReply[] = [
  { when: 'stored', status: 200, headers: { 'content-type': 'text/plain' } },
  { when: 'refused', status: 404 },
];

const PATH = '/acme?';

function numberOf(query: Query, name: string): number {
  const value = parseDecimal(query.get(name)?.[0] ?? '');
  if (value === undefined) throw new CodecError('bad-text', `${name} is not a number`);
  return value;
}

// TODO decode: the vendor's parameters. A request that is not understood throws CodecError: it is kept raw and answered
// with status 400. No messages would mean that it is acknowledged and nothing of it is kept.
export function decode(request: HttpRequest, { state }: DecodeContext<undefined>): Decoded<undefined, HttpReply> {
  const query = parseQuery(identify(request) ? request.uri : '');
  const [id = ''] = query.get('id') ?? [];
  if (!/^\d{15}$/.test(id)) throw new CodecError('bad-text', 'no IMEI');
  const login = { type: 'login', ids: [id] } as const;
  if (!query.has('lat')) return { state, messages: [login, { type: 'heartbeat' }], replies: REPLIES };
  const draft = new Draft();
  draft.setFix(numberOf(query, 'time') * 1000, true, numberOf(query, 'lat'), numberOf(query, 'lon'));
  draft.setMovement(numberOf(query, 'altitude'), numberOf(query, 'speed'), numberOf(query, 'course'));
  draft.attributes['ignition'] = numberOf(query, 'ignition') === 1;
  return { state, messages: [login, draft.toPosition()], replies: REPLIES };
}

// TODO identify: what only requests of this protocol have.
export const identify = ({ uri }: HttpRequest): boolean => uri.startsWith(PATH);
