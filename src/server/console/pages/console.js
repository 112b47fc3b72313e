// Asks for /console/data every few seconds and shows it. Whatever comes from outside is set as text, never as markup.
const EVERY_MS = 3_000;
const byId = (id) => document.getElementById(id);

/** Italian by the English text; {} stands for a value. */
const ITALIAN = {
  'To the content': 'Vai al contenuto',
  Console: 'Console',
  'Command queue': 'Coda dei comandi',
  'Log out': 'Esci',
  'loading …': 'caricamento …',
  'Open commands': 'Comandi aperti',
  Device: 'Dispositivo',
  Command: 'Comando',
  'Why it is open': 'Perché è aperto',
  Tries: 'Tentativi',
  Since: 'Da',
  Ends: 'Scade',
  Devices: 'Dispositivi',
  State: 'Stato',
  'Last seen': 'Ultimo contatto',
  'Last position': 'Ultima posizione',
  Protocol: 'Protocollo',
  From: 'Indirizzo',
  'Unregistered devices': 'Dispositivi non registrati',
  Last: 'Ultimo',
  First: 'Primo',
  Times: 'Volte',
  'Gateways and streams': 'Gateway e flussi',
  Stream: 'Flusso',
  'Applied up to': 'Elaborato fino a',
  'Spool of the gateway beside the API': 'Coda su disco del gateway accanto all’API',
  Target: 'Destinazione',
  Lag: 'Ritardo',
  'Rejected records': 'Record rifiutati',
  'On disk': 'Su disco',
  'This page needs JavaScript to show what is going on.': 'Questa pagina richiede JavaScript.',
  never: 'mai',
  '{} ago': '{} fa',
  'in {}': 'tra {}',
  now: 'adesso',
  '{} of {}': '{} di {}',
  'of {} devices online': 'di {} dispositivi in linea',
  'commands wait': 'comandi in attesa',
  'commands on their way': 'comandi in consegna',
  'parked in the queue': 'rinviati nella coda',
  'unregistered devices': 'dispositivi non registrati',
  gateway: 'gateway',
  gateways: 'gateway',
  'set-aside records': 'record accantonati',
  'sent, waits for the answer': 'inviato, in attesa della risposta',
  'on its way to the gateway': 'in consegna al gateway',
  'No command is open.': 'Nessun comando aperto.',
  online: 'in linea',
  offline: 'non in linea',
  'No device has been registered.': 'Nessun dispositivo registrato.',
  'No unregistered device has tried to connect.': 'Nessun dispositivo non registrato ha tentato di collegarsi.',
  connected: 'collegato',
  'not connected': 'non collegato',
  'held here': 'tenuto qui',
  'not held here': 'non tenuto qui',
  'No gateway has connected yet.': 'Nessun gateway si è ancora collegato.',
  'There is no gateway beside this API.': 'Nessun gateway accanto a questa API.',
  'Not ready': 'Non pronto',
  'as of {}': 'aggiornato alle {}',
  'no answer since {}': 'nessuna risposta dalle {}',
  'no answer': 'nessuna risposta',
  'the device is offline': 'il dispositivo non è in linea',
  'waits for the answer to another command': 'attende la risposta a un altro comando',
  'its time has not come': 'l’orario non è ancora arrivato',
  'the model wants a pause': 'il modello richiede una pausa',
  'is about to be sent': 'sta per essere inviato',
  'waits for a fresh position': 'attende una posizione recente',
  'waits behind another command': 'attende dopo un altro comando',
  'condition not met: {}': 'condizione non soddisfatta: {}',
};

/** What was chosen in the console of this browser. */
function readSettings() {
  try {
    return JSON.parse(localStorage.getItem('fleetgate-console') ?? '{}');
  } catch {
    return {};
  }
}

const settings = readSettings();
const isItalian = (settings.language ?? navigator.language).startsWith('it');

function say(text, ...values) {
  let next = 0;
  return ((isItalian && ITALIAN[text]) || text).replaceAll('{}', () => values[next++]);
}

