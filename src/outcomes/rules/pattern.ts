/** Regular expressions of rules: only those that are soon done, as nothing else is answered while one is held against a text. */

/** Longer texts meet none: the time that one takes can grow faster than the text does. */
export const maxMatchedLength = 1_024;

/** What is wrong with a regular expression; `undefined` when nothing is. */
export function findPatternProblem(pattern: string): string | undefined {
  try {
    RegExp(pattern, 'u');
  } catch {
    return 'this is no regular expression.';
  }
  if (canRunAway(pattern)) {
    return 'a group that is repeated holds a repetition or an alternative, and a text can be made that keeps the sandbox busy for ever. Repeat a class of characters, like [ab]+, or write the group as often as it may come.';
  }
  return countRepetitions(pattern) > maxRepetitions
    ? `it has so many repetitions that a long text can keep the sandbox busy for minutes. It may have ${maxRepetitions} of *, + or {2,}, and ${maxRepetitions - 1} where it does not begin with ^; what comes a few times, like {1,4}, does not count.`
    : undefined;
}

/** Each multiplies the time that a text takes by its length: with three, the longest takes less than a second. */
const maxRepetitions = 3;

/** More times than this are as good as without an end. */
const maxShortRepeat = 10;

/** How many places of a text a match may have to choose: where each long repetition ends, and where it begins itself. */
function countRepetitions(pattern: string): number {
  const isAnchored = pattern.startsWith('^') && !pattern.includes('|');
  const long = [...pattern.matchAll(parts)].filter(({ groups = {} }) => {
    const { times, upTo } = groups;
    if (upTo !== undefined) return upTo === ',' || Number(upTo.slice(1)) > maxShortRepeat;
    return times === '*' || times === '+';
  });
  return long.length + (isAnchored ? 0 : 1);
}

/** A class, the beginning of a group, a quantifier, or any other character: the flag `u` lets through nothing else. */
const parts =
  /\\.|\[(?:\\.|[^\]\\])*\]|(?<open>\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?)|(?<close>\))|(?<or>\|)|(?<times>[*+?]|\{\d+(?<upTo>,\d*)?\})\??|./gsu;

/** Whether a group can read a part of a text in more than one way, and is repeated: the ways multiply. */
function canRunAway(pattern: string): boolean {
  const ambiguous = [false];
  let closedOne = false;
  for (const { groups = {} } of pattern.matchAll(parts)) {
    const { open, close, or, times, upTo } = groups;
    if (closedOne && times !== undefined && times !== '?') return true;
    if (open !== undefined) ambiguous.push(false);
    closedOne = close !== undefined && ambiguous.pop() === true;
    const isFixed = times?.startsWith('{') === true && upTo === undefined;
    if (closedOne || or !== undefined || (times !== undefined && !isFixed)) {
      ambiguous[ambiguous.length - 1] = true;
    }
  }
  return false;
}
