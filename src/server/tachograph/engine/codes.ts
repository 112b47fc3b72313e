/** Names of the codes of the regulation that documents print (Annex IC, appendix 1). */
export interface CodeName {
  readonly it: string;
  readonly en: string;
}

const name = (it: string, en: string): CodeName => ({ it, en });

/** EventFaultType, 2.70. */
const EVENTS: Readonly<Record<number, CodeName>> = {
  0x00: name('evento senza dettagli', 'no further details'),
  0x01: name('inserimento di carta non valida', 'insertion of a non-valid card'),
  0x02: name('conflitto di carte', 'card conflict'),
  0x03: name('sovrapposizione di orari', 'time overlap'),
  0x04: name('guida senza carta appropriata', 'driving without an appropriate card'),
  0x05: name('inserimento carta durante la guida', 'card insertion while driving'),
  0x06: name('ultima sessione carta non chiusa correttamente', 'last card session not correctly closed'),
  0x07: name('superamento di velocità', 'over speeding'),
  0x08: name('interruzione dell’alimentazione', 'power supply interruption'),
  0x09: name('errore dei dati di movimento', 'motion data error'),
  0x0a: name('conflitto di movimento del veicolo', 'vehicle motion conflict'),
  0x0b: name('conflitto di orario (GNSS e orologio interno)', 'time conflict (GNSS and internal clock)'),
  0x0c: name('errore di comunicazione remota', 'communication error with the remote communication facility'),
  0x0d: name('assenza di informazioni di posizione GNSS', 'absence of position information from the GNSS receiver'),
  0x0e: name('errore di comunicazione con il GNSS esterno', 'communication error with the external GNSS facility'),
  0x0f: name('anomalia GNSS', 'GNSS anomaly'),
  0x10: name('violazione della sicurezza', 'security breach'),
  0x11: name('autenticazione del sensore fallita', 'motion sensor authentication failure'),
  0x12: name('autenticazione della carta fallita', 'card authentication failure'),
  0x13: name('cambio non autorizzato del sensore', 'unauthorised change of the motion sensor'),
  0x14: name('errore di integrità dei dati carta', 'card data input integrity error'),
  0x15: name('errore di integrità dei dati memorizzati', 'stored user data integrity error'),
  0x16: name('errore di trasferimento interno', 'internal data transfer error'),
  0x17: name('apertura non autorizzata', 'unauthorised case opening'),
  0x18: name('sabotaggio dell’hardware', 'hardware sabotage'),
  0x19: name('manomissione del GNSS', 'tamper detection of GNSS'),
  0x1a: name('autenticazione del GNSS esterno fallita', 'external GNSS facility authentication failure'),
  0x1b: name('certificato del GNSS esterno scaduto', 'external GNSS facility certificate expired'),
  0x1c: name('incoerenza tra movimento e attività', 'inconsistency between motion data and stored activity data'),
  0x20: name('sensore: violazione della sicurezza', 'sensor: security breach'),
  0x21: name('sensore: autenticazione fallita', 'sensor: authentication failure'),
  0x22: name('sensore: errore di integrità', 'sensor: stored data integrity error'),
  0x23: name('sensore: errore di trasferimento', 'sensor: internal data transfer error'),
  0x24: name('sensore: apertura non autorizzata', 'sensor: unauthorised case opening'),
  0x25: name('sensore: sabotaggio', 'sensor: hardware sabotage'),
  0x30: name('anomalia dell’apparecchio', 'recording equipment fault'),
  0x31: name('anomalia interna dell’unità', 'internal fault of the unit'),
  0x32: name('anomalia della stampante', 'printer fault'),
  0x33: name('anomalia del display', 'display fault'),
  0x34: name('anomalia del trasferimento dati', 'downloading fault'),
  0x35: name('anomalia del sensore', 'sensor fault'),
  0x36: name('anomalia del GNSS interno', 'internal GNSS receiver fault'),
  0x37: name('anomalia del GNSS esterno', 'external GNSS facility fault'),
  0x38: name('anomalia della comunicazione remota', 'remote communication facility fault'),
  0x39: name('anomalia dell’interfaccia ITS', 'ITS interface fault'),
  0x40: name('anomalia della carta', 'card fault'),
};

/** From here on codes are those of manufacturers. */
const MANUFACTURER = 0x80;

export const eventName = (type: number): CodeName => {
  const code = `0x${type.toString(16).padStart(2, '0').toUpperCase()}`;
  if (type >= MANUFACTURER)
    return name(`specifico del costruttore (${code})`, `specific to the manufacturer (${code})`);
  return EVENTS[type] ?? name(`codice ${code}`, `code ${code}`);
};

/** CalibrationPurpose, 2.8. */
const PURPOSES: readonly CodeName[] = [
  name('riservato', 'reserved'),
  name('attivazione', 'activation'),
  name('primo montaggio', 'first installation'),
  name('montaggio', 'installation'),
  name('controllo periodico', 'periodic inspection'),
  name('immissione della targa da parte dell’impresa', 'entry of the plate by the company'),
  name('regolazione dell’ora', 'time adjustment'),
];
export const purposeName = (purpose: number): CodeName =>
  PURPOSES[purpose] ?? name(`codice ${purpose}`, `code ${purpose}`);
