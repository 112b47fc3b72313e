const asked = new URLSearchParams(location.search);
const words = {
  wrong: 'That user and password do not belong together.',
  otp: 'That account asks for a one-time password too.',
  locked: 'Too many attempts. Try again in a quarter of an hour.',
  scope: 'That account may not see these pages: it lacks the scope ops.',
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
const failed = document.getElementById('failed');
failed.hidden = !asked.has('failed');
failed.textContent = words[asked.get('failed')] ?? words.wrong;
document.getElementById('next').value = asked.get('next') ?? '/console';

const { singleSignOn } = await (await fetch('/login/methods')).json();
if (singleSignOn) {
  const sso = document.getElementById('sso');
  const link = sso.querySelector('a');
  link.textContent = singleSignOn.label;
  link.href = `/login/sso?next=${encodeURIComponent(asked.get('next') ?? '/console')}`;
  sso.hidden = false;
}
