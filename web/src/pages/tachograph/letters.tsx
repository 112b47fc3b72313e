import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { answerOf, api } from '../../api.ts';
import { useAction } from '../../parts/action.tsx';
import { Choice, Filters } from '../../parts/filters.tsx';
import { Listing, Table } from '../../parts/listing.tsx';
import { type Cursor, usePages } from '../../parts/pages.ts';
import { saveFile } from '../../parts/save-file.ts';
import { useSession } from '../../session.tsx';
import { Fact } from './infringements.tsx';
import { DriverLink, TachographPage } from './shared.tsx';

const route = getRouteApi('/tachograph/letters');
const STATES = ['issued', 'signed', 'refused'] as const;
const KINDS = { issued: 'warn', signed: 'good', refused: 'bad' } as const;
const PAGE = 100;

type State = (typeof STATES)[number];

const readPage = (state: State | undefined, cursor: Cursor) =>
  answerOf(
    api.GET('/v1/drivers/ddd/letters', {
      params: { query: { limit: PAGE, ...(state && { state }), ...cursor } },
    }),
  );

/** Buttons of rows that look alike say whose they are. */
const named = (action: string, { driverName, from }: { driverName: string; from: string }): string =>
  `${action}: ${driverName}, ${from.slice(0, 10)}`;

export function LettersPage() {
  const { t, time, may, zone } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/tachograph/letters' });
  const state = STATES.find((each) => each === search.state);
  const { run, isRunning, result } = useAction(['tachograph']);
  const list = usePages(['tachograph', 'letters', state], (cursor) => readPage(state, cursor));
  const decide = (id: string, to: State): Promise<void> =>
    run(async () => {
      const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date());
      const body = { state: to, ...(to !== 'issued' && { acknowledgedOn: today }) };
      await answerOf(api.PATCH('/v1/drivers/ddd/letters/{id}', { params: { path: { id } }, body }));
      return undefined;
    });
  const print = (id: string): Promise<void> =>
    run(async () => {
      await saveFile({ path: `/v1/drivers/ddd/letters/${id}/file?format=pdf`, name: `letter-${id}.pdf` });
      return undefined;
    });
  return (
    <TachographPage title={t('tacho.letters')}>
      <Filters>
        <Choice
          label={t('alarm.state')}
          values={STATES}
          value={state}
          text={(each) => t(`letter.${each}`)}
          onChange={(next) => void navigate({ search: next === undefined ? {} : { state: next }, replace: true })}
        />
      </Filters>
      {result}
      <Listing query={list} items={list.data?.pages.flatMap(({ items }) => items)} empty={t('tacho.noLetters')}>
        {(letters) => (
          <Table
            head={[
              t('alarm.driver'),
              t('tacho.period'),
              t('tacho.infringements'),
              t('tacho.issuedAt'),
              t('alarm.state'),
              t('ops.action'),
            ]}
          >
            {letters.map((letter) => (
              <tr key={letter.id}>
                <td>
                  <DriverLink id={letter.driverId} name={letter.driverName} month={letter.from.slice(0, 7)} />
                </td>
                <td>
                  {letter.from.slice(0, 10)} – {letter.to.slice(0, 10)}
                </td>
                <td>
                  <details>
                    <summary>{letter.infringements.length}</summary>
                    {letter.infringements.map(({ id, rule, article }) => (
                      <Fact key={id} rule={rule} article={article} />
                    ))}
                  </details>
                </td>
                <td>
                  {time(letter.issuedAt)}
                  <div className="quiet">{letter.issuedBy}</div>
                </td>
                <td>
                  <span className={`tag ${KINDS[letter.state]}`}>{t(`letter.${letter.state}`)}</span>{' '}
                  {letter.acknowledgedOn}
                </td>
                <td className="actions">
                  <button
                    type="button"
                    disabled={isRunning}
                    aria-label={named('PDF', letter)}
                    onClick={() => void print(letter.id)}
                  >
                    PDF
                  </button>
                  {may('ddd:write') && letter.state === 'issued' && (
                    <>
                      <button
                        type="button"
                        disabled={isRunning}
                        aria-label={named(t('tacho.sign'), letter)}
                        onClick={() => void decide(letter.id, 'signed')}
                      >
                        {t('tacho.sign')}
                      </button>
                      <button
                        type="button"
                        disabled={isRunning}
                        aria-label={named(t('tacho.refuse'), letter)}
                        onClick={() => void decide(letter.id, 'refused')}
                      >
                        {t('tacho.refuse')}
                      </button>
                    </>
                  )}
                  {may('ddd:write') && letter.state !== 'issued' && (
                    <button
                      type="button"
                      disabled={isRunning}
                      aria-label={named(t('tacho.withdraw'), letter)}
                      onClick={() => void decide(letter.id, 'issued')}
                    >
                      {t('tacho.withdraw')}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Listing>
    </TachographPage>
  );
}
