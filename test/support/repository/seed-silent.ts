/** Finds the decisions about unspecified behaviour in the comments of a source file. */

export interface Decision {
  readonly where: string;
  readonly decision: string;
}

const mark = /`?Seed silent:`?/;

/** Quoted text comes first, so that its content is not taken for a comment. */
const tokens =
  /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/.*(?:\n[ \t]*\/\/.*)*/g;

/** Every decision of a file, in order. */
export function decisionsIn(path: string, text: string): Decision[] {
  const comments = [...text.matchAll(tokens)].map(([token]) => token).filter(isComment);
  return comments.flatMap((comment) =>
    paragraphsOf(comment).flatMap((paragraph) => {
      const [, ...said] = paragraph.split(mark);
      return said.map((decision) => ({ where: path, decision: fold(decision) }));
    }),
  );
}

function isComment(token: string): boolean {
  return token.startsWith('/');
}

function paragraphsOf(comment: string): string[] {
  const bare = comment
    .replace(/^\/\*+|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\*|\/\/)?/, ''));
  return bare.join('\n').split(/\n\s*\n/);
}

function fold(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
