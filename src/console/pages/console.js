// Asks for /console/data every few seconds and shows it. Whatever comes from outside is set as text, never as markup.
const EVERY_MS = 3_000;
const byId = (id) => document.getElementById(id);

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

const whole = (ms) => new Date(ms).toLocaleString();
const ago = (at, now) => (at === null ? cell('never', 'quiet') : cell(`${span(now - at)} ago`, '', whole(at)));
const until = (at, now) => cell(at > now ? `in ${span(at - now)}` : 'now', '', whole(at));

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
  if (known !== undefined) return tag(known[0], known[1], code);
  if (code.startsWith('behind:')) return tag('waits behind another command', '', code);
  if (code.startsWith('condition:')) return tag(`condition not met: ${code.slice(10)}`, 'warn', code);
  return tag(code);
}

function fill(id, rows, nothing, columns) {
  if (rows.length === 0) {
    const empty = cell(nothing, 'empty');
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
    [`${counts.online}`, `of ${counts.devices} devices online`, ''],
    [`${counts.pending}`, 'commands wait', ''],
    [`${counts.inFlight}`, 'commands on their way', ''],
    [jobs === null ? '–' : `${jobs.delayed ?? 0}`, 'parked in the queue', jobs === null ? 'bad' : ''],
    [`${counts.unregistered}`, 'unregistered devices', counts.unregistered > 0 ? 'warn' : ''],
    [`${streams}`, streams === 1 ? 'gateway' : 'gateways', streams === 0 ? 'bad' : ''],
    [`${setAside}`, 'records set aside', setAside > 0 ? 'warn' : ''],
  ];
  byId('counts').replaceChildren(
    ...list.map(([number, what, kind]) =>
      element('li', { className: kind }, [element('b', { text: number }), element('span', { text: what })]),
    ),
  );
}

function showCommands({ commands, now }) {
  const onTheirWay = commands.inFlight.map((c) =>
    row(
      cell(c.imei, 'id'),
      cell(c.text, 'text', c.text),
      cell(tag(c.state === 'sent' ? 'sent, waits for the answer' : 'on its way to the gateway', 'good', c.state)),
      cell(`${c.attempts} of ${c.maxAttempts}`, 'number'),
      ago(c.createdAt, now),
      c.deadline === null ? cell('–') : until(c.deadline, now),
    ),
  );
  const waiting = commands.waiting.map((c) =>
    row(
      cell(c.imei, 'id'),
      cell(c.text, 'text', c.text),
      cell(reason(c.reason)),
      cell(`${c.attempts} of ${c.maxAttempts}`, 'number'),
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
        cell(tag(d.online ? 'online' : 'offline', d.online ? 'good' : '')),
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
        cell(tag(g.isAlive ? 'there' : 'gone', g.isAlive ? 'good' : 'bad')),
        cell(tag(g.isHere ? 'held here' : 'not held here', g.isHere ? 'good' : '')),
        cell(`${g.connections}`, 'number'),
        ago(g.appliedUntil, now),
      ),
    ),
    'No gateway has been here.',
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
  return box.replaceChildren(element('strong', { text: 'Not ready' }), element('ul', {}, list));
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
  state.textContent = `as of ${new Date(shownAt).toLocaleTimeString()}`;
}

async function keepFresh() {
  if (!document.hidden) {
    try {
      await refresh();
    } catch {
      state.className = 'state stale';
      state.textContent = shownAt ? `no answer since ${new Date(shownAt).toLocaleTimeString()}` : 'no answer';
    }
  }
  setTimeout(() => void keepFresh(), EVERY_MS);
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) refresh().catch(() => {});
});
void keepFresh();
