/** Measures a YAML text before it is parsed: the parser takes longer for each mark than for a whole line of words. */

const space = 0x20;
const [tab, lineFeed, carriageReturn] = [0x09, 0x0a, 0x0d];

/** Marks that can start, separate or end a value in every place. */
const marksAnywhere = marked('\n,[]{}"\'&*!');
/** Marks that do so only before white space, so that dates and hyphenated words do not count. */
const marksBeforeSpace = marked('-?:');
const colon = 0x3a;

function marked(marks: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of Buffer.from(marks)) table[byte] = 1;
  return table;
}

/**
 * Counts the line breaks and marks of a text. A text cannot hold many more values than it has marks. Marks inside quoted
 * texts and comments count too, because only the parser can tell them apart. The colon of a key counts only if it follows
 * another colon, so `key: value` on a line of its own counts once.
 */
export function countYamlMarks(text: Uint8Array): number {
  let [marks, isAfterColon] = [0, false];
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] ?? 0;
    if (marksAnywhere[byte] === 1) {
      marks++;
      isAfterColon = false;
    } else if (marksBeforeSpace[byte] === 1 && isSpace(text[at + 1] ?? space)) {
      if (byte !== colon || isAfterColon) marks++;
      isAfterColon = byte === colon;
    }
  }
  return marks;
}

function isSpace(byte: number): boolean {
  return byte === space || byte === tab || byte === lineFeed || byte === carriageReturn;
}
