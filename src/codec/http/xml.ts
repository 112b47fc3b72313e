import { DOMParser, type Element, onErrorStopParsing } from '@xmldom/xmldom';
import { CodecError } from '../errors.ts';

export type XmlElement = Element;

const decoder = new TextDecoder();

/**
 * The root element of a body in UTF-8. Throws CodecError `bad-text` if it is not XML, and where it declares a document
 * type: no format needs one, and its entities may be of any size.
 */
export function parseXml(body: Uint8Array): XmlElement {
  try {
    const text = decoder.decode(body);
    const parser = new DOMParser({ onError: onErrorStopParsing });
    const root = text.includes('<!DOCTYPE') ? null : parser.parseFromString(text, 'text/xml').documentElement;
    if (root !== null) return root;
  } catch {
    // its message quotes the body
  }
  throw new CodecError('bad-text', 'not XML, or XML with a document type', 0);
}

/** Child elements of a name, which is compared without a namespace. */
export function xmlChildren(parent: XmlElement, name: string): readonly XmlElement[] {
  const found: XmlElement[] = [];
  for (let child = parent.firstChild; child !== null; child = child.nextSibling)
    if (child.nodeType === child.ELEMENT_NODE && (child as XmlElement).localName === name)
      found.push(child as XmlElement);
  return found;
}

/** Text of the first child element of a name, without white space around it; empty if there is none. */
export const xmlText = (parent: XmlElement, name: string): string =>
  xmlChildren(parent, name)[0]?.textContent?.trim() ?? '';

/** Elements of a name in the whole document, which is compared without a namespace; the root is one of them. */
export const xmlDescendants = (root: XmlElement, name: string): readonly XmlElement[] => [
  ...(root.localName === name ? [root] : []),
  ...root.getElementsByTagNameNS('*', name),
];
