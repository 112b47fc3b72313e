import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useSession } from '../../session.tsx';
import { type Area, inRequest } from './area.ts';
import { AreaEditor } from './area-editor.tsx';

const MOST = 500;

interface Geofence {
  readonly id: string;
  readonly name: string;
  readonly area: Area;
}

interface PlacesProps {
  readonly geofences: readonly string[];
  readonly onGeofences: (ids: readonly string[]) => void;
  readonly area: Area | undefined;
  readonly onArea: (area: Area | undefined) => void;
}

/** Where a rule applies: geofences of the tenant, which can be edited here, and an area of its own. */
export function Places({ geofences, onGeofences, area, onArea }: PlacesProps) {
  const { t, may } = useSession();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [edited, setEdited] = useState<Geofence>();
  /** another one is another editor, with nothing drawn */
  const [drawing, setDrawing] = useState(0);
  const [result, setResult] = useState<{ text: string; isProblem: boolean }>();
  const mayChange = may('vehicles:write');
  const list = useQuery({
    queryKey: ['geofences'],
    queryFn: async () => {
      const { items } = await answerOf(api.GET('/v1/geofences', { params: { query: { limit: MOST } } }));
      // generated types have no pairs
      return items as unknown as readonly Geofence[];
    },
    retry: false,
  });
  const attempt = async (change: () => Promise<string>): Promise<void> => {
    setResult(undefined);
    try {
      const text = await change();
      await queries.invalidateQueries({ queryKey: ['geofences'] });
      setResult({ text, isProblem: false });
    } catch (error) {
      setResult({ text: (error as Error).message, isProblem: true });
    }
  };
  const create = (drawn: Area): Promise<void> =>
    attempt(async () => {
      const made = await answerOf(api.POST('/v1/geofences', { body: { name, area: inRequest(drawn) } }));
      onGeofences([...geofences, made.id]);
      onArea(undefined);
      setDrawing(drawing + 1);
      setName('');
      return t('draw.savedFence');
    });
  const without = (fence: Geofence): string[] => geofences.filter((each) => each !== fence.id && each !== fence.name);
  return (
    <>
      <fieldset className="wide">
        <legend>{t('rule.geofences')}</legend>
        {list.data !== undefined && list.data.length === 0 && <p className="quiet">{t('draw.noFence')}</p>}
        {list.data?.map((fence) => (
          <div key={fence.id} className="actions">
            <label className="check">
              <input
                type="checkbox"
                checked={geofences.includes(fence.id) || geofences.includes(fence.name)}
                onChange={({ target }) => onGeofences(target.checked ? [...without(fence), fence.id] : without(fence))}
              />
              {fence.name}
            </label>
            {mayChange && (
              <button
                type="button"
                aria-label={t('draw.editFence', { name: fence.name })}
                onClick={() => setEdited(fence)}
              >
                {t('draw.edit')}
              </button>
            )}
          </div>
        ))}
      </fieldset>
      {edited === undefined ? (
        <AreaEditor key={drawing} title={t('rule.area')} area={area} onArea={onArea} />
      ) : (
        <FenceEditor
          key={edited.id}
          fence={edited}
          attempt={attempt}
          onRemoved={() => onGeofences(without(edited))}
          onEnd={() => setEdited(undefined)}
        />
      )}
      {edited === undefined && area !== undefined && mayChange && (
        <div className="actions wide">
          <label>
            {t('draw.name')}
            <input value={name} maxLength={200} onChange={({ target }) => setName(target.value)} />
          </label>
          <button type="button" disabled={name === ''} onClick={() => void create(area)}>
            {t('draw.saveFence')}
          </button>
        </div>
      )}
      {result?.isProblem === true && <Problem error={result.text} />}
      {result?.isProblem === false && <p role="status">{result.text}</p>}
    </>
  );
}

interface FenceEditorProps {
  readonly fence: Geofence;
  readonly attempt: (change: () => Promise<string>) => Promise<void>;
  readonly onRemoved: () => void;
  readonly onEnd: () => void;
}

/** Changes a stored geofence. Every rule that names it uses the changed area. */
function FenceEditor({ fence, attempt, onRemoved, onEnd }: FenceEditorProps) {
  const { t } = useSession();
  const [name, setName] = useState(fence.name);
  const [area, setArea] = useState<Area | undefined>(fence.area);
  const [isAsking, setAsking] = useState(false);
  const params = { path: { id: fence.id } };
  const save = (drawn: Area): Promise<void> =>
    attempt(async () => {
      await answerOf(api.PATCH('/v1/geofences/{id}', { params, body: { name, area: inRequest(drawn) } }));
      onEnd();
      return t('draw.changedFence');
    });
  const remove = (): Promise<void> =>
    attempt(async () => {
      setAsking(false);
      await answerOf(api.DELETE('/v1/geofences/{id}', { params }));
      onRemoved();
      onEnd();
      return t('draw.removedFence');
    });
  return (
    <>
      <AreaEditor title={t('draw.editFence', { name: fence.name })} area={area} onArea={setArea} />
      <div className="actions wide">
        <label>
          {t('draw.name')}
          <input value={name} maxLength={200} onChange={({ target }) => setName(target.value)} />
        </label>
        <button
          type="button"
          className="primary"
          disabled={name === '' || area === undefined}
          onClick={() => area !== undefined && void save(area)}
        >
          {t('draw.changeFence')}
        </button>
        <button type="button" onClick={onEnd}>
          {t('draw.endFence')}
        </button>
        <button type="button" onClick={() => setAsking(true)}>
          {t('draw.removeFence')}
        </button>
      </div>
      {isAsking && (
        <Confirm
          text={t('draw.confirmRemove', { name: fence.name })}
          onYes={() => void remove()}
          onNo={() => setAsking(false)}
        />
      )}
    </>
  );
}
