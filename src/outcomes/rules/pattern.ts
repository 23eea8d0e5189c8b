/** Regular expressions of rules. Slow ones are refused, because the sandbox answers nothing else while one is running. */

/** Longer texts match no expression, because the running time can grow faster than the text. */
export const maxMatchedLength = 1_024;

/** Explains what is wrong with a regular expression. */
export function findPatternProblem(pattern: string): string | undefined {
  try {
    RegExp(pattern, 'u');
  } catch {
    return 'this is not a valid regular expression.';
  }
  if (canRunAway(pattern)) {
    return 'a repeated group contains a repetition or an alternative, so some texts would take for ever. Repeat a character class such as [ab]+, or write the group out as often as it may occur.';
  }
  return countRepetitions(pattern) > maxRepetitions
    ? `too many repetitions, so a long text could take minutes. At most ${maxRepetitions} of *, + or {2,} are allowed, or ${maxRepetitions - 1} if the expression does not start with ^. Short ranges such as {1,4} do not count.`
    : undefined;
}

/** Each repetition multiplies the running time by the length of the text. Three take less than a second. */
const maxRepetitions = 3;

/** A longer range counts as unlimited. */
const maxShortRepeat = 10;

/** Counts the positions that a match may have to try: the end of each long repetition, and the start of the match. */
function countRepetitions(pattern: string): number {
  const isAnchored = pattern.startsWith('^') && !pattern.includes('|');
  const long = [...pattern.matchAll(parts)].filter(({ groups = {} }) => {
    const { times, upTo } = groups;
    if (upTo !== undefined) return upTo === ',' || Number(upTo.slice(1)) > maxShortRepeat;
    return times === '*' || times === '+';
  });
  return long.length + (isAnchored ? 0 : 1);
}

/** A character class, the start or end of a group, a quantifier, or any other character. The flag `u` allows nothing else. */
const parts =
  /\\.|\[(?:\\.|[^\]\\])*\]|(?<open>\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?)|(?<close>\))|(?<or>\|)|(?<times>[*+?]|\{\d+(?<upTo>,\d*)?\})\??|./gsu;

/** Whether a repeated group can match the same text in several ways. The number of ways grows exponentially. */
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
