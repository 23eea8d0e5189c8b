/** Searches the heap of this process. */
import { Session } from 'node:inspector/promises';
import { getHeapSnapshot, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';

export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}

/** How often each needle appears in the strings and numbers of the heap. */
export async function inHeap(needles: readonly Uint8Array[]): Promise<number[]> {
  const counts = needles.map(() => 0);
  const overlap = Math.max(...needles.map((needle) => needle.length)) - 1;
  let rest = Buffer.alloc(0);
  for await (const chunk of getHeapSnapshot({ exposeNumericValues: true })) {
    const text = Buffer.concat([rest, chunk as Buffer]); // The stream gives buffers; its type does not say so.
    for (const [at, needle] of needles.entries()) {
      for (
        let found = text.indexOf(needle);
        found !== -1;
        found = text.indexOf(needle, found + 1)
      ) {
        // Matches entirely inside the rest were counted with the previous chunk.
        if (found + needle.length > rest.length) counts[at] = (counts[at] ?? 0) + 1;
      }
    }
    rest = Buffer.from(text.subarray(-overlap));
  }
  return counts;
}

const Found = z.object({ result: z.object({ value: z.array(z.string()) }) });

/**
 * Texts and numbers under one of these keys in any object of this process: in closures, private
 * members or maps.
 */
export function valuesUnder(keys: readonly string[]): Promise<readonly string[]> {
  return askEach(
    Object.prototype,
    `function () {
      return this.flatMap((one) => ${JSON.stringify(keys)}.flatMap((key) => {
        const value = Object.getOwnPropertyDescriptor(one, key)?.value;
        return typeof value === 'string' || typeof value === 'number' ? [key + ': ' + value] : [];
      }));
    }`,
  );
}

/**
 * Calls a function, given as source, on all objects with this prototype and returns the results.
 */
async function askEach(
  prototype: unknown,
  functionDeclaration: string,
): Promise<readonly string[]> {
  const session = new Session();
  session.connect();
  const name = 'prototypeThatIsLookedFor';
  Object.assign(globalThis, { [name]: prototype });
  try {
    const { result } = await session.post('Runtime.evaluate', { expression: name });
    const { objects } = await session.post('Runtime.queryObjects', {
      prototypeObjectId: result.objectId ?? '',
    });
    const found: unknown = await session.post('Runtime.callFunctionOn', {
      ...(objects.objectId === undefined ? {} : { objectId: objects.objectId }),
      functionDeclaration,
      returnByValue: true,
    });
    return Found.parse(found).result.value;
  } finally {
    Reflect.deleteProperty(globalThis, name);
    session.disconnect();
  }
}