if (settings.theme) document.documentElement.dataset.theme = settings.theme;
if (isItalian) {
  document.documentElement.lang = 'it';
  for (const each of document.querySelectorAll('a, button, h2, th, [role=status]')) {
    const text = each.textContent.trim();
    if (Object.hasOwn(ITALIAN, text)) each.textContent = ITALIAN[text];
  }
}

function element(name, { text, className, title } = {}, children = []) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  if (title) made.title = title;
  made.append(...children);
  return made;
}

const tag = (text, kind, title) => element('span', { text, className: `tag ${kind ?? ''}`, title });
const cell = (content, className, title) =>
  content instanceof Node
    ? element('td', { className, title }, [content])
    : element('td', { text: content ?? '–', className, title });

function span(ms) {
  const s = Math.max(0, Math.round(ms / 1_000));
  if (s < 90) return `${s} s`;
  if (s < 5_400) return `${Math.round(s / 60)} min`;
  if (s < 172_800) return `${Math.round(s / 3_600)} h`;
  return `${Math.round(s / 86_400)} d`;
}

const zone = { timeZone: settings.zone, timeZoneName: 'short' };
const day = { day: '2-digit', month: '2-digit', year: 'numeric' };
const hour = { hour: '2-digit', minute: '2-digit', second: '2-digit', ...zone };
const locale = isItalian ? 'it-IT' : 'en-GB';
const whole = (ms) => new Date(ms).toLocaleString(locale, { ...day, ...hour });
const clock = (ms) => new Date(ms).toLocaleTimeString(locale, hour);
const ago = (at, now) =>
  at === null ? cell(say('never'), 'quiet') : cell(say('{} ago', span(now - at)), '', whole(at));
const until = (at, now) => cell(at > now ? say('in {}', span(at - now)) : say('now'), '', whole(at));

function size(bytes) {
  if (bytes < 1_024) return `${bytes} B`;
  if (bytes < 1_048_576) return `${(bytes / 1_024).toFixed(0)} KB`;
  if (bytes < 1_073_741_824) return `${(bytes / 1_048_576).toFixed(1)} MB`;
  return `${(bytes / 1_073_741_824).toFixed(2)} GB`;
}

const REASONS = {
  'device-offline': ['the device is offline', ''],
  'waiting-for-answer': ['waits for the answer to another command', 'warn'],
  'not-before': ['its time has not come', ''],
  gap: ['the model wants a pause', ''],
  'queue-down': ['is about to be sent', 'good'],
  'condition:no-fresh-position': ['waits for a fresh position', 'warn'],
};

function reason(code) {
  const known = REASONS[code];
  if (known !== undefined) return tag(say(known[0]), known[1], code);
  if (code.startsWith('behind:')) return tag(say('waits behind another command'), '', code);
  if (code.startsWith('condition:')) return tag(say('condition not met: {}', code.slice(10)), 'warn', code);
  return tag(code);
}

function fill(id, rows, nothing, columns) {
  if (rows.length === 0) {
    const empty = cell(say(nothing), 'empty');
    empty.colSpan = columns;
    rows.push(element('tr', {}, [empty]));
  }
  byId(id).replaceChildren(...rows);
}

const row = (...cells) => element('tr', {}, cells);

function showCounts({ counts, jobs, spools, gateways }) {
  const setAside = spools.reduce((sum, spool) => sum + spool.setAside, 0);
  const streams = gateways.filter((gateway) => gateway.isAlive).length;
  const list = [
    [`${counts.online}`, say('of {} devices online', counts.devices), ''],
    [`${counts.pending}`, 'commands wait', ''],
    [`${counts.inFlight}`, 'commands on their way', ''],
    [jobs === null ? '–' : `${jobs.delayed ?? 0}`, 'parked in the queue', jobs === null ? 'bad' : ''],
    [`${counts.unregistered}`, 'unregistered devices', counts.unregistered > 0 ? 'warn' : ''],
    [`${streams}`, streams === 1 ? 'gateway' : 'gateways', streams === 0 ? 'bad' : ''],
    [`${setAside}`, 'set-aside records', setAside > 0 ? 'warn' : ''],
  ];
  byId('counts').replaceChildren(
    ...list.map(([number, what, kind]) =>
      element('li', { className: kind }, [element('b', { text: number }), element('span', { text: say(what) })]),
    ),
  );
}

