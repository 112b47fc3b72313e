const ENGLISH = {
  title: 'Log in',
  intro: 'Log in to the console: vehicles, commands, alarms and tachograph data.',
  user: 'User',
  password: 'Password, or an API key with the scope ops',
  otp: 'One-time password, if your account requires it',
  organization: 'Other organization',
  tenant: 'Name of the organization (tenant), if your user name is not unique',
  sso: 'Single sign-on',
  wrong: 'User and password do not match.',
  'wrong-otp': 'This account requires a one-time password too.',
  locked: 'Too many attempts. Try again in 15 minutes.',
  scope: 'This account has no access to the console. Ask your administrator for another role.',
  'sso-unavailable': 'The provider of the single sign-on does not answer. Try again later.',
  'sso-provider': 'The single sign-on failed. Try again.',
  'sso-flow': 'The single sign-on took too long or began in another browser. Try again.',
  'sso-unknown': 'The single sign-on succeeded, but there is no account for you here.',
  'sso-disabled': 'Your account is disabled.',
  'sso-role': 'The single sign-on succeeded, but no role is assigned to you here.',
  'sso-tenant': 'The single sign-on succeeded, but your organization is not the one of your account.',
  'sso-domain': 'The single sign-on succeeded, but your e-mail address is not accepted here.',
  'sso-acr': 'The single sign-on requires a stronger authentication, such as a second factor.',
};
const ITALIAN = {
  title: 'Accedi',
  intro: 'Accesso alla console: veicoli, comandi, allarmi e dati del tachigrafo.',
  user: 'Utente',
  password: 'Password, o una chiave API con il permesso ops',
  otp: 'Codice monouso, se richiesto per l’utente',
  organization: 'Altra azienda',
  tenant: 'Nome dell’azienda (tenant), se il nome utente non è univoco',
  sso: 'Accesso aziendale (SSO)',
  wrong: 'Utente e password non corrispondono.',
  'wrong-otp': 'Per questo utente serve anche un codice monouso.',
  locked: 'Troppi tentativi. Riprovare tra 15 minuti.',
  scope: 'Questo utente non ha accesso alla console. Chiedere un altro ruolo all’amministratore.',
  'sso-unavailable': 'Il fornitore dell’accesso aziendale non risponde. Riprovare più tardi.',
  'sso-provider': 'L’accesso aziendale non è riuscito. Riprovare.',
  'sso-flow': 'L’accesso aziendale è durato troppo o è iniziato in un altro browser. Riprovare.',
  'sso-unknown': 'L’accesso aziendale è riuscito, ma qui non esiste un utente corrispondente.',
  'sso-disabled': 'L’utente è disattivato.',
  'sso-role': 'L’accesso aziendale è riuscito, ma qui non è assegnato alcun ruolo.',
  'sso-tenant': 'L’accesso aziendale è riuscito, ma l’organizzazione non è quella dell’utente.',
  'sso-domain': 'L’accesso aziendale è riuscito, ma l’indirizzo e-mail non è accettato.',
  'sso-acr': 'L’accesso aziendale richiede un’autenticazione più forte, per esempio un secondo fattore.',
};

/** What was chosen in the console of this browser. */
function readSettings() {
  try {
    return JSON.parse(localStorage.getItem('fleetgate-console') ?? '{}');
  } catch {
    return {};
  }
}

const { language, theme } = readSettings();
const asked = new URLSearchParams(location.search);
const byId = (id) => document.getElementById(id);
const isItalian = (language ?? navigator.language).startsWith('it');
const words = isItalian ? ITALIAN : ENGLISH;

if (theme) document.documentElement.dataset.theme = theme;
if (isItalian) document.documentElement.lang = 'it';
document.title = `${words.title} · Fleetgate`;
for (const element of document.querySelectorAll('[data-text]')) element.textContent = words[element.dataset.text];

const failure = asked.get('failed');
const failed = byId('failed');
failed.hidden = failure === null;
failed.textContent = words[failure === 'otp' ? 'wrong-otp' : failure] ?? words.wrong;
byId('next').value = asked.get('next') ?? '/console';
const tenant = asked.get('tenant');
if (tenant) byId('tenant').value = tenant;
// after every refusal, so that it does not reveal whether there are several users of that name
byId('organization').open = Boolean(tenant) || failure === 'wrong';

const { singleSignOn } = await (await fetch('/login/methods')).json();
if (singleSignOn) {
  const sso = byId('sso');
  const link = sso.querySelector('a');
  link.textContent = singleSignOn.label;
  link.href = `/login/sso?next=${encodeURIComponent(asked.get('next') ?? '/console')}`;
  sso.hidden = false;
}
