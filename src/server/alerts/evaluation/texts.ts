import type { AlarmEvent, RuleType } from '../rules/index.ts';
import type { NotificationDetails } from './notifications/store.ts';

/** Texts of notifications in a language. */
interface Catalogue {
  /** for dates and numbers */
  readonly format: string;
  readonly titles: Readonly<Record<RuleType, string>>;
  readonly withdrawn: readonly [title: string, body: string];
  readonly corrected: readonly [title: string, body: string];
  readonly driver: string;
}

const en: Catalogue = {
  format: 'en-GB',
  titles: {
    unauthorized_use: 'Use outside of the authorised hours',
    overspeed: 'Overspeed',
    geofence_enter: 'Geofence entered',
    geofence_exit: 'Geofence left',
    ignition_on: 'Ignition on',
    ignition_off: 'Ignition off',
    tow: 'Moved without ignition',
    idling: 'Idling',
    long_stop: 'Long stop',
    sos: 'SOS',
    accident: 'Accident',
    jamming: 'Jamming',
    tampering: 'Tampering',
    harsh_braking: 'Harsh braking',
    harsh_acceleration: 'Harsh acceleration',
    harsh_cornering: 'Harsh cornering',
    device_alarm: 'Alarm of the device',
    unplugged: 'Device unplugged',
    temperature: 'Temperature out of range',
    door: 'Door opened',
    geofence_speed: 'Overspeed in a geofence',
    geofence_inside: 'Inside of a geofence',
    geofence_outside: 'Outside of the geofences',
    power_cut: 'External power cut',
    low_battery: 'Battery low',
    fuel_drain: 'Fuel drained',
    fuel_refill: 'Refuelled',
    device_offline: 'Device offline',
    command_result: 'Command ended',
    session_taken_over: 'Connection replaced by another one',
    login_refused: 'Login rejected',
    maintenance: 'Maintenance due',
    maintenance_due: 'Maintenance plan due',
    ddd_due: 'Tachograph download due',
    infringement: 'Infringement',
    driver_changed: 'Driver changed',
    driver_unknown: 'Unknown driver key',
    driver_missing: 'Moving without a driver',
    sensor: 'Sensor out of range',
  },
  withdrawn: ['Withdrawn', 'Later data show that it was not so.'],
  corrected: ['Corrected', 'Later data correct the earlier message.'],
  driver: 'driver',
};

const it: Catalogue = {
  format: 'it-IT',
  titles: {
    unauthorized_use: 'Uso fuori orario',
    overspeed: 'Eccesso di velocità',
    geofence_enter: 'Ingresso in area',
    geofence_exit: 'Uscita da area',
    ignition_on: 'Accensione quadro',
    ignition_off: 'Spegnimento quadro',
    tow: 'Traino o movimento a quadro spento',
    idling: 'Motore acceso da fermo',
    long_stop: 'Sosta prolungata',
    sos: 'SOS',
    accident: 'Incidente',
    jamming: 'Disturbo del segnale (jamming)',
    tampering: 'Manomissione',
    harsh_braking: 'Frenata brusca',
    harsh_acceleration: 'Accelerazione brusca',
    harsh_cornering: 'Curva brusca',
    device_alarm: 'Allarme del dispositivo',
    unplugged: 'Dispositivo scollegato',
    temperature: 'Temperatura fuori soglia',
    door: 'Porta aperta',
    geofence_speed: 'Eccesso di velocità in area',
    geofence_inside: 'Presenza in area',
    geofence_outside: 'Presenza fuori area',
    power_cut: 'Alimentazione interrotta',
    low_battery: 'Batteria scarica',
    fuel_drain: 'Calo anomalo di carburante',
    fuel_refill: 'Rifornimento',
    device_offline: 'Dispositivo non raggiungibile',
    command_result: 'Comando concluso',
    session_taken_over: 'Connessione sostituita da un’altra',
    login_refused: 'Accesso del dispositivo rifiutato',
    maintenance: 'Manutenzione in scadenza',
    maintenance_due: 'Piano di manutenzione in scadenza',
    ddd_due: 'Scarico dati tachigrafo in scadenza',
    infringement: 'Infrazione',
    driver_changed: 'Cambio di conducente',
    driver_unknown: 'Chiave conducente sconosciuta',
    driver_missing: 'Movimento senza conducente identificato',
    sensor: 'Sensore fuori soglia',
  },
  withdrawn: ['Annullato', 'I dati arrivati in seguito mostrano che l’evento non c’è stato.'],
  corrected: ['Corretto', 'I dati arrivati in seguito correggono il messaggio precedente.'],
  driver: 'conducente',
};

/** `it-CH` and `it` are Italian; every other language is English. */
export const languageOf = (locale: string): 'en' | 'it' => (/^it(?:-|$)/i.test(locale) ? 'it' : 'en');
const catalogueOf = (locale: string): Catalogue => (languageOf(locale) === 'it' ? it : en);

const UNITS: Readonly<Partial<Record<RuleType, string>>> = {
  overspeed: 'km/h',
  geofence_speed: 'km/h',
  temperature: '°C',
  power_cut: 'V',
  low_battery: '%',
};

/** The unit of the values of a type of rule; null: its values are not shown. */
export const unitOf = (type: RuleType): string | null => UNITS[type] ?? null;

export interface NotificationFacts {
  readonly type: RuleType;
  readonly description: string;
  readonly timezone: string;
  /** plate, or the device's id where it is in no vehicle */
  readonly vehicle: string;
  readonly event: AlarmEvent;
  readonly details: NotificationDetails;
}

/** Title and body of a notification, in the language of the user. */
export function textsOf({ type, description, timezone, vehicle, event, details }: NotificationFacts): {
  title: string;
  body: string;
} {
  const { kind, at, spot, corrects } = event;
  const { locale, geofence, value, unit, driver, place, mapUrl, detail } = details;
  const texts = catalogueOf(locale);
  const when = new Intl.DateTimeFormat(texts.format, { timeZone: timezone, dateStyle: 'medium', timeStyle: 'medium' });
  const amount = value === null ? undefined : `${new Intl.NumberFormat(texts.format).format(value)} ${unit}`;
  const about = [...(geofence === null ? [] : [geofence.name]), ...(amount === undefined ? [] : [amount])].join(', ');
  const what = about === '' ? texts.titles[type] : `${texts.titles[type]} (${about})`;
  const title = vehicle === '' ? what : `${what}: ${vehicle}`;
  const { latitude, longitude } = spot ?? {};
  const facts = [
    `${vehicle === '' ? '' : `${vehicle}, `}${when.format(at)} (${timezone})`,
    ...(geofence === null ? [] : [geofence.name]),
    ...(amount === undefined ? [] : [amount]),
    ...(driver === null ? [] : [`${texts.driver} ${driver.name}`]),
    ...(detail === null ? [] : [detail]),
    ...(description === '' ? [] : [description]),
    ...(place === null ? [] : [place]),
    ...(latitude === undefined || longitude === undefined ? [] : [`${latitude.toFixed(5)}, ${longitude.toFixed(5)}`]),
    ...(mapUrl === null ? [] : [mapUrl]),
  ].join(' · ');
  const correction = kind === 'withdrawn' ? texts.withdrawn : corrects === undefined ? undefined : texts.corrected;
  if (correction === undefined) return { title, body: facts };
  return { title: `${correction[0]}: ${title}`, body: `${correction[1]} ${facts}` };
}
