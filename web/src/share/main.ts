import type { paths } from '../../../dist/client/fleetgate.d.ts';
import type { FleetMap } from '../map/fleet-map.ts';
import { texts } from './texts.ts';
import '../style.css';
import './share.css';

type Shared = paths['/v1/shared']['post']['responses']['200']['content']['application/json'];

const EVERY_MS = 15_000;
const language = navigator.language.startsWith('it') ? 'it' : 'en';
const words = texts[language];
const token = window.location.hash.slice(1);
const element = (id: string): HTMLElement => document.getElementById(id)!;
const whole = new Intl.DateTimeFormat(language === 'it' ? 'it-IT' : 'en-GB', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});
const time = (instant: string): string => whole.format(new Date(instant));

document.documentElement.lang = language;
element('map').setAttribute('aria-label', words.map);
element('map').setAttribute('role', 'region');

function factsOf({ position, precisionM, from, to, expiresAt }: Shared): [string, string][] {
  const facts: [string, string][] = [];
  if (from !== null && to !== null) facts.push([words.from, time(from)], [words.to, time(to)]);
  if (position !== null) {
    facts.push([words.time, time(position.at)]);
    if (position.address !== null) facts.push([words.address, position.address]);
    facts.push([words.position, `${position.latitude.toFixed(5)}, ${position.longitude.toFixed(5)}`]);
    if (position.speed !== null) facts.push([words.speed, `${Math.round(position.speed)} km/h`]);
  }
  if (precisionM > 0) facts.push([words.about, words.cells.replace('{km}', String(precisionM / 1_000))]);
  facts.push([words.until, time(expiresAt)]);
  return facts;
}

function show(shared: Shared): void {
  const { name, position, path, from, attribution } = shared;
  element('name').textContent = name;
  document.title = `${name} – Fleetgate`;
  const isEmpty = from === null ? position === null : path.length === 0;
  element('notice').textContent = isEmpty ? (from === null ? words.unknown : words.nothing) : '';
  const list = element('facts');
  list.hidden = false;
  list.replaceChildren(
    ...factsOf(shared).flatMap(([label, value]) => {
      const [term, text] = [document.createElement('dt'), document.createElement('dd')];
      term.textContent = label;
      text.textContent = value;
      return [term, text];
    }),
  );
  element('attribution').textContent = attribution === null ? '' : `${words.address}: ${attribution}`;
}

let map: Promise<FleetMap | undefined> | undefined;
let shown = '';

/** The map moves only when what it shows has changed. */
async function draw({ position, path }: Shared): Promise<void> {
  const drawn = JSON.stringify([position, path]);
  if (drawn === shown) return;
  shown = drawn;
  map ??= import('../map/fleet-map.ts')
    .then(({ FleetMap }) => {
      const isDark = window.matchMedia('(prefers-color-scheme: dark)').matches;
      return new FleetMap(
        element('map'),
        { theme: isDark ? 'dark' : 'light', base: undefined, attribution: '' },
        () => {},
      );
    })
    .catch(() => undefined);
  const view = await map;
  if (position === null) return view?.showTrack(path, undefined);
  const at: [number, number] = [position.longitude, position.latitude];
  await view?.showTrack([at], { at, course: position.course ?? 0 });
}

async function refresh(): Promise<void> {
  let isOver = false;
  try {
    const response = await fetch('/v1/shared', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, lang: language }),
      credentials: 'omit',
    });
    if (response.ok) {
      const shared = (await response.json()) as Shared;
      show(shared);
      await draw(shared);
      isOver = shared.from !== null;
    } else if (response.status === 429 || response.status >= 500) element('notice').textContent = words.cut;
    else {
      element('notice').textContent = words.ended;
      element('facts').hidden = true;
      element('map').hidden = true;
      element('attribution').textContent = '';
      isOver = true;
    }
  } catch {
    element('notice').textContent = words.cut;
  }
  if (!isOver) window.setTimeout(() => void refresh(), EVERY_MS);
}

void refresh();
