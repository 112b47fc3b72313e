import { addProtocol } from 'maplibre-gl';
import { PMTiles, Protocol } from 'pmtiles';

let protocol: Protocol | undefined;

/** Lets maps read sources whose URL begins with `pmtiles://`. */
export function addArchives(): Protocol {
  if (protocol === undefined) {
    // attributions of archives are shown
    protocol = new Protocol({ metadata: true });
    addProtocol('pmtiles', protocol.tile);
  }
  return protocol;
}

/** An archive of tiles, of which parts are requested by their ranges of bytes. */
export function addArchive(url: string): PMTiles {
  const known = addArchives().get(url);
  if (known !== undefined) return known;
  const archive = new PMTiles(url);
  addArchives().add(archive);
  return archive;
}
