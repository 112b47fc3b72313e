import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { answerOf, api } from '../../api.ts';
import { LETTER_STATES } from '../../lists.ts';
import { useAction } from '../../parts/action.tsx';
import { Choice, Filters } from '../../parts/filters.tsx';
import { Listing, Table } from '../../parts/listing.tsx';
import { Modal } from '../../parts/modal.tsx';
import { type Cursor, usePages } from '../../parts/pages.ts';
import { saveFile } from '../../parts/save-file.ts';
import { useSession } from '../../session.tsx';
import { Fact } from './infringements.tsx';
import { textOf } from './revocable.tsx';
import { DriverLink, dateText, TachographPage } from './shared.tsx';

const route = getRouteApi('/tachograph/letters');
const KINDS = { issued: 'warn', signed: 'good', refused: 'bad' } as const;
const PAGE = 100;

type State = (typeof LETTER_STATES)[number];

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
  const state = LETTER_STATES.find((each) => each === search.state);
  const { run, isRunning, result } = useAction(['tachograph']);
  const list = usePages(['tachograph', 'letters', state], (cursor) => readPage(state, cursor));
  const [asked, setAsked] = useState<Asked>();
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date());
  const decide = (id: string, to: State, more: Details = {}): Promise<void> =>
    run(async () => {
      const body = { state: to, ...(to !== 'issued' && { acknowledgedOn: today }), ...more };
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
          values={LETTER_STATES}
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
                  {dateText(letter.from)} – {dateText(letter.to)}
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
                  <div className="quiet">{letter.issuedByName}</div>
                </td>
                <td>
                  <span className={`tag ${KINDS[letter.state]}`}>{t(`letter.${letter.state}`)}</span>{' '}
                  {letter.acknowledgedOn !== null && dateText(letter.acknowledgedOn)}
                  {letter.note !== null && <div className="quiet">{letter.note}</div>}
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
                      <button
                        type="button"
                        disabled={isRunning}
                        aria-label={named(t('tacho.decide'), letter)}
                        onClick={() => setAsked(letter)}
                      >
                        {t('tacho.decide')}
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
      {asked !== undefined && (
        <Decision
          letter={asked}
          today={today}
          onClose={() => setAsked(undefined)}
          onDecide={(to, more) => {
            setAsked(undefined);
            void decide(asked.id, to, more);
          }}
        />
      )}
    </TachographPage>
  );
}

interface Asked {
  readonly id: string;
  readonly driverName: string;
  readonly from: string;
  readonly issuedAt: string;
  readonly note: string | null;
}

interface Details {
  readonly acknowledgedOn?: string;
  readonly note?: string | null;
}

interface DecisionProps {
  readonly letter: Asked;
  readonly today: string;
  readonly onClose: () => void;
  readonly onDecide: (state: 'signed' | 'refused', details: Details) => void;
}

/** A letter may come back days later, and a refusal has reasons. */
function Decision({ letter, today, onClose, onDecide }: DecisionProps) {
  const { t } = useSession();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const state = form.get('state') === 'refused' ? 'refused' : 'signed';
    onDecide(state, { acknowledgedOn: textOf(form, 'on'), note: textOf(form, 'note') || null });
  };
  return (
    <Modal label={named(t('tacho.decide'), letter)} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <label>
          {t('alarm.state')}
          <select name="state">
            {(['signed', 'refused'] as const).map((state) => (
              <option key={state} value={state}>
                {t(`letter.${state}`)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t('tacho.date')}
          <input type="date" name="on" required min={letter.issuedAt.slice(0, 10)} max={today} defaultValue={today} />
        </label>
        <label>
          {t('tacho.note')}
          <textarea name="note" maxLength={2_000} defaultValue={letter.note ?? ''} />
        </label>
        <div className="actions">
          <button type="submit" className="primary">
            {t('tacho.save')}
          </button>
          <button type="button" onClick={onClose}>
            {t('command.keep')}
          </button>
        </div>
      </form>
    </Modal>
  );
}
