import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { answerOf, api } from '../../api.ts';
import { Problem } from '../../parts/problem.tsx';
import { useSession } from '../../session.tsx';
import { type Checked, ConfirmSend } from './confirm-send.tsx';
import { parametersOf, TypeFields } from './type-fields.tsx';
import { type CommandType, type Recipient, typeTitle, useTypes } from './types.ts';

type CommandBody =
  | { readonly gprsCommand: string; readonly encoding: 'text' | 'hex' }
  | { readonly type: string; readonly attributes: Record<string, string | number | boolean> };

interface Wanted {
  readonly recipient: Recipient;
  readonly body: CommandBody;
  /** as it is shown */
  readonly text: string;
  readonly checked: Checked;
  /** the same for every attempt: a request that is repeated queues nothing twice */
  readonly key: string;
}

type Sent = { readonly commandId: string } | { readonly batchId: string; readonly n: number; readonly refused: number };

const CUSTOM = 'custom';

const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('');

async function queue({ recipient, body, key }: Wanted): Promise<Sent> {
  const headers = { 'idempotency-key': key };
  if ('imei' in recipient) {
    return answerOf(api.POST('/v1/gprsCommands/', { body: { ...recipient, ...body }, headers }));
  }
  const batch = await answerOf(api.POST('/v1/gprsCommands/batch', { body: { ...recipient, ...body }, headers }));
  const n = batch.commands.filter(({ commandId }) => commandId !== undefined).length;
  return { batchId: batch.batchId, n, refused: batch.commands.length - n };
}

interface SendFormProps {
  readonly imei: string | undefined;
  readonly group: string | undefined;
  /** the group is part of the URL; undefined: a single device */
  readonly onGroup: (group: string | undefined) => void;
}

/** Every command is checked by the API and confirmed: which ones are privileged depends on the model of the device. */
export function SendForm({ imei, group, onGroup }: SendFormProps) {
  const { t, may } = useSession();
  const queries = useQueryClient();
  const [device, setDevice] = useState(imei ?? '');
  // asked about when the id is complete, not at each character
  const [entered, setEntered] = useState(device);
  const [shown, setShown] = useState(imei);
  if (shown !== imei) {
    setShown(imei);
    setDevice(imei ?? '');
    setEntered(imei ?? '');
  }
  const recipient: Recipient = group === undefined ? { imei: device.trim() } : { group };
  const types = useTypes(group === undefined ? { imei: entered } : recipient);
  const [chosen, setChosen] = useState<string>(CUSTOM);
  const type = types.data?.items.find((each) => each.type === chosen && each.type !== CUSTOM);
  const [wanted, setWanted] = useState<Wanted>();
  const [sent, setSent] = useState<Sent>();
  const [problem, setProblem] = useState<string>();
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setProblem(undefined);
    setSent(undefined);
    try {
      await work();
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const { body, text } = commandOf(form, type, type === undefined ? '' : typeTitle(t, type));
    void attempt(async () => {
      const target = 'imei' in recipient ? { imeis: [recipient.imei] } : recipient;
      const checked = await answerOf(api.POST('/v1/gprsCommands/check', { body: { ...target, ...body } }));
      setWanted({ recipient, body, text, checked, key: newKey() });
    });
  };
  const send = (command: Wanted): Promise<void> => {
    setWanted(undefined);
    return attempt(async () => {
      setSent(await queue(command));
      await queries.invalidateQueries({ queryKey: ['commands'] });
    });
  };
  return (
    <form className="card send" onSubmit={submit} aria-label={t('command.send')}>
      {may('vehicles:read') && <ToWhom group={group} onGroup={onGroup} />}
      {group === undefined && (
        <label>
          {t('command.imei')}
          <input
            inputMode="numeric"
            required
            value={device}
            onChange={(event) => setDevice(event.target.value)}
            onBlur={() => setEntered(device.trim())}
          />
        </label>
      )}
      <TypeChoice types={types.data} chosen={type?.type ?? CUSTOM} onChoose={setChosen} />
      {type === undefined ? <TextFields /> : <TypeFields type={type} />}
      <button type="submit" className="primary" disabled={group === ''}>
        {t('command.send')}
      </button>
      {types.data?.items.length === 0 && <p className="quiet">{t('send.noTypes')}</p>}
      {problem !== undefined && <Problem error={problem} />}
      {sent !== undefined && <Result sent={sent} />}
      {wanted !== undefined && (
        <ConfirmSend {...wanted} onYes={() => void send(wanted)} onNo={() => setWanted(undefined)} />
      )}
    </form>
  );
}

