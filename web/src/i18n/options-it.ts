/** Options of devices in Italian, by the title that the protocol gives them in English. */
export const optionsIt: Readonly<Record<string, string>> = {
  '1: beacons come as elements with lengths': '1: i beacon arrivano come elementi con la lunghezza',
  'Acknowledge every fix sentence and record by R12': 'Conferma ogni messaggio di posizione e ogni record con R12',
  'Acknowledge every message (devices that are set up for it)':
    'Conferma ogni messaggio (dispositivi così configurati)',
  'Acknowledge every message (devices with SACK enabled)': 'Conferma ogni messaggio (dispositivi con SACK attivo)',
  'Address of the JT/T 1078 server': 'Indirizzo del server JT/T 1078',
  'Address of the server that takes pictures of assistance alarms':
    'Indirizzo del server che riceve le immagini degli allarmi di assistenza',
  'Arm and disarm by B21': 'Inserimento e disinserimento dell’allarme con B21',
  'Believe the zone that the login names': 'Usa il fuso orario indicato nel login',
  'Commands end with the language': 'I comandi terminano con la lingua',
  'Commands in the form [begin]sms2,…,[end]': 'Comandi nella forma [begin]sms2,…,[end]',
  'Cut and restore the engine in steps (S20 with times)': 'Blocco e sblocco del motore per passi (S20 con i tempi)',
  'Engine commands as A006': 'Comandi del motore come A006',
  'Engine commands as DYD and HFYD': 'Comandi del motore come DYD e HFYD',
  'Form of its times, in UTC': 'Forma degli orari, in UTC',
  'Format of reports GSh (ON)': 'Formato dei messaggi GSh (ON)',
  'Format of reports GSr, as the device is set up (O3)':
    'Formato dei messaggi GSr, come configurato sul dispositivo (O3)',
  'Fuel sensors write decimal numbers': 'I sensori di carburante scrivono numeri decimali',
  'How it is named to the device: 9208 of T/JSATL 12, or 8900 of Jimi':
    'Come è indicato al dispositivo: 9208 di T/JSATL 12, oppure 8900 di Jimi',
  'Key of authentication codes; the code is the id where none is given':
    'Chiave dei codici di autenticazione; se manca, il codice è l’id',
  'Keys of a customised report, such as UID,EV,D,T,LT,LN,AL,GSPT,HD,SV,HP,BV,CQ,GS,SI,IG,OT':
    'Chiavi di un messaggio personalizzato, come UID,EV,D,T,LT,LN,AL,GSPT,HD,SV,HP,BV,CQ,GS,SI,IG,OT',
  'LANTRIX…: the checksum leaves out the star, where reports have none':
    'LANTRIX…: il codice di controllo esclude l’asterisco, se i messaggi non ne hanno uno',
  'Largest message in parts, in bytes': 'Massima dimensione di un messaggio in più parti, in byte',
  'Length of binary records, 32 or 45; learned where it is not set':
    'Lunghezza dei record binari, 32 o 45; se manca, è riconosciuta',
  'Mask of the reports, where the device does not send it with each of them':
    'Maschera dei messaggi, se il dispositivo non la invia con ognuno',
  'Messages have the engine speed': 'I messaggi contengono il regime del motore',
  'Messages have three analogue inputs': 'I messaggi contengono tre ingressi analogici',
  'Messages have three temperatures': 'I messaggi contengono tre temperature',
  'Mobile country code of cells that are sent without one': 'Codice del paese (MCC) delle celle inviate senza codice',
  'Mobile country code of cells, which are sent without one':
    'Codice del paese (MCC) delle celle, che sono inviate senza codice',
  'Mobile network code of cells that are sent without one': 'Codice della rete (MNC) delle celle inviate senza codice',
  'Mobile network code of cells, which are sent without one':
    'Codice della rete (MNC) delle celle, che sono inviate senza codice',
  'Model, by which voltages of text reports are scaled (MVT340, MT90, T1 …)':
    'Modello, da cui dipende la scala delle tensioni nei messaggi di testo (MVT340, MT90, T1 …)',
  'Model, e.g. FMB130: element numbers differ between families':
    'Modello, per esempio FMB130: i numeri degli elementi cambiano tra le famiglie',
  'Model, where it reads items or takes commands in its own way':
    'Modello, se legge elementi o riceve comandi in un modo proprio',
  'Model, where the bytes alone are ambiguous (NT20, VL103, LW4G, R11 …)':
    'Modello, dove i soli byte sono ambigui (NT20, VL103, LW4G, R11 …)',
  'Model, where the bytes alone are ambiguous (TLW2-2BL)': 'Modello, dove i soli byte sono ambigui (TLW2-2BL)',
  'Model, where the protocol version does not identify it (GV300, GL320M …)':
    'Modello, se la versione del protocollo non lo identifica (GV300, GL320M …)',
  'Model: Amber has data of its own': 'Modello: Amber ha dati propri',
  'Model: AtlasTrax has payloads of its own': 'Modello: AtlasTrax ha contenuti propri',
  'Model: Nano takes firmware updates': 'Modello: Nano riceve aggiornamenti del firmware',
  'Password of the alternative engine commands': 'Password dei comandi alternativi del motore',
  'Password of the device': 'Password del dispositivo',
  'Password of the device; from the factory the model in lower case':
    'Password del dispositivo; di fabbrica il modello in minuscolo',
  'Profi, Optim and Lite before the second generation: mileage in m and speed of the sensor in km/h':
    'Profi, Optim e Lite prima della seconda generazione: percorrenza in m e velocità del sensore in km/h',
  'RMC sentences over TCP are acknowledged by `OK1`': 'I messaggi RMC su TCP sono confermati con `OK1`',
  'Records carry a group of 16-byte values': 'I record contengono un gruppo di valori da 16 byte',
  'Records have values of one’s own behind them': 'I record terminano con valori personalizzati',
  'Report intervals by D1 in place of S71': 'Intervalli di invio con D1 al posto di S71',
  'Seconds between positions, where the device asks for its settings':
    'Secondi tra le posizioni, se il dispositivo chiede le sue impostazioni',
  'ST9xx: 1 where messages name the cell, 0 otherwise': 'ST9xx: 1 se i messaggi indicano la cella, altrimenti 0',
  'Satellite messages hold the compressed form': 'I messaggi via satellite hanno la forma compressa',
  'Send commands as codec 14: the device compares the IMEI':
    'Invia i comandi come codec 14: il dispositivo confronta l’IMEI',
  'TCP port of that server': 'Porta TCP di quel server',
  'TCP port of the JT/T 1078 server': 'Porta TCP del server JT/T 1078',
  'Tags of a message, as the device is set up': 'Campi di un messaggio, come configurato sul dispositivo',
  'Take datagrams whose checksum is wrong': 'Accetta datagrammi con codice di controllo errato',
  'Take frames whose checksum is wrong': 'Accetta trame con codice di controllo errato',
  'Take frames with a wrong checksum or length': 'Accetta trame con codice di controllo o lunghezza errati',
  'Take messages whose checksum is wrong': 'Accetta messaggi con codice di controllo errato',
  'Take packets whose CRC is wrong': 'Accetta pacchetti con CRC errato',
  'Take packets whose checksum is wrong': 'Accetta pacchetti con codice di controllo errato',
  'Take packets whose data checksum is wrong': 'Accetta pacchetti con codice di controllo dei dati errato',
  'Take sentences whose checksum is wrong': 'Accetta frasi con codice di controllo errato',
  'Take the time of sending for the time of the fix': 'Usa l’ora di invio come ora della posizione',
  'Telephone numbers of the alarm button, of father and mother, with ; between them, in these settings':
    'Numeri di telefono del pulsante di allarme, del padre e della madre, separati da ; in queste impostazioni',
  'Their names, such as %MV%BV, where the records do not say them':
    'I loro nomi, come %MV%BV, se i record non li indicano',
  'Time zone of the device’s clock': 'Fuso orario dell’orologio del dispositivo',
  'Times have seven bytes': 'Gli orari hanno sette byte',
  'Unit of speed in queries: kn, km/h, m/s or mph': 'Unità della velocità nelle richieste: kn, km/h, m/s o mph',
  'What follows the inputs: 0 what the fields themselves say, 1 hours and battery, 2 the cell as well':
    'Che cosa segue gli ingressi: 0 ciò che dicono i campi stessi, 1 ore e batteria, 2 anche la cella',
  'Zone of the device’s clock (GMT+8, Europe/Rome); UTC otherwise':
    'Fuso orario dell’orologio del dispositivo (GMT+8, Europe/Rome); altrimenti UTC',
};
