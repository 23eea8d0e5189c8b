/** Verdicts as workflow commands of GitHub Actions, which shows them next to the run. */
import { escapeControls } from './escape.ts';
import {
  expiredNote,
  failsVerdict,
  otherReasons,
  selectOverKinds,
  type Verdict,
} from './verdicts.ts';

type Level = 'error' | 'warning' | 'notice';

interface Annotation {
  readonly level: Level;
  /** The rule of a finding, or the kind of another reason. */
  readonly kind: string;
  readonly merchant: string;
  readonly text: string;
}

/** GitHub shows ten of each level and step. */
const mostOfLevel = 10;

/** One line for each annotation; empty if there is nothing to report. The last of many counts those left out. */
export function verdictGithub(verdicts: readonly Verdict[]): string {
  const all = annotationsOf(verdicts);
  const levels = ['error', 'warning', 'notice'] as const;
  return levels
    .flatMap((level) => {
      const ofLevel = all.filter((one) => one.level === level);
      return ofLevel.length <= mostOfLevel ? ofLevel.map(lineOf) : fewOf(level, ofLevel);
    })
    .map((line) => `${line}\n`)
    .join('');
}

function fewOf(level: Level, all: readonly Annotation[]): readonly string[] {
  const shown = selectOverKinds(all, ({ kind }) => kind, mostOfLevel - 1);
  const others = `${all.length - shown.length} more of this level. The log, --junit, --json and --html have them.`;
  return [...shown.map(lineOf), command(level, 'card-vault-sandbox', others)];
}

function lineOf({ level, kind, merchant, text }: Annotation): string {
  return command(level, `${merchant}: ${kind}`, text);
}

function annotationsOf(verdicts: readonly Verdict[]): readonly Annotation[] {
  return verdicts.flatMap((verdict) => [
    ...otherReasons(verdict).map(({ kind, text }): Annotation => ({
      level: 'error',
      kind,
      merchant: verdict.merchant,
      text,
    })),
    ...verdict.findings
      .filter(({ suppressed }) => suppressed === undefined)
      .map((finding): Annotation => {
        const { rule, severity, what, remedy } = finding;
        const level = failsVerdict(verdict, finding)
          ? 'error'
          : severity === 'info'
            ? 'notice'
            : 'warning';
        const text = [what, remedy, ...expiredNote(verdict, finding)].join(' ');
        return { level, kind: rule, merchant: verdict.merchant, text };
      }),
  ]);
}

function command(level: Level, title: string, message: string): string {
  const escapedTitle = escapeValue(title).replaceAll(':', '%3A').replaceAll(',', '%2C');
  return `::${level} title=${escapedTitle}::${escapeValue(message)}`;
}

function escapeValue(text: string): string {
  return escapeControls(text).replaceAll('%', '%25');
}