function commandOf(form: FormData, type: CommandType | undefined, title: string): { body: CommandBody; text: string } {
  if (type === undefined) {
    const text = String(form.get('text'));
    return { body: { gprsCommand: text, encoding: form.get('hex') === null ? 'text' : 'hex' }, text };
  }
  const attributes = parametersOf(type, form);
  const values = Object.entries(attributes).map(([name, value]) => `${name}: ${value}`);
  return { body: { type: type.type, attributes }, text: [title, ...values].join(', ') };
}

/** One device, or all that are in the vehicles of a group. */
function ToWhom({ group, onGroup }: Pick<SendFormProps, 'group' | 'onGroup'>) {
  const { t } = useSession();
  const groups = useQuery({
    queryKey: ['groups'],
    queryFn: async () => (await answerOf(api.GET('/v1/groups', { params: { query: { limit: 500 } } }))).items,
    enabled: group !== undefined,
  });
  return (
    <>
      <label>
        {t('send.to')}
        <select
          value={group === undefined ? 'device' : 'group'}
          onChange={(event) => onGroup(event.target.value === 'group' ? '' : undefined)}
        >
          <option value="device">{t('send.device')}</option>
          <option value="group">{t('send.group')}</option>
        </select>
      </label>
      {group !== undefined && (
        <label>
          {t('send.group')}
          <select required value={group} onChange={(event) => onGroup(event.target.value)}>
            <option value="">{t('send.chooseGroup')}</option>
            {groups.data?.map(({ id, name }) => (
              <option key={id}>{name}</option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}

interface TypeChoiceProps {
  readonly types: { readonly devices: number; readonly items: readonly CommandType[] } | undefined;
  readonly chosen: string;
  readonly onChoose: (type: string) => void;
}

function TypeChoice({ types, chosen, onChoose }: TypeChoiceProps) {
  const { t } = useSession();
  const named = types?.items.filter(({ type }) => type !== CUSTOM) ?? [];
  return (
    <label>
      {t('send.command')}
      <select name="type" value={chosen} onChange={(event) => onChoose(event.target.value)}>
        <option value={CUSTOM}>{t('send.ownText')}</option>
        {named.map((each) => (
          <option key={each.type} value={each.type}>
            {typeTitle(t, each)}
            {each.devices < types!.devices && ` (${t('send.takers', { n: each.devices, all: types!.devices })})`}
          </option>
        ))}
      </select>
    </label>
  );
}

function TextFields() {
  const { t } = useSession();
  return (
    <>
      <label className="wide">
        {t('command.text')}
        <input name="text" required autoComplete="off" spellCheck={false} />
      </label>
      <label className="check">
        <input type="checkbox" name="hex" /> {t('send.hex')}
      </label>
    </>
  );
}

function Result({ sent }: { sent: Sent }) {
  const { t } = useSession();
  return (
    <p role="status">
      {'commandId' in sent ? (
        <Link to="/commands/$id" params={{ id: sent.commandId }}>
          {t('command.queued', { id: sent.commandId })}
        </Link>
      ) : (
        <Link to="/commands" search={{ batch: sent.batchId }}>
          {t('send.batch', { n: sent.n, refused: sent.refused })}
        </Link>
      )}
    </p>
  );
}
