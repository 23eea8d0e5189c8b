/** A strict XML reader: it refuses malformed documents, as a CI server would. */

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

interface Open {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: XmlElement[];
  text: string;
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};
const part = /<\?xml[^?]*\?>|<(\/?)([A-Za-z][\w.-]*)((?:\s+[\w.:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;

/** Returns the root element. Throws if the document is malformed. */
export function readXml(xml: string): XmlElement {
  const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(xml);
  if (forbidden !== null) throw new Error(`XML has no such character, at ${forbidden.index}.`);
  const top: Open = { name: '', attributes: {}, children: [], text: '' };
  const path: Open[] = [top];
  let read = 0;
  for (const match of xml.matchAll(part)) {
    const [whole, closes, name, attributes = '', isEmpty, text] = match;
    const at = path.at(-1) ?? top;
    read = match.index + whole.length;
    if (text !== undefined) at.text += unescaped(text);
    else if (name !== undefined && closes === '/') {
      if (at.name !== name) throw new Error(`</${name}> closes <${at.name}>, at ${match.index}.`);
      path.pop();
    } else if (name !== undefined) {
      const element: Open = { name, attributes: attributesOf(attributes), children: [], text: '' };
      at.children.push(element);
      if (isEmpty !== '/') path.push(element);
    }
  }
  const [rootElement, another] = top.children;
  if (read !== xml.length) throw new Error(`This is no XML: ${xml.slice(read, read + 60)}`);
  if (path.length !== 1) throw new Error(`<${path.at(-1)?.name}> is never closed.`);
  if (rootElement === undefined || another !== undefined)
    throw new Error('There must be one root.');
  return rootElement;
}

function attributesOf(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(/([\w.:-]+)="([^"]*)"/g)) {
    if (Object.hasOwn(found, name)) throw new Error(`The attribute ${name} is there twice.`);
    found[name] = unescaped(value);
  }
  return found;
}

function unescaped(text: string): string {
  return text.replaceAll(/&([^;]*);?/g, (whole, name: string) => {
    const character = name.startsWith('#')
      ? String.fromCodePoint(Number(name.slice(1)))
      : entities[name];
    if (character === undefined || !whole.endsWith(';'))
      throw new Error(`There is no entity ${whole}.`);
    return character;
  });
}