function showCommands({ commands, now }) {
  const onTheirWay = commands.inFlight.map((c) =>
    row(
      cell(c.imei, 'id'),
      cell(c.text, 'text', c.text),
      cell(tag(say(c.state === 'sent' ? 'sent, waits for the answer' : 'on its way to the gateway'), 'good', c.state)),
      cell(say('{} of {}', c.attempts, c.maxAttempts), 'number'),
      ago(c.createdAt, now),
      c.deadline === null ? cell('–') : until(c.deadline, now),
    ),
  );
  const waiting = commands.waiting.map((c) =>
    row(
      cell(c.imei, 'id'),
      cell(c.text, 'text', c.text),
      cell(reason(c.reason)),
      cell(say('{} of {}', c.attempts, c.maxAttempts), 'number'),
      ago(c.createdAt, now),
      until(c.expiresAt, now),
    ),
  );
  fill('commands', [...onTheirWay, ...waiting], 'No command is open.', 6);
}

function showDevices({ devices, unregistered, now }) {
  fill(
    'devices',
    devices.map((d) =>
      row(
        cell(d.imei, 'id'),
        cell(tag(say(d.online ? 'online' : 'offline'), d.online ? 'good' : '')),
        ago(d.seenAt, now),
        ago(d.locatedAt, now),
        cell(d.protocol),
        cell(d.remote),
        cell(d.gateway),
      ),
    ),
    'No device has been registered.',
    7,
  );
  fill(
    'unregistered',
    unregistered.map((k) =>
      row(
        cell(k.imei, 'id'),
        ago(k.lastAt, now),
        ago(k.firstAt, now),
        cell(`${k.times}`, 'number'),
        cell(k.protocol),
        cell(k.remote),
      ),
    ),
    'No unregistered device has tried to connect.',
    6,
  );
}

function showGateways({ gateways, spools, now }) {
  fill(
    'gateways',
    gateways.map((g) =>
      row(
        cell(g.gateway, 'id'),
        cell(tag(say(g.isAlive ? 'connected' : 'not connected'), g.isAlive ? 'good' : 'bad')),
        cell(tag(say(g.isHere ? 'held here' : 'not held here'), g.isHere ? 'good' : '')),
        cell(`${g.connections}`, 'number'),
        ago(g.appliedUntil, now),
      ),
    ),
    'No gateway has connected yet.',
    5,
  );
  fill(
    'spools',
    spools.map((s) =>
      row(
        cell(s.target, 'id'),
        cell(s.lagSeconds > 10 ? tag(span(s.lagSeconds * 1_000), 'warn') : span(s.lagSeconds * 1_000), 'number'),
        cell(s.setAside > 0 ? tag(`${s.setAside}`, 'bad') : '0', 'number'),
        cell(size(s.bytes), 'number'),
      ),
    ),
    'There is no gateway beside this API.',
    4,
  );
}

function showTrouble({ checks }) {
  const wrong = checks.filter((check) => !check.ok);
  const box = byId('trouble');
  box.hidden = wrong.length === 0;
  if (wrong.length === 0) return box.replaceChildren();
  const list = wrong.map(({ name, detail }) => element('li', { text: detail ? `${name}: ${detail}` : name }));
  return box.replaceChildren(element('strong', { text: say('Not ready') }), element('ul', {}, list));
}

const state = byId('state');
let shownAt;

async function refresh() {
  const answer = await fetch('/console/data', { headers: { accept: 'application/json' } });
  if (answer.status === 401) return location.assign('/login?next=/console/overview');
  if (!answer.ok) throw new Error(`${answer.status}`);
  const data = await answer.json();
  for (const show of [showTrouble, showCounts, showCommands, showDevices, showGateways]) show(data);
  shownAt = Date.now();
  state.className = 'state';
  state.textContent = say('as of {}', clock(shownAt));
}

async function keepFresh() {
  if (!document.hidden) {
    try {
      await refresh();
    } catch {
      state.className = 'state stale';
      state.textContent = shownAt ? say('no answer since {}', clock(shownAt)) : say('no answer');
    }
  }
  setTimeout(() => void keepFresh(), EVERY_MS);
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) refresh().catch(() => {});
});
void keepFresh();
