const en = {
  time: 'Last position',
  address: 'Place',
  position: 'Position',
  speed: 'Speed',
  from: 'From',
  to: 'To',
  until: 'Link valid until',
  about: 'Accuracy',
  cells: 'about {km} km',
  ended: 'This link has expired, was revoked, or does not exist.',
  unknown: 'The position of the vehicle is not known.',
  nothing: 'There is no position of this time.',
  cut: 'No connection to the server. Trying again …',
  map: 'Map',
};

const it: Readonly<Record<keyof typeof en, string>> = {
  time: 'Ultima posizione',
  address: 'Luogo',
  position: 'Posizione',
  speed: 'Velocità',
  from: 'Dal',
  to: 'Al',
  until: 'Link valido fino al',
  about: 'Precisione',
  cells: 'circa {km} km',
  ended: 'Questo link è scaduto, è stato revocato o non esiste.',
  unknown: 'La posizione del veicolo non è nota.',
  nothing: 'Non ci sono posizioni per questo periodo.',
  cut: 'Nessuna connessione al server. Nuovo tentativo …',
  map: 'Mappa',
};

/** Texts of the page of a share link, which has no user and no settings. */
export const texts = { en, it };
