/** The minimum of `engines` in package.json. npm only warns about it. */
const oldest = { major: 20, minor: 19 };

/** The message about a version of Node that is too old; `undefined` for a supported one. */
export function nodeVersionProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return undefined;
  return `Node ${version} is too old. Install Node ${oldest.major}.${oldest.minor} or later, or run the container image.`;
}
