import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type TimelineItem } from '../../api.ts';
import { Loaded } from '../../parts/problem.tsx';
import { useSession } from '../../session.tsx';

type Span = NonNullable<TimelineItem['spans']>[number];

/** The value that a JSON pointer names in what was decoded. */
function valueAt(messages: unknown, pointer: string): string {
  let value = messages;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value = (value as Record<string, unknown> | undefined)?.[name];
  }
  return value === undefined ? '' : JSON.stringify(value);
}

const nameOf = (pointer: string): string => pointer.split('/').slice(2).join(' / ');

/** The bytes of a frame, colored by the values that they determine, and the same as a list. */
export function Fields({ imei, item }: { imei: string; item: TimelineItem }) {
  const { t } = useSession();
  const { at, hex } = item;
  const found = useQuery({
    queryKey: ['fields', imei, at, hex],
    queryFn: async () => {
      const query = { from: at, to: at, fields: true, limit: 5 };
      const { items } = await answerOf(api.GET('/v1/devices/{imei}/timeline', { params: { path: { imei }, query } }));
      return items.find((each) => each.hex === hex)?.spans ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Loaded query={found} waiting={<p>{t('loading')}</p>}>
      {(known) => (known === null ? <p>{t('device.noFields')}</p> : <Spans found={known} item={item} />)}
    </Loaded>
  );
}

function Spans({ found, item }: { readonly found: readonly Span[]; readonly item: TimelineItem }) {
  const { t } = useSession();
  const { hex, text } = item;
  const bytesOf = ({ from, to }: Span): string => text?.slice(from, to) ?? (hex ?? '').slice(2 * from, 2 * to);
  let values = 0;
  const spans = found.map((span) => ({
    span,
    className: span.kind === 'value' ? `bytes-value-${(values++ % 3) + 1}` : `bytes-${span.kind}`,
  }));
  return (
    <div className="fields">
      <p className="quiet">{t('device.fieldsHelp')}</p>
      <p>
        <code className="answer">
          {spans.map(({ span, className }) => (
            <span key={span.from} className={className} title={span.values.map(nameOf).join(', ')}>
              {bytesOf(span)}
            </span>
          ))}
        </code>
      </p>
      <table>
        <thead>
          <tr>
            <th>{t('device.bytes')}</th>
            <th>{t('device.received')}</th>
            <th>{t('device.fieldValues')}</th>
          </tr>
        </thead>
        <tbody>
          {spans.map(({ span, className }) => (
            <tr key={span.from}>
              <td>{span.to - span.from === 1 ? span.from : `${span.from}–${span.to - 1}`}</td>
              <td>
                <code className={`answer ${className}`}>{bytesOf(span)}</code>
              </td>
              <td>
                {span.kind === 'structure' && <span className="quiet">{t('device.structure')}</span>}
                {span.kind === 'other' && <span className="quiet">{t('device.otherBytes')}</span>}
                {span.values.map((pointer) => (
                  <div key={pointer}>
                    {nameOf(pointer)} = <code>{valueAt(item.decoded?.messages, pointer)}</code>
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
