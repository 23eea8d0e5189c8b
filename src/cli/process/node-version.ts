/** The same as `engines` in package.json, which npm only warns about. */
const oldest = { major: 20, minor: 19 };

/** What is wrong with a version of Node, if something is. */
export function nodeMistake(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return undefined;
  return `Node ${version} is too old. Install Node ${oldest.major}.${oldest.minor} or later, or run the container image, which brings its own.`;
}
