const asked = new URLSearchParams(location.search);
const words = {
  wrong: 'That user and password do not belong together.',
  otp: 'That account asks for a one-time password too.',
  locked: 'Too many attempts. Try again in a quarter of an hour.',
  scope: 'That account may not see these pages: it lacks the scope ops.',
};
const failed = document.getElementById('failed');
failed.hidden = !asked.has('failed');
failed.textContent = words[asked.get('failed')] ?? words.wrong;
document.getElementById('next').value = asked.get('next') ?? '/console';
